"""Build: runs become a folder of pages, byte for byte the same for the same runs."""

import shutil
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, NamedTuple

from supportagentbench.records.board import Board
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.version import __version__
from supportagentbench.results.load import load_runs
from supportagentbench.site.bundle import as_script, keep_in
from supportagentbench.site.data import Kept, SiteData, Watch, gather, unwatched
from supportagentbench.site.index import CALL, index_of
from supportagentbench.site.lint import unborne
from supportagentbench.site.manifest import manifest_of
from supportagentbench.site.page import SitePage, assets, render
from supportagentbench.site.pages import board, cases, compare, desk, method, reader, report, traps
from supportagentbench.site.pages.changes import Changes, changes_of
from supportagentbench.site.pages.changes import page as changes_page
from supportagentbench.site.pages.published import published_frame, published_pages
from supportagentbench.site.quote import in_bundles, in_excerpts
from supportagentbench.site.written_prose import read_folder

PROSE, CHANGES = "data/prose", "data/changes.json"
"""What is not made from runs lies here, so that the pages can be made again from their own folder."""

MARK = ".supportagentbench-site"
"""Lies in every folder of pages: what carries it may be written anew."""


class NavLink(NamedTuple):
    """An entry of the navigation."""

    title: str
    path: str


class Extras(NamedTuple):
    """What pages may take beside runs."""

    prose: Path | None = None
    """A folder of written reports."""
    before: tuple[Path, ...] = ()
    """Runs of an earlier board."""
    changes: Changes | None = None
    """What moved since then, where that is known already."""


def build(
    paths: Iterable[Path],
    out: Path,
    kept: Kept = "all",
    extras: Extras = Extras(),  # noqa: B008
    watch: Watch = unwatched,
    *,
    fresh: bool = False,
) -> list[str]:
    """Make the pages of these runs below `out`; the files made, as paths below it."""
    with _draft_of(out) as draft:
        data = gather(paths, keep_in(draft), kept, watch, fresh=fresh)
        before = load_runs(extras.before) if extras.before else []
        changed = changes_of(before, data.runs) if before else extras.changes
        pages = list(_pages(data, draft, extras.prose, changed))
        _write(draft, pages, frame(data, pages), watch)
        for path, content in _data(data, changed):
            _put(draft / path, content)
        for written in sorted(extras.prose.glob("*.md")) if extras.prose else ():
            _put(draft / PROSE / written.name, written.read_bytes())
    return _files(out)


def build_published(out: Path) -> list[str]:
    """Make the pages of the board that others printed below `out`."""
    with _draft_of(out) as draft:
        _write(draft, list(published_pages()), published_frame(), unwatched)
    return _files(out)


def _pages(data: SiteData, draft: Path, prose: Path | None, changed: Changes | None) -> Iterator[SitePage]:
    """All pages; quotes are looked up in the conversations, or in what was kept of them."""
    whole = data.kept == "all"
    said = in_bundles(draft) if whole else in_excerpts(data.excerpts, data.slugs)
    written = read_folder(prose, data, said) if prose else None
    yield from board.pages(data)
    yield from report.pages(data, written, said)
    for part in (compare, cases, traps, reader, desk, method):
        yield from part.pages(data)
    yield changes_page(changed)
    yield SitePage("404.html", "404.html", {})


def _data(data: SiteData, changed: Changes | None) -> Iterator[tuple[str, bytes]]:
    yield "data/index.js", as_script(CALL, index_of(data))
    yield "data/manifest.json", manifest_of(data)
    yield from board.files(data)
    yield from compare.files(data)
    if changed:
        yield CHANGES, to_json(changed)


def frame(data: SiteData, pages: list[SitePage]) -> dict[str, Any]:
    """What every page shows around its own content."""
    made = {page.path for page in pages}
    links = [NavLink(title, path) for title, path in NAVIGATION if path in made]
    return {
        "nav": links,
        "assets": {name: path for name, (path, _) in assets().items()},
        "board": data.board,
        "data": data,
        "version": __version__,
        "dates": data.dates,
    }


NAVIGATION = (
    ("Board", "index.html"),
    ("Compare", "compare.html"),
    ("Cases", "cases.html"),
    ("Traps", "traps.html"),
    ("Transcripts", "reader.html"),
    ("Your desk", "desk.html"),
    ("Method", "method.html"),
    ("Changes", "changes.html"),
)


def _write(folder: Path, pages: list[SitePage], shared: dict[str, Any], watch: Watch) -> None:
    tell = watch("writing pages", len(pages))
    for done, page in enumerate(pages, start=1):
        text = render(page, shared)
        _check(page, text, shared["board"])
        _put(folder / page.path, text.encode())
        tell(done)
    for path, content in assets().values():
        _put(folder / path, content)


def _check(page: SitePage, text: str, board: Board) -> None:
    """A page that compares what no test bears out is a fault of ours, and is not shown to anybody."""
    if page.path.endswith(".html"):
        found = unborne(text, board.claims, [entry.name for entry in board.agents])
        if found:
            raise Problem(f"says what no claim bears out: {found[0]!r}.", place=page.path)


@contextmanager
def _draft_of(out: Path) -> Iterator[Path]:
    """An empty folder that takes the place of `out` in the end; a build that fails leaves the old pages."""
    if out.exists() and any(out.iterdir()) and not (out / MARK).exists():
        raise Problem("is not empty and holds no site; choose another folder with --out.", place=out)
    draft = out.with_name(f"{out.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    try:
        draft.mkdir(parents=True)
        (draft / MARK).touch()
        yield draft
        shutil.rmtree(out, ignore_errors=True)
        draft.rename(out)
    except OSError as error:
        words = f"cannot be written ({error.strerror}); make room, or choose another folder."
        raise Problem(words, place=out) from None
    finally:
        shutil.rmtree(draft, ignore_errors=True)


def _put(path: Path, content: bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content)


def _files(out: Path) -> list[str]:
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())
