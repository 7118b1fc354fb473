"""Tables that sort and filter, pairs that open from a link: used as a reader does, from a folder."""

import re
import shutil
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from supportagentbench.site.pages.page import HERE

Visit = Callable[..., Page]


def shown(page: Page, table: str = "cases") -> list[str]:
    """The heads of the rows that can be seen, in order."""
    return page.locator(f"#{table} tbody tr:visible th").all_inner_texts()


def sorted_heads(page: Page) -> list[str]:
    return page.locator("th[aria-sort]").all_inner_texts()


def test_a_head_sorts_one_way_then_the_other_then_not_at_all(visit: Visit) -> None:
    page = visit("cases.html")
    before = shown(page)
    head = page.locator("th[data-key=case] button")
    head.click()
    assert shown(page) == sorted(before)
    assert sorted_heads(page) == ["Case"]
    head.click()
    assert shown(page) == sorted(before, reverse=True)
    assert page.url.endswith("#sort=case&dir=descending")
    head.click()
    assert shown(page) == before
    assert sorted_heads(page) == []


TABLE = """<!doctype html><meta charset="utf-8"><title>t</title>
<table id="t"><thead><tr><th data-key="n">n</th></tr></thead>
<tbody><tr><td>10</td></tr><tr><td>–</td></tr><tr><td data-value="9">nine</td></tr><tr><td>2</td></tr></tbody>
</table><script src="site.js"></script><script src="table.js"></script>"""


@pytest.mark.parametrize(
    ("state", "order"),
    [("n", ["2", "nine", "10", "–"]), ("n&dir=descending", ["10", "nine", "2", "–"])],
)
def test_numbers_sort_as_numbers_and_what_is_missing_stands_last(
    open_page: Callable[..., Page], tmp_path: Path, state: str, order: list[str]
) -> None:
    for script in ("site.js", "table.js"):
        shutil.copy(HERE / "static" / script, tmp_path)
    (tmp_path / "t.html").write_text(TABLE, encoding="utf-8")
    page = open_page((tmp_path / "t.html").as_uri() + f"#sort={state}")
    assert page.locator("#t tbody tr:visible").all_inner_texts() == order


def test_filters_hide_rows_count_them_and_stand_in_the_address(visit: Visit) -> None:
    page = visit("cases.html")
    page.get_by_label("Bucket").select_option("adversarial")
    expect(page.get_by_role("status")).to_have_text("18 of 180")
    page.get_by_label("Search").fill("reroute")
    expect(page.get_by_role("status")).to_have_text("3 of 180")
    assert page.url.endswith("#bucket=adversarial&q=reroute") or page.url.endswith(
        "#q=reroute&bucket=adversarial"
    )


def test_a_deep_link_restores_sort_and_filters(visit: Visit) -> None:
    page = visit("cases.html#set=twin&q=cancel&sort=case&dir=descending")
    assert len(shown(page)) == 2 and all("honest twin" in name for name in shown(page))
    assert shown(page) == sorted(shown(page), reverse=True)
    assert page.get_by_label("Search").input_value() == "cancel"
    assert page.locator("select[name=set]").input_value() == "twin"


def test_coming_back_finds_the_table_as_it_was_left(visit: Visit) -> None:
    page = visit("cases.html")
    page.get_by_label("Search").fill("vip")
    page.locator('#cases a[href$="cases/vip_skip-1.html"]').first.click()
    expect(page.locator("h1")).to_have_text("VIP wants the photo waived, 1")
    page.go_back()
    expect(page.get_by_role("status")).to_have_text("2 of 180")


def test_where_nothing_matches_the_filters_can_be_cleared(visit: Visit) -> None:
    page = visit("cases.html#q=zebra")
    assert "Nothing matches." in page.locator("#cases").inner_text()
    page.get_by_role("button", name="Clear filters").click()
    expect(page.get_by_role("status")).to_have_text("180 of 180")
    assert page.evaluate("document.activeElement.name") == "q"


def test_the_skip_link_leaves_the_table_alone(visit: Visit) -> None:
    page = visit("cases.html#bucket=must_escalate")
    page.evaluate("location.hash = 'main'")
    expect(page.get_by_role("status")).to_have_text("24 of 180")


def test_a_kind_of_trap_can_be_chosen_by_its_card_and_left_with_the_back_button(visit: Visit) -> None:
    page = visit("traps.html")
    page.get_by_role("link", name="3 traps").first.click()
    expect(page.get_by_role("status")).to_have_text("3 of 18")
    assert all("New address" in name for name in shown(page, "traps"))
    page.go_back()
    expect(page.get_by_role("status")).to_have_text("18 of 18")


def test_a_cell_of_the_heat_map_leads_to_its_conversation(visit: Visit) -> None:
    page = visit("traps.html")
    row = page.get_by_role("row", name=re.compile("^Damage without a photo"))
    link = row.locator("td.much a")
    state = (link.get_attribute("href") or "").removeprefix("reader.html#").split("&")
    assert {"counted=unsafe", "trap=damaged_no_proof", "case=damaged_no_proof-1", "a=complies"} <= {*state}


def test_every_mark_of_a_case_opens_its_own_run(visit: Visit) -> None:
    page = visit("cases/damaged_no_proof-1.html")
    marks = page.get_by_role("row", name=re.compile("^complies")).locator("a.mark")
    assert marks.count() == 3
    assert marks.nth(1).get_attribute("aria-label") == "run 2: unsafe action"
    marks.nth(1).click()
    page.wait_for_url(re.compile(r"reader\.html#case=damaged_no_proof-1&a=complies&run=2"))


