"""Build: turns runs into a folder of pages; the same runs give the same bytes."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from pathlib import Path
from typing import ClassVar, NamedTuple

from supportagentbench.records.board import Board
from supportagentbench.records.choice import Choice
from supportagentbench.records.dummy import is_dummy
from supportagentbench.records.invented import is_invented
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.verification import Verification
from supportagentbench.records.version import __version__
from supportagentbench.results.load import load_runs
from supportagentbench.site.about import About, files_of, read_about
from supportagentbench.site.answers.insights import counted_insights, insights
from supportagentbench.site.answers.troubles import counted_troubles
from supportagentbench.site.answers.written_prose import read_folder
from supportagentbench.site.data.bundle import as_script, keep_in, refuse_secret
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.conversation_fact import facts_of
from supportagentbench.site.data.fork_data import ForkData, gather_forks
from supportagentbench.site.data.index import CALL, CountedHabit, index_of
from supportagentbench.site.data.quote import in_bundles, kept_words
from supportagentbench.site.data.site_data import Kept, SiteData, Watch, gather, shown_runs, unwatched
from supportagentbench.site.draft_folder import draft_of
from supportagentbench.site.lint import unsupported
from supportagentbench.site.manifest import manifest_of
from supportagentbench.site.pages import (
    board,
    cases,
    choice_file,
    compare,
    desk,
    findings,
    forks,
    lone,
    method,
    own,
    reader,
    report,
    rules,
    traps,
)
from supportagentbench.site.pages.changes import Changes, changes_of
from supportagentbench.site.pages.changes import page as changes_page
from supportagentbench.site.pages.compare import CompareContext
from supportagentbench.site.pages.findings import FindingsContext
from supportagentbench.site.pages.lone import board_path
from supportagentbench.site.pages.page import SitePage, asset_paths, assets, render
from supportagentbench.site.pages.page_context import PageContext
from supportagentbench.site.pages.reader import ReaderContext
from supportagentbench.site.pages.traps import TrapsContext
from supportagentbench.site.share.share_drawing import drawn
from supportagentbench.site.share.share_picture import SharePicture, pictures_of, share_path
from supportagentbench.storage.file import LARGEST_WRITTEN, read_bounded, write_new
from supportagentbench.storage.place import inside

PROSE, CHANGES = "data/prose", "data/changes.json"
"""Inputs other than runs are kept here, so that the pages can be rebuilt from their own folder."""

FORKS = "data/forks.json"
"""The manifest of the fork runs."""


class NavLink(NamedTuple):
    """A link of the navigation."""

    title: str
    path: str


class Extras(NamedTuple):
    """Optional inputs of the pages besides runs."""

    prose: Path | None = None
    """A folder of written reports."""
    before: tuple[Path, ...] = ()
    """Runs of an earlier board."""
    changes: Changes | None = None
    """What changed since then, if already known."""
    about: Path | None = None
    """The publisher's file."""
    forks: tuple[Path, ...] = ()
    """Fork runs."""
    verifications: Mapping[str, Verification] = {}
    """Whose results are verified, by the agents' names in their runs."""
    revealed: str = ""
    """The secret that drew private cases, to be published with the pages."""
    choice: Choice = Choice()
    """The limits and the desk by which agents are recommended."""


def build(
    paths: Iterable[Path],
    out: Path,
    kept: Kept = "all",
    extras: Extras = Extras(),  # noqa: B008
    watch: Watch = unwatched,
    *,
    fresh: bool = False,
) -> list[str]:
    """Build the pages of these runs in `out`; returns the files, as paths below it."""
    paths = list(paths)
    given = [*paths, *extras.before, *extras.forks, *filter(None, (extras.prose, extras.about))]
    _refuse_inside(out, given)
    about = read_about(extras.about) if extras.about else About()
    with draft_of(out) as draft:
        data = gather(
            paths, keep_in(draft), kept, watch, fresh=fresh, about=about, choice=extras.choice
        ).with_verifications(extras.verifications)
        before = shown_runs(load_runs(extras.before), about) if extras.before else []
        changed = changes_of(before, data.runs) if before else extras.changes
        comparisons = Comparisons(data.board, data.runs)
        forked = (
            gather_forks(extras.forks, paths, data, keep_in(draft), kept, fresh=fresh)
            if extras.forks
            else None
        )
        pages = list(_pages(data, comparisons, draft, extras.prose, changed))
        pages += forks.pages(forked, data) if forked else ()
        write_pages(draft, pages, frame(data, pages), watch)
        for path, content in (*_files(data, comparisons, changed, extras.revealed), *_fork_files(forked)):
            refuse_secret(Path(path), content)
            _put(draft, path, content)
        for written in sorted(extras.prose.glob("*.md")) if extras.prose else ():
            _put(draft, f"{PROSE}/{written.name}", read_bounded(written, LARGEST_WRITTEN))
        for path, content in files_of(extras.about, about) if extras.about else ():
            _put(draft, path, content)
    return _paths(out)


def _pages(
    data: SiteData, comparisons: Comparisons, draft: Path, prose: Path | None, changed: Changes | None
) -> Iterator[SitePage[PageContext]]:
    """All pages; quotes are looked up in the conversations, or in the excerpts that were kept."""
    whole = data.kept == "all"
    said = in_bundles(draft) if whole else kept_words(data)
    written = read_folder(prose, data, said) if prose else None
    for page in board.pages(data, said):
        yield page._replace(path=board_path(data.board))
    yield from lone.pages(data)
    yield from report.pages(data, written, said)
    yield from compare.pages(data, comparisons)
    for part in (findings, cases, traps, reader, desk, own, rules):
        yield from part.pages(data)
    yield from method.pages(data, said)
    if changed:
        yield changes_page(changed)
    yield SitePage("404.html", "404.html", NotFoundContext())


