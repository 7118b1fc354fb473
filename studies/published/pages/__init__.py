"""Pages: a board that others published, shown by our rules and separate from everything measured here."""

import hashlib
import re
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path

from studies.published import Published
from studies.published.audit import audit
from studies.published.audit.sheet import ALPHA, Sheet
from studies.published.deep_report import DeepReports
from studies.published.pages.audit_page import AuditContext
from studies.published.pages.board_page import published_context
from studies.published.pages.model_page import model_contexts, path_of
from supportagentbench.records.board import AgentResults, Board
from supportagentbench.records.claim import Claim
from supportagentbench.records.record import to_json
from supportagentbench.site.about import About
from supportagentbench.site.build import AnyFrame, NavLink, write_pages
from supportagentbench.site.draft_folder import draft_of
from supportagentbench.site.pages import own
from supportagentbench.site.pages.page import SitePage, asset_paths
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.site.share.share_picture import titled
from supportagentbench.storage.file import write_new
from supportagentbench.storage.place import inside

TEMPLATES = Path(__file__).parents[1] / "templates"
STYLE = (Path(__file__).parents[1] / "published.css").read_bytes()
STYLE_PATH = f"assets/published.{hashlib.sha256(STYLE).hexdigest()[:8]}.css"
"""What these pages look like, besides the style of all pages."""

SHOP = "Northline"
"""The shop of this package that the board's tickets are like."""

DATA = "data/published.json"
"""The printed figures, as the pages read them."""

_WHEN = re.compile(r"(?:[A-Z][a-z]+ )?20\d\d\b")


@dataclass(frozen=True)
class PublishedFrame(AnyFrame):
    """What these pages show around their content: no manifest, no conversations."""

    source: str
    """Author, place and date of the board."""
    data_path: str
    """The printed figures."""


def build_pages(source: Published, out: Path, reports: DeepReports = DeepReports()) -> None:  # noqa: B008
    """Build the pages of a board that others published in `out`."""
    with draft_of(out) as draft:
        pages, frame = list(published_pages(source, reports)), published_frame(source)
        write_pages(draft, pages, replace(frame, pictures=titled(pages, frame.tag, About().title)))
        write_new(inside(draft, STYLE_PATH), STYLE)
        write_new(inside(draft, DATA), to_json(source))


def published_pages(
    source: Published,
    reports: DeepReports = DeepReports(),  # noqa: B008
) -> Iterator[SitePage[PageContext]]:
    """The printed board, what an audit of it found, the models with reports, and how to test one's own."""
    sheet, found = Sheet(source), audit(source)
    hrefs = {report.name: path_of(report.name) for report in reports.reports}
    board = published_context(sheet, hrefs, len(found.claims))
    yield SitePage("index.html", "published.html", board, TEMPLATES)
    yield SitePage("audit.html", "audit.html", AuditContext(found, hrefs), TEMPLATES)
    for model in model_contexts(sheet, found, reports):
        yield SitePage(path_of(model.name), "model.html", model, TEMPLATES)
    tickets = sum(metric.cases or 0 for metric in source.metrics)
    yield SitePage(own.PATH, "own.published.html", own.OwnContext(SHOP, "", tickets, 0, ()), TEMPLATES)


def published_frame(source: Published) -> PublishedFrame:
    """What these pages show around their content."""
    nav = [NavLink("Board", "index.html"), NavLink("Audit", "audit.html")]
    when = _WHEN.findall(source.source)
    tag = f"Figures as published{f', {when[-1]}' if when else ''}; not measured here"
    board = published_board(Sheet(source))
    assets = asset_paths() | {"study.css": STYLE_PATH}
    return PublishedFrame(nav, [], tag, own.PATH, assets, board, source.source, DATA)


def published_board(sheet: Sheet) -> Board:
    """The rows' names and every tested comparison: what the pages may say about them."""
    claims = tuple(_claims(sheet))
    agents = (AgentResults(row.name, sheet.published.runs_of(row), 0, 0, ()) for row in sheet.rows)
    return Board(sheet.published.source, "", "core", tuple(agents), claims, len(claims))


def _claims(sheet: Sheet) -> Iterator[Claim]:
    """Every pair on every metric, unpaired, because no case is printed."""
    for metric in sheet.shares:
        counts = sheet.counts[metric.name]
        for pair in sheet.pairs[metric.name]:
            one, other = counts[pair.first], counts[pair.second]
            ahead = one.rate <= other.rate if metric.better == "lower" else one.rate >= other.rate
            first, second = (one, other) if ahead else (other, one)
            yield Claim(
                kind="beats",
                sentence=f"{first.row} beats {second.row} on {metric.title.casefold()}.",
                holds=pair.one_run < ALPHA and first.rate != second.rate,
                test="Fisher's exact test on one run each, not paired; Holm over all pairs of the metric",
                value=pair.one_run,
                needs=f"< {ALPHA:.2g}",
                metric=metric.name,
                subject=first.row,
                other=second.row,
            )
