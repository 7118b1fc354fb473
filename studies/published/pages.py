"""Pages: a board that others published, shown by our rules and separate from everything measured here."""

from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import ClassVar

import msgspec

from studies.published import Published, PublishedMetric, PublishedRow
from studies.published.audit import Audit, audit
from studies.published.audit.examined import Examined, Outcome
from studies.published.audit.sheet import ALPHA, ImpliedCount, Sheet
from studies.published.audit.standing import Standing, bands_in
from supportagentbench.board.badges import TIERS, Zone, badges_of, traps_per_run
from supportagentbench.records.board import AgentResults, Board, Estimate, Interval, Look, SafetyWord, Tier
from supportagentbench.records.claim import Claim
from supportagentbench.site.build import AnyFrame, NavLink, write_pages
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.vendor import origin_of
from supportagentbench.site.draft_folder import draft_of
from supportagentbench.site.pages.board import BoardContext, board_page
from supportagentbench.site.pages.page import SitePage, asset_paths
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.stats.rates import at_least, at_most, run_again

OUTCOMES: dict[Outcome, tuple[str, str]] = {
    "contradicted": ("bad", "Contradicted by the figures"),
    "undecided": ("fair", "Undecided"),
    "survives": ("good", "Supported"),
}
"""How a test of a printed statement ended: its mark and its words."""

UNSAFE = "unsafe"
"""The metric with bands."""

BAND_RULES = {
    "safe, middling, reckless": "the printed bands, by the count of the printed run; outlined where its "
    "interval reaches into another",
}
"""What the words for unsafe actions mean on this board."""


TEMPLATES = Path(__file__).parent / "templates"

LIMITS = (
    "There is one interval, for one run's worth of independent cases. Which cases were hard for which agent, "
    "and whether runs agreed, is not printed, so our own two intervals cannot be computed.",
    "Comparisons are not paired by case and are corrected within each metric. Transcripts might show more "
    "differences.",
    "A printed figure is that of a median run: 100% does not mean that no run missed a case.",
    "There is no composite score and no rank number: the data does not support one.",
)
"""How to read printed figures."""


@dataclass(frozen=True)
class PublishedFrame(AnyFrame):
    """What these pages show around their content: no dates, no manifest, no conversations."""

    source: str
    """Author, place and date of the board."""


@dataclass(frozen=True)
class AuditContext(PageContext):
    """What an audit of the printed board found."""

    TEMPLATES: ClassVar = ("audit.html",)

    audit: Audit
    outcome_words: ClassVar = OUTCOMES

    @property
    def outcomes_of(self) -> dict[Outcome, list[Examined]]:
        """The printed statements, by how their test ended."""
        return {end: [one for one in self.audit.claims if one.outcome == end] for end in OUTCOMES}

    @property
    def wrong(self) -> list[Examined]:
        """Figures that other pages contradict."""
        return [one for one in self.audit.summaries if one.outcome == "contradicted"]

    @property
    def banded(self) -> dict[str, list[Standing]]:
        """Every row on each metric with bands."""
        banded = dict.fromkeys(row.metric for row in self.audit.standings if row.band)
        return {metric: [row for row in self.audit.standings if row.metric == metric] for metric in banded}


def build_pages(source: Published, out: Path) -> None:
    """Build the pages of a board that others published in `out`."""
    with draft_of(out) as draft:
        write_pages(draft, list(published_pages(source)), published_frame(source))


def published_pages(source: Published) -> Iterator[SitePage[BoardContext | AuditContext]]:
    """The printed board, and what an audit of it found."""
    sheet, found = Sheet(source), audit(source)
    board = published_board(sheet)
    slugs = {agent.name: agent.name for agent in board.agents}
    known = {name: origin_of(name) for name in slugs}
    page = board_page(
        board, [], slugs, Comparisons(board, ()), published=True, notes=notes(sheet), known=known
    )
    context = replace(
        page.context,
        headline=headline(sheet),
        limits=(_trap_limit(board), *LIMITS),
        zones=_zones(sheet.published.metric(UNSAFE)),
        safety_rules=BAND_RULES,
    )
    yield page._replace(template="published.html", context=context, templates=TEMPLATES)
    yield SitePage("audit.html", "audit.html", AuditContext(found), TEMPLATES)


def _trap_limit(board: Board) -> str:
    return (
        f"Each agent met {traps_per_run(board)} traps. A difference of one or two unsafe actions is within "
        "chance; a band is outlined where its interval reaches into another."
    )


def published_frame(source: Published) -> PublishedFrame:
    """What these pages show around their content."""
    nav = [NavLink("Board", "index.html"), NavLink("Audit", "audit.html")]
    tag = "Figures as published; not measured here"
    return PublishedFrame(nav, [], tag, "", asset_paths(), published_board(Sheet(source)), source.source)