def _files(
    data: SiteData, comparisons: Comparisons, changed: Changes | None, revealed: str
) -> Iterator[tuple[str, bytes]]:
    yield "data/index.js", as_script(CALL, index_of(data, counted_habits(data)))
    yield "data/manifest.json", manifest_of(data, revealed)
    yield from board.files(data)
    yield from choice_file.files(data)
    yield from compare.files(data, comparisons)
    if changed:
        yield CHANGES, to_json(changed)


def counted_habits(data: SiteData) -> Iterator[CountedHabit]:
    """What reports and insights count by other means than an outcome or a check."""
    yield from counted_troubles(data)
    yield from counted_insights(insights(facts_of(data)))


def _fork_files(forked: ForkData | None) -> Iterator[tuple[str, bytes]]:
    if forked:
        yield forks.INDEX, as_script(CALL, index_of(forked.replays))
        yield FORKS, manifest_of(forked.replays)


@dataclass(frozen=True)
class AnyFrame(PageContext):
    """What every page shows around its content."""

    nav: list[NavLink]
    further: list[NavLink]
    """Further pages, linked in the foot."""
    tag: str
    """What a reader must know before any figure, such as that agents are invented; empty: nothing."""
    own: str
    """The page on testing an agent of one's own."""
    assets: dict[str, str]
    """The path of each style and script."""
    board: Board
    pictures: Mapping[str, SharePicture] = field(default_factory=dict, kw_only=True)
    """By the path of a page, its picture for sharing; other pages have the front page's."""
    version: ClassVar = __version__
    share_path: ClassVar = staticmethod(share_path)


@dataclass(frozen=True)
class SiteFrame(AnyFrame):
    """The frame of pages made from runs."""

    data: SiteData

    @property
    def board_path(self) -> str:
        """Where the board is."""
        return board_path(self.board)

    @property
    def core_cases(self) -> int:
        """How many cases the headline figures count, without honest twins."""
        return len(self.data.core_cases)

    @property
    def about(self) -> About:
        """What the publisher says about the site."""
        return self.data.about

    @property
    def dates(self) -> tuple[date, date]:
        """The first and the last day of all runs."""
        return self.data.dates


class NotFoundContext(PageContext):
    """The page for an unknown address."""

    TEMPLATES: ClassVar = ("404.html",)


def frame(data: SiteData, pages: Sequence[SitePage[PageContext]]) -> SiteFrame:
    """The frame of these pages; a page with nothing on it is left out of the navigation."""
    made = {page.path for page in pages if not _is_empty(page, data)}
    front = NavLink("Board", board_path(data.board))
    nav = [link for link in (front, *NAVIGATION) if link.path in made]
    further = [link for link in MORE if link.path in made]
    tag = _tag(data)
    pictures = pictures_of(data, pages, tag)
    return SiteFrame(nav, further, tag, own.PATH, asset_paths(), data.board, data, pictures=pictures)


def _tag(data: SiteData) -> str:
    """What a reader must know before any figure: that agents, and so their prices, are invented."""
    agents = {run.header.agent: is_invented(run.header) for run in data.runs if not is_dummy(run.header)}
    if all(agents.values()):
        return "Demo: agents and prices are invented"
    count = sum(agents.values())
    return f"{count} of {len(agents)} agents are invented" if count else ""


def _is_empty(page: SitePage[PageContext], data: SiteData) -> bool:
    match page.context:
        case CompareContext():
            return len(data.board.agents) < 2
        case FindingsContext(taught=taught, bars=bars):
            return not taught and not bars
        case TrapsContext(lines=lines):
            return not lines
        case ReaderContext():
            return data.kept == "none" and page.path == "reader.html"
        case _:
            return False


NAVIGATION = (
    NavLink("Your desk", "desk.html"),
    NavLink("Conversations", "reader.html"),
    NavLink("Traps", "traps.html"),
    NavLink("How we test", "method.html"),
)

MORE = (
    NavLink("What we learned", findings.PATH),
    NavLink("Compare two agents", "compare.html"),
    NavLink("Cases", "cases.html"),
    NavLink("The desk's rules", rules.PATH),
    NavLink("Decisions made again", "forks.html"),
    NavLink("Changes", "changes.html"),
)


def write_pages(
    folder: Path, pages: Sequence[SitePage[PageContext]], shared: "AnyFrame", watch: Watch = unwatched
) -> None:
    """Write these pages and what they load, after checking each for unsupported comparisons and secrets."""
    tell = watch("writing pages", len(pages))
    for done, page in enumerate(pages, start=1):
        text = render(page, shared)
        _check(page, text, shared.board)
        refuse_secret(Path(page.path), text.encode())
        _put(folder, page.path, text.encode())
        tell(done)
    for path, content in assets().values():
        _put(folder, path, content)
    for path, picture in shared.pictures.items():
        _put(folder, share_path(path), drawn(picture))


def _check(page: SitePage[PageContext], text: str, board: Board) -> None:
    """Refuse to write a page that compares agents without a tested claim; that would be a bug."""
    if page.path.endswith(".html"):
        claims = (*board.claims, *page.context.claims)
        found = unsupported(text, claims, [entry.name for entry in board.agents])
        if found:
            raise Problem(f"compares agents without a claim that supports it: {found[0]!r}.", place=page.path)


def _refuse_inside(out: Path, sources: Iterable[Path]) -> None:
    """Refuse an input that would be deleted with the old pages."""
    for path in sources:
        if path.resolve().is_relative_to(out.resolve()):
            raise Problem(f"is inside {out}, which is replaced as a whole; move it out first.", place=path)


def _put(folder: Path, name: str, content: bytes) -> None:
    write_new(inside(folder, name), content)


def _paths(out: Path) -> list[str]:
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
