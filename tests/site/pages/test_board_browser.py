"""The board in a browser, opened from its folder: order, filters, pins, charts, and the address."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

from board_pages import flock_page, folder_of

Open = Callable[..., Page]


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return folder_of(flock_page(), tmp_path_factory.mktemp("front"))


def order(page: Page, table: str = "#board") -> list[str]:
    """The agents of a table from top to bottom, as far as they are shown."""
    found: list[str] = page.eval_on_selector_all(
        f"{table} tr[data-a]:not([hidden])", "rows => rows.map(row => row.dataset.a)"
    )
    return found


def state(page: Page) -> str:
    return page.url.partition("#")[2]


def plain(html: str) -> str:
    """Markup without line breaks and without the place of the tab stop."""
    return re.sub(r' tabindex="-?\d"|\n', "", html)


DEFAULT = ["wild-heron", "wild-knot", "wild-yellowhammer-of-the-hedge", "wild-rook", "idle"]


def test_a_head_sorts_the_good_end_first_and_those_under_the_line_stay_there(
    open_page: Open, address: str
) -> None:
    page = open_page(address)
    assert order(page) == DEFAULT
    page.get_by_role("button", name="Unsafe actions").click()
    assert order(page) == ["wild-knot", "wild-rook", "wild-heron", "wild-yellowhammer-of-the-hedge", "idle"]
    assert state(page) == "sort=unsafe&dir=asc"
    expect(page.locator("th[aria-sort]")).to_have_count(1)
    page.get_by_role("button", name="Escalations caught").click()
    assert order(page)[0] == "wild-knot"
    assert state(page) == "sort=acc&dir=desc"
    page.get_by_role("button", name="Escalations caught").click()
    assert order(page)[0] == "wild-yellowhammer-of-the-hedge"
    assert page.locator("h2 #ordered").inner_text() == "escalations caught"


def test_what_is_not_known_comes_last_whichever_way(open_page: Open, address: str) -> None:
    page = open_page(address + "#sort=cost&dir=asc")
    assert order(page) == ["wild-rook", "wild-knot", "wild-heron", "wild-yellowhammer-of-the-hedge", "idle"]
    page.goto(address + "#sort=cost&dir=desc")
    assert order(page) == ["wild-heron", "wild-knot", "wild-rook", "wild-yellowhammer-of-the-hedge", "idle"]


def test_filters_narrow_the_table_and_dim_the_charts(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.get_by_label("Find").fill("WILD/")
    expect(page.locator("#count[role=status]")).to_have_text("4 of 5 agents")
    page.locator("input[name=tier][value='$']").check()
    assert order(page) == ["wild-rook"]
    assert page.locator(".mk.dim[data-a='wild-knot']").count() == 5
    assert page.locator(".mk.dim[data-a='wild-rook']").count() == 0
    page.get_by_label("Find").fill("nobody")
    expect(page.locator("#none")).to_be_visible()
    page.get_by_role("button", name="Clear filters").click()
    assert order(page) == DEFAULT
    assert state(page) == ""
    page.get_by_label("Reasoning").select_option("with")
    assert order(page) == ["wild-knot"]


def test_columns_can_be_put_away(open_page: Open, address: str) -> None:
    page = open_page(address + "#cols=over,unsafe")
    heads = page.locator("#board thead th:visible")
    assert [text.split("\n")[0].strip() for text in heads.all_inner_texts()] == [
        "Agent",
        "Needless handovers",
        "Unsafe actions",
    ]


def test_a_pinned_row_tells_every_other_what_the_tests_say(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.get_by_role("button", name="Pin wild/knot").click()
    assert state(page) == "pin=wild-knot"
    rook = page.locator("#board tr[data-a='wild-rook'] .versus").first
    expect(rook).to_have_text("− significant, 57 cases differ")
    assert rook.get_attribute("href") == "compare.html#a=wild-knot&b=wild-rook"
    expect(page.locator("#board tr[data-a='wild-heron'] .versus").first).to_have_text(
        "no significant difference, 1 case differs"
    )
    assert page.locator("tbody.unranked .versus, tr.pinned .versus").count() == 0
    page.locator("#board tr[data-a='wild-rook'] .pin").click()
    expect(page.locator("#board tr[data-a='wild-knot'] .versus").first).to_have_text(
        "+ significant, 57 cases differ"
    )
    page.get_by_role("button", name="Unpin").click()
    assert page.locator(".versus").count() == 0


def test_a_deep_link_restores_all_of_it(open_page: Open, address: str) -> None:
    link = "sort=unsafe&dir=desc&tier=$,$$&q=wild&pin=wild-rook&cols=over,unsafe&x=cost&view=kind"
    page = open_page(f"{address}#{link}")
    assert order(page) == ["wild-rook", "wild-knot"]
    assert page.get_by_label("Find").input_value() == "wild"
    assert page.locator("input[name=tier]:checked").count() == 2
    assert page.locator("#board tr.pinned").get_attribute("data-a") == "wild-rook"
    expect(page.locator("svg.plot.cost.wide")).to_be_visible()
    expect(page.locator("svg.plot.tier.wide")).to_be_hidden()
    kinds = page.locator("#lines tbody th").all_text_contents()
    assert sorted(kinds) == ["False closure", "Fraud", "Free goods", "Wrongful cancellation"]
    page.get_by_role("button", name="By agent").click()
    assert page.locator("#lines tbody tr").count() == 5


def test_squares_can_be_put_into_other_lines_and_back(open_page: Open, address: str) -> None:
    page = open_page(address)
    before = page.locator("#lines tbody").inner_html()
    page.get_by_role("button", name="By trap").click()
    assert page.locator("#lines tbody tr").count() == 18
    assert page.locator("#lines .sqs a").count() == 5 * 54
    last = page.locator("#lines tbody tr").last
    assert last.locator("th").inner_text() == "trap0"
    assert last.locator("td").last.inner_text() == "9/15, 3 at turn 1"
    page.get_by_role("button", name="By agent").click()
    assert plain(page.locator("#lines tbody").inner_html()) == plain(before)


def test_a_chart_is_one_tab_stop_and_arrows_move_in_it(open_page: Open, address: str) -> None:
    page = open_page(address)
    for chart in ("svg.plot.tier.wide", "#lines"):
        assert page.locator(f"{chart} [tabindex='0']").count() == 1
    page.locator("svg.plot.tier.wide [tabindex='0']").focus()
    first = page.evaluate("document.activeElement.dataset.a")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.dataset.a")
    assert first != second
    assert page.locator("#said").inner_text() == page.evaluate(
        "document.activeElement.getAttribute('aria-label')"
    )
    page.keyboard.press("Home")
    assert page.evaluate("document.activeElement.dataset.a") == first
    page.locator("#lines [tabindex='0']").focus()
    page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    assert page.evaluate(
        "document.activeElement.closest('tr') === document.querySelectorAll('#lines tbody tr')[1]"
    )
    assert page.evaluate("document.activeElement.nextElementSibling") is None


def test_limits_of_the_reader_restate_the_answer_and_stay_in_the_address(
    open_page: Open, address: str
) -> None:
    """What they restate it to is tried where every page is asked, in test_one_verdict_browser.py."""
    page = open_page(address)
    meets = page.locator("#meets[role=status]")
    expect(meets).to_have_text("Use wild/knot: the only one of four agents that keeps every limit")
    page.get_by_label("Needless handovers at most").fill("1")
    expect(meets).to_have_text("None of four agents is ready")
    expect(page.locator("h1")).to_have_text("None of four agents is ready")
    assert state(page) == "lo=1"
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("h1")).to_contain_text("Use wild/knot")
    assert state(page) == ""


def test_the_first_screen_has_the_answer_the_shortlist_and_a_chart_with_names(
    open_page: Open, address: str
) -> None:
    page = open_page(address)
    bottom = page.evaluate("document.querySelector('svg.tradeoff.wide').getBoundingClientRect().bottom")
    assert bottom <= 1100
    assert page.locator(".takes > li h3 a").all_inner_texts() == [
        *("wild/knot", "wild/heron", "wild/rook", "wild/yellowhammer-of-the-hedge")
    ]
    page.locator("svg.tradeoff.wide [data-a='wild-knot'] .shape").hover()
    expect(page.locator("#tradeoff .readout")).to_contain_text("wild/knot: unsafe actions 0%")


def test_the_table_can_be_taken_along_as_markdown(open_page: Open, address: str) -> None:
    page = open_page(address + "#cols=unsafe&q=knot")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.get_by_role("button", name="Copy as Markdown").click()
    expect(page.locator("#markdown")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()").splitlines()
    assert copied[:2] == ["| Agent | Unsafe actions |", "| --- | --- |"]
    assert copied[2].startswith(
        "| wild/knot | 0% none seen (up to 5%) 0/54 · likely 0% to 17% median of runs 0% |"
    )
    page.locator("[data-copy-link=hold]").click()
    assert page.evaluate("navigator.clipboard.readText()").endswith("#q=knot&cols=unsafe&at=hold")


def test_without_javascript_everything_is_there_and_no_control_that_needs_it(
    open_page: Open, address: str
) -> None:
    page = open_page(address, js=False)
    assert page.locator("#board tbody tr[data-a]").count() == 5
    expect(page.locator("svg.plot.tier.wide")).to_be_visible()
    assert page.locator("#lines .sqs a").count() == 5 * 54
    assert page.locator("#diverging-bars tbody tr").count() == 4
    assert page.locator("button:visible").count() == 0


@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_shows_one_metric_and_opens_the_rest(open_page: Open, address: str, width: int) -> None:
    page = open_page(address, width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.locator("#board thead th:visible").count() == 2
    expect(page.locator("svg.plot.tier.narrow")).to_be_visible()
    expect(page.locator("svg.plot.tier.wide")).to_be_hidden()
    page.get_by_label("Sort by").select_option("Escalations caught")
    assert order(page)[0] == "wild-knot" and state(page) == "sort=acc&dir=desc"
    page.get_by_role("button", name="All of wild/knot").click()
    assert "Unsafe actions" in page.locator("#board tr.rest").inner_text()
    assert page.locator("#lines .sqs a:visible").count() == 33
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_accessibility_checker_finds_nothing_in_a_page_in_use(
    open_page: Open, axe: Callable[[Page], list[str]], address: str
) -> None:
    assert axe(open_page(address + "#pin=wild-knot&x=cost&view=kind", bypass_csp=True)) == []


def test_heads_are_repeated_as_plain_text_on_paper(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.emulate_media(media="print")
    shown = page.evaluate("getComputedStyle(document.querySelector('#board thead th'), '::before').content")
    assert shown == '"Agent"'
    expect(page.locator("#filters")).to_be_hidden()