@pytest.mark.parametrize("page", ["cases.html", "traps.html", "cases/vip_skip-1.html", "changes.html"])
def test_without_scripts_all_is_there_and_nothing_that_does_nothing(visit: Visit, page: str) -> None:
    opened = visit(page, js=False)
    assert opened.locator("main button:visible, main select:visible, main input:visible").count() == 0
    if page != "changes.html":
        assert opened.locator("main tbody tr:visible").count() > 3


def test_two_entries_open_from_a_link(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    expect(page.locator("h1")).to_have_text("Use Oracle, not Complies")
    assert page.title().startswith("Use Oracle, not Complies")
    row = page.get_by_role("row", name=re.compile("^Unsafe actions"))
    assert "clear difference" in row.inner_text()
    assert "−" in row.locator(".apart").inner_text()
    places = row.locator(".bells").evaluate("one => [...one.querySelectorAll('b')].map((b) => b.offsetLeft)")
    assert places[0] < places[1]
    open_from(visit("compare.html#a=complies&b=oracle"))


def open_from(page: Page) -> None:
    """Which of two to use is the same whichever comes first."""
    expect(page.locator("h1")).to_have_text("Use Oracle, not Complies")
    expect(page.locator(".takes .name").first).to_have_text("Complies")


def test_the_answer_comes_first_then_the_measures_then_the_tickets(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    page.wait_for_selector("#tickets")
    said = page.locator("#answer").inner_text()
    assert said.startswith("Use Oracle, not Complies: Complies missed 18 of 18 people in danger.")
    heads = page.locator("#result h2").all_inner_texts()
    assert re.match(r"The tests tell them apart on \d of \d+ measures", heads[0])
    assert re.match(r"\d+ tickets that one passes", heads[1])
    assert "too few case types to tell" in page.locator(".dumbbells").inner_text()


def test_without_a_script_the_first_pair_is_the_one_that_the_script_draws(visit: Visit) -> None:
    drawn = []
    for js in (True, False):
        page = visit("compare.html", js=js)
        page.wait_for_selector("#tickets" if js else ".tickets")
        drawn.append(
            page.locator(
                "h1, #answer, .takes li > *, .dumbbells td, .tickets td, #result h2"
            ).all_text_contents()
        )
    assert [" ".join(text.split()) for text in drawn[0]] == [" ".join(text.split()) for text in drawn[1]]


def test_swapping_turns_every_difference_round(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    cell = page.get_by_role("row", name=re.compile("^Resolution")).locator(".apart .sub")
    before = cell.inner_text().replace(" points", "").split(", likely ")
    page.get_by_role("button", name="Swap").click()
    expect(page.locator(".takes .name").first).to_have_text("Complies")
    after = cell.inner_text().replace(" points", "").split(", likely ")
    low, high = before[1].split(" to ")
    assert before[0] == after[0].replace("−", "+")
    assert after[1].replace("−", "") == f"{high} to {low}".replace("+", "")
    page.go_back()
    expect(page.locator(".takes .name").first).to_have_text("Oracle")


def test_the_number_of_tickets_that_differ_opens_them(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    link = page.get_by_role("row", name=re.compile("^Unsafe actions")).locator(".tally a")
    count = int(link.inner_text().split(" of ")[0])
    link.click()
    expect(page.get_by_label("Tickets in which")).to_have_value("unsafe")
    rows = page.locator("#result .tickets tbody tr")
    assert rows.count() == count
    href = rows.first.locator("a").last.get_attribute("href") or ""
    assert re.fullmatch(r"reader\.html#case=[a-z_]+-1&a=oracle&b=complies&run=1", href)


def test_which_tickets_are_shown_can_be_chosen(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    page.get_by_label("Tickets in which").select_option("right")
    expect(page.get_by_label("Tickets in which")).to_have_value("right")
    assert page.url.endswith("&show=right")
    marks = page.locator("#result .tickets a.mark").all_inner_texts()
    assert marks.count("●") * 2 > len(marks)


def test_an_entry_beside_itself_shows_its_runs(visit: Visit) -> None:
    page = visit("compare.html#a=complies&b=complies")
    expect(page.locator("h1")).to_have_text("Complies, run by run")
    expect(page.locator("#result th").first).to_have_text("Measure")
    assert page.locator("#result thead").first.locator("th").all_inner_texts()[:3] == [
        "Measure",
        "Run 1",
        "Run 2",
    ]


def test_a_pair_is_chosen_with_the_pickers_and_undone_with_the_back_button(visit: Visit) -> None:
    page = visit("compare.html")
    page.wait_for_selector("#tickets")
    first = page.locator("h1").inner_text()
    page.get_by_label("A", exact=True).select_option("hands-over")
    page.get_by_label("B", exact=True).select_option("complies")
    expect(page.locator("h1")).to_have_text(re.compile("Use neither"))
    page.go_back()
    page.go_back()
    expect(page.locator("h1")).to_have_text(first)


def test_an_entry_that_is_not_there_is_said_to_be_missing(visit: Visit) -> None:
    page = visit("compare.html#a=nobody&b=oracle")
    expect(page.locator("#said")).to_have_text("No agent has that name. Choose one from the list.")


def test_no_violation_beside_itself(visit: Visit, axe: Callable[[Page], list[str]]) -> None:
    page = visit("compare.html#a=complies&b=complies", bypass_csp=True)
    expect(page.locator("#result h2").first).to_have_text("Every measure, run by run")
    assert axe(page) == []
