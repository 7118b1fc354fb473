"""Every number on every page opens exactly the conversations that it counts."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

from board_pages import days_of, rows_of, sheets_of, slugs_of
from boards import planted
from number_links import NumberLink, number_links, wrong_links, wrong_totals
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation import recommend
from supportagentbench.board.standings import make_board
from supportagentbench.site.build import counted_habits, frame, write_pages
from supportagentbench.site.data.bundle import as_script
from supportagentbench.site.data.comparisons import Comparisons
from supportagentbench.site.data.index import CALL, index_of
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages import board, cases, compare, desk, method, reader, report, traps

FULL_BOARD = 24


@pytest.fixture(scope="module")
def full_board(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The pages of 24 planted agents, two runs each, without their conversations."""
    runs = [
        planted(
            f"wild/bird-{at}",
            run,
            over=(7 * at + run) % 40,
            unsafe=(5 * at + run) % 9,
            missed=(3 * at) % 7,
            unresolved=(11 * at + run) % 60,
            unserved=at % 5,
            cost=0.001 * (at + 1),
        )
        for at in range(FULL_BOARD)
        for run in (1, 2)
    ]
    found = make_board(runs)
    data = SiteData(
        board=found,
        runs=runs,
        rows=rows_of(runs),
        cases=sheets_of(runs),
        excerpts=[],
        slugs=slugs_of(found),
        kept="none",
        days=days_of(found),
        recommendation=recommend(found, LIMITS),
    )
    return written(data, tmp_path_factory.mktemp("full"))


def written(data: SiteData, folder: Path) -> Path:
    """The pages that have numbers, as a build writes them."""
    comparisons = Comparisons(data.board, data.runs)
    pages = [*board.pages(data, lambda cite: None), *report.pages(data, None, lambda cite: None)]
    pages += [*compare.pages(data, comparisons)]
    pages += [page for part in (cases, traps, reader, desk) for page in part.pages(data)]
    pages += method.pages(data, lambda cite: None)
    write_pages(folder, pages, frame(data, pages))
    index = ("data/index.js", as_script(CALL, index_of(data, counted_habits(data))))
    for path, content in (index, *board.files(data), *compare.files(data, comparisons)):
        (folder / path).parent.mkdir(parents=True, exist_ok=True)
        (folder / path).write_bytes(content)
    return folder


def followed(links: list[NumberLink], page: Page, site: Path) -> int:
    """How many numbers were followed; none may list other conversations than it counts."""
    assert wrong_links(links, page, site) == []
    assert wrong_totals(links, page, site) == []
    numbers = sum(link.is_number for link in links)
    print(f"{numbers:,} numbers of {site.name} followed")
    return numbers


def test_numbers_of_the_cast_and_the_dummies(demo_site: Path, browser_page: Page) -> None:
    links = number_links(demo_site)
    assert followed(links, browser_page, demo_site) > 1_500
    pages = {link.page.partition("/")[0] for link in links}
    assert pages >= {"index.html", "agents", "traps.html", "cases", "method.html", "desk.html", "data"}


def test_numbers_of_a_full_board(full_board: Path, browser_page: Page) -> None:
    assert followed(number_links(full_board), browser_page, full_board) > 1_500


def test_numbers_of_replays(fork_site: Path, browser_page: Page) -> None:
    links = number_links(fork_site)
    assert followed(links, browser_page, fork_site) > 100
    assert any(link.reader == "replays.html" and link.is_number for link in links)


def test_a_wrong_number_is_noticed(demo_site: Path, browser_page: Page) -> None:
    links = [one for one in number_links(demo_site) if one.page == "index.html" and one.is_number]
    turned = [one._replace(state=(("outcome", "resolved"),)) for one in links]
    assert len(wrong_links(turned, browser_page, demo_site)) > len(links) / 2
    bare = [one._replace(says=("37%",)) for one in links]
    assert len(wrong_links(bare, browser_page, demo_site)) == len(bare)


@pytest.mark.parametrize(
    ("place", "selector"),
    [
        ("index.html", "#board a[href*='counted=unsafe']"),
        ("traps.html", "tbody td.total a[href*='counted=unsafe']"),
        ("agents/chatty.html", ".wrong a[href*='habit=']"),
    ],
)
def test_a_click_lists_as_many(
    demo_site: Path, open_page: Callable[..., Page], place: str, selector: str
) -> None:
    page = open_page((demo_site / place).as_uri())
    link = page.locator(selector).first
    said = link.get_attribute("aria-label") or link.inner_text()
    [count] = {int(one) for one in re.findall(r"(\d+)(?: of |/)\d|\ball (\d+)", said)[0] if one}
    link.evaluate("(one) => one.closest('details') && (one.closest('details').open = true)")
    link.click()
    page.wait_for_selector("#list li")
    assert page.locator("#found").inner_text().startswith(f"{count} of ")
    assert page.locator("#list li:not(.none)").count() == count
