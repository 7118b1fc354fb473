"""Build: runs become a folder of pages, byte for byte the same for the same runs."""

import shutil
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from supportagentbench import __version__
from supportagentbench.board import Board
from supportagentbench.problem import Problem
from supportagentbench.site import cases, changes, compare, desk, front, method, report, traps, viewer
from supportagentbench.site.index import CALL, index_of
from supportagentbench.site.lint import unborne
from supportagentbench.site.manifest import manifest_of
from supportagentbench.site.material import Kept, Material, Watch, gather, unwatched
from supportagentbench.site.page import Page, assets, render
from supportagentbench.site.shard import as_script, keep_in

MARK = ".supportagentbench-site"
"""Lies in every folder of pages: what carries it may be written anew."""


class Link(NamedTuple):
    """An entry of the navigation."""

    title: str
    path: str


def build(paths: Iterable[Path], out: Path, kept: Kept = "all", watch: Watch = unwatched) -> list[str]:
    """Make the pages of these runs below `out`; the files made, as paths below it."""
    draft = _draft(out)
    try:
        material = gather(paths, keep_in(draft), kept, watch)
        pages = list(_pages(material))
        _write(draft, pages, frame(material, pages), watch)
        _write_data(draft, material)
    except BaseException:
        shutil.rmtree(draft, ignore_errors=True)
        raise
    _replace(out, draft)
    return sorted(str(path.relative_to(out)) for path in out.rglob("*") if path.is_file())


def _pages(material: Material) -> Iterator[Page]:
    for part in (front, report, compare, cases, traps, viewer, desk, method, changes):
        yield from part.pages(material)
    yield Page("404.html", "404.html", {})


def frame(material: Material, pages: list[Page]) -> dict[str, Any]:
    """What every page shows around its own content."""
    made = {page.path for page in pages}
    links = [Link(title, path) for title, path in NAVIGATION if path in made]
    return {
        "nav": links,
        "assets": {name: path for name, (path, _) in assets().items()},
        "board": material.board,
        "material": material,
        "version": __version__,
        "dates": material.dates,
    }


NAVIGATION = (
    ("Board", "index.html"),
    ("Compare", "compare.html"),
    ("Cases", "cases.html"),
    ("Traps", "traps.html"),
    ("Transcripts", "viewer.html"),
    ("Your desk", "desk.html"),
    ("Method", "method.html"),
    ("Changes", "changes.html"),
)


def _write(folder: Path, pages: list[Page], shared: dict[str, Any], watch: Watch) -> None:
    tell = watch("writing pages", len(pages))
    for done, page in enumerate(pages, start=1):
        path = folder / page.path
        path.parent.mkdir(parents=True, exist_ok=True)
        text = render(page, shared)
        _check(page, text, shared["board"])
        path.write_text(text, encoding="utf-8")
        tell(done)
    for path_name, content in assets().values():
        path = folder / path_name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)


def _check(page: Page, text: str, board: Board) -> None:
    """A page that compares what no test bears out is a fault of ours, and is not shown to anybody."""
    if page.path.endswith(".html"):
        found = unborne(text, board.claims, [entry.agent for entry in board.entries])
        if found:
            raise Problem(f"says what no claim bears out: {found[0]!r}.", place=page.path)


def _write_data(folder: Path, material: Material) -> None:
    data = folder / "data"
    data.mkdir(exist_ok=True)
    (data / "index.js").write_bytes(as_script(CALL, index_of(material)))
    for path, content in front.data(material):
        (folder / path).write_bytes(content)
    (data / "manifest.json").write_bytes(manifest_of(material))


def _draft(out: Path) -> Path:
    """An empty folder beside the one to be made, so that a build that fails leaves the old pages whole."""
    if out.exists() and any(out.iterdir()) and not (out / MARK).exists():
        raise Problem("is not empty and holds no site; choose another folder with --out.", place=out)
    draft = out.with_name(f"{out.name}.draft")
    shutil.rmtree(draft, ignore_errors=True)
    draft.mkdir(parents=True)
    (draft / MARK).touch()
    return draft


def _replace(out: Path, draft: Path) -> None:
    shutil.rmtree(out, ignore_errors=True)
    draft.rename(out)