def published_board(sheet: Sheet) -> Board:
    """The printed rows in their printed order, with the printed bands, and badges by our rules."""
    agents = tuple(_entry(sheet, row) for row in sheet.rows)
    claims = tuple(_claims(sheet))
    return Board(
        world=sheet.published.source,
        world_digest="",
        set="core",
        agents=tuple(msgspec.structs.replace(agent, badges=badges_of(agent)) for agent in agents),
        claims=claims,
        comparisons=len(claims),
    )


def _entry(sheet: Sheet, row: PublishedRow) -> AgentResults:
    runs = sheet.published.runs_of(row)
    cases = sum(metric.cases or 0 for metric in sheet.shares if metric.name in sheet.ranked_by)
    return AgentResults(
        name=row.name,
        runs=runs,
        conversations=cases * runs,
        planned=cases * runs,
        estimates=tuple(
            _estimate(metric, sheet, row) for metric in sheet.shares if row.name in sheet.counts[metric.name]
        ),
        safety=_safety(sheet, row),
        tier=tier(row),
    )


def _safety(sheet: Sheet, row: PublishedRow) -> SafetyWord | None:
    """The printed band of its unsafe actions; open where the interval reaches into another."""
    metric, count = sheet.published.metric(UNSAFE), sheet.counts[UNSAFE].get(row.name)
    if count is None or not metric.bands:
        return None
    hits, cases = count.one_run
    low, high = run_again([hits], [cases])
    reached = bands_in(metric.bands, Interval(low * cases, high * cases))
    name = metric.band_of(hits)
    return SafetyWord(name, _looks(metric)[name], is_open=len(reached) > 1)


def _looks(metric: PublishedMetric) -> dict[str, Look]:
    """The first band looks good, the last one bad."""
    names = [band.name for band in metric.bands]
    return {name: "good" if name == names[0] else "bad" if name == names[-1] else "fair" for name in names}


def _zones(metric: PublishedMetric) -> tuple[Zone, ...]:
    """The printed bands with their counts; an edge is halfway between two counts."""
    looks, cases = _looks(metric), metric.cases or 1
    return tuple(
        Zone(f"{band.name} {band.low}–{band.high}", looks[band.name], (band.high + 0.5) / cases)
        for band in metric.bands
    )


def _estimate(metric: PublishedMetric, sheet: Sheet, row: PublishedRow) -> Estimate:
    """The printed figure; its interval is that of one run's worth of independent cases."""
    figure, count = sheet.figure(row, metric.name), sheet.counts[metric.name][row.name]
    assert figure is not None, "it has a count"
    hits, cases = count.one_run
    value = float(figure.value)
    return Estimate(
        metric=metric.name,
        value=value,
        median=value,
        n=cases,
        runs=(value,),
        k=hits,
        rerun_interval=Interval(*run_again([hits], [cases])),
        at_least=at_least(hits, cases),
        at_most=at_most(hits, cases),
    )


def tier(row: PublishedRow) -> Tier | None:
    """The printed cost tier."""
    return list(TIERS)[row.tier - 1] if row.tier and row.tier <= len(TIERS) else None


def _claims(sheet: Sheet) -> Iterator[Claim]:
    """Every pair on every metric, unpaired, because no case is printed."""
    for metric in sheet.shares:
        counts = sheet.counts[metric.name]
        for pair in sheet.pairs[metric.name]:
            first, second = _ordered(metric, counts[pair.first], counts[pair.second])
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


def _ordered(
    metric: PublishedMetric, one: ImpliedCount, other: ImpliedCount
) -> tuple[ImpliedCount, ImpliedCount]:
    """The one with the good value first."""
    ahead = one.rate <= other.rate if metric.better == "lower" else one.rate >= other.rate
    return (one, other) if ahead else (other, one)


def headline(sheet: Sheet) -> str:
    """Whose figures these are, and on how many cases."""
    cases = sum(metric.cases or 0 for metric in sheet.shares if metric.name in sheet.ranked_by)
    source = sheet.published.source
    return f"{len(sheet.rows)} agents on {cases} cases, as printed by {source}, not measured here."


def notes(sheet: Sheet) -> tuple[str, ...]:
    """What a reader should know before the first number."""
    published = sheet.published
    few = [f"{row.name} had {row.runs}" for row in sheet.rows if row.runs and row.runs < published.runs]
    badges = [
        f"“{badge.name}” beside {', '.join(row.name for row in sheet.rows if badge.name in row.badges)}"
        for badge in published.badges
    ]
    fewer = f" ({', '.join(few)})" if few else ""
    return (
        f"Published elsewhere, not measured here. Source: {published.source}. The figures are as printed "
        "there; no conversation was published, so no number here links to any, and nothing on this page can "
        "be recomputed from a record.",
        f"Figures are medians of {published.runs} runs{fewer}. Each interval is for one run's worth of "
        "independent cases (Wilson): the precision of a median is between that of one run and that of all "
        "runs pooled. Comparisons are unpaired (Fisher, Holm over the pairs of a metric).",
        f"Bands and badges follow our rules. Printed there: {'; '.join(badges)}. The cost tiers are theirs, "
        "and their limits are not published; dollars next to a tier are our limits. Their resolution is a "
        "judge's opinion; ours is read from the record.",
    )
