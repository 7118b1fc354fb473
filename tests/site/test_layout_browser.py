"""No text is cut off or covers another, nothing scrolls sideways, and a page has five sizes of type.

Measured in a browser on every kind of page, for boards of every size, on screens and on paper.
"""

from collections.abc import Callable, Iterator, Mapping
from functools import cache
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from layout_boards import PlantedAgent, flock, site_data, written
from layouts import LOOKS, complaints

ALL = (
    *("index.html", "desk.html", "traps.html", "cases.html", "reader.html", "method.html", "compare.html"),
    *("agents/*", "cases/damaged_no_proof-1.html"),
)
BY_AGENT = (
    "index.html",
    "desk.html",
    "traps.html",
    "compare.html",
    "agents/*",
    "cases/damaged_no_proof-1.html",
)

LONG = ("a-name-of-sixty-characters-which-is-as-long-as-names-get-{:03}", "unbroken" * 7 + "w{:03}")

EXTREMES = (
    PlantedAgent("all-wrong", 1, 1, 1, 1, 1.0),
    PlantedAgent("all-right", cost=0.0),
    PlantedAgent("all-traps", unsafe=1, cost=None),
    PlantedAgent("all-handed-over", over=1),
)

PLANTED: Mapping[str, tuple[tuple[PlantedAgent, ...], tuple[str, ...]]] = {
    "one agent": (flock(1), ("board.html", *BY_AGENT[1:])),
    "two agents": (flock(2), BY_AGENT),
    "24 agents": (flock(24), BY_AGENT),
    "40 agents": (flock(40), ALL),
    "long names": (tuple(agent for name in LONG for agent in flock(3, name)), ALL),
    "0% and 100%": (EXTREMES, BY_AGENT),
}
"""Boards, each with the pages that are looked at."""

PLACES = [
    *(("demo", page) for page in ALL),
    *((board, page) for board, (_, pages) in PLANTED.items() for page in pages),
]


@pytest.fixture(scope="module")
def page_of(demo_site: Path, tmp_path_factory: pytest.TempPathFactory) -> Callable[[str, str], Path]:
    """The file of a page of a board; boards are written when first asked for."""

    @cache
    def pages(board: str) -> Mapping[str, Path]:
        if board == "demo":
            return {name: next(demo_site.glob(name.replace("*", "*.html"))) for name in ALL}
        agents, wanted = PLANTED[board]
        return written(site_data(agents), tmp_path_factory.mktemp("layout"), wanted)

    return lambda board, page: pages(board)[page]


@pytest.fixture(scope="module")
def looked_at(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


@pytest.mark.parametrize(("board", "page"), PLACES, ids=[f"{board}: {page}" for board, page in PLACES])
def test_layout(board: str, page: str, page_of: Callable[[str, str], Path], looked_at: Page) -> None:
    looked_at.goto(page_of(board, page).as_uri())
    found = {name: said for name, look in LOOKS.items() if (said := complaints(looked_at, look))}
    assert not found, "\n".join(f"{name}: {one}" for name, said in found.items() for one in said)


HEAD = """<!doctype html><meta charset="utf-8"><title>t</title>
<style>:root { --t1: 2.5rem; --t2: 1.375rem; --t3: 1.0625rem; --t4: .9375rem; --t5: .8125rem; }
body { margin: 0; font: 15px sans-serif; }
.unseen { position: absolute; width: 1px; height: 1px; overflow: hidden; clip-path: inset(50%); }
</style>"""


@pytest.mark.parametrize(
    ("body", "said"),
    [
        ("<p>Plain <b>words</b> in a <a href='#'>line</a>.", ""),
        ("<p class=unseen>Nobody sees this.<p>Somebody sees this.", ""),
        ("<details><summary>Folded</summary><p style='position:absolute;top:0'>Not seen.</details>", ""),
        ("<p style='margin:0'>One<p style='margin:-20px 0 0;visibility:hidden'>Two", ""),
        ("<svg width=100 height=20><title>No</title><text y=15 font-size=15>Drawn</text></svg>", ""),
        ("<p style='width:40px;overflow:hidden;white-space:nowrap'>Far too long", "1 texts cut off"),
        ("<p style='height:9px;overflow:clip'>Too high", "1 texts cut off"),
        ("<div style='overflow:hidden;width:50px'><p><b style='margin-left:40px'>Deep", "1 texts cut off"),
        ("<input style='width:40px' value='more than fits'>", "1 texts cut off"),
        ("<p style='margin-left:-9px'>Left", "1 texts outside the page"),
        ("<p style='margin:0'>One word<p style='margin:-9px 0 0'>Another", "1 overlapping texts"),
        (
            "<svg width=99 height=30><text y=15>Drawn</text></svg><p style='margin-top:-30px'>Words",
            "overlapping",
        ),
        ("<p><span>One</span><span style='margin-left:-9px'>Two</span>", "1 overlapping texts"),
        ("<p style='width:3000px'>Wide", "scrolls sideways: 3000 of 1440"),
        ("<div style='overflow-x:auto'><p style='width:3000px'>Wide", "1 boxes that scroll sideways"),
        ("".join(f"<p style='font-size:{size}px'>{size}" for size in range(10, 16)), "6 sizes of type"),
        (
            "<svg width=50 height=20 viewBox='0 0 100 40'><text y=30 font-size=15>7.5</text></svg>",
            "1 drawn texts",
        ),
    ],
)
def test_what_is_measured_is_what_a_reader_sees(body: str, said: str, looked_at: Page) -> None:
    looked_at.goto("about:blank")
    looked_at.set_content(HEAD + body)
    found = complaints(looked_at, LOOKS["1440"])
    assert [one for one in found if said and said in one] if said else not found, found
