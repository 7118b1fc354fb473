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
    expect(page.locator("#result h2")).to_have_text("oracle or complies?")
    assert page.title().startswith("oracle and complies")
    row = page.get_by_role("row", name=re.compile("^Unsafe actions"))
    assert "significant" in row.inner_text()
    assert "−" in row.locator("td").nth(2).inner_text()
    counts = [
        int(text.split(" of ")[0]) for text in page.locator("#result > ul:not(.lead) a").all_inner_texts()
    ]
    said = re.search(r"on the (\d+) headline cases", page.locator("#result").inner_text())
    assert said and sum(counts) == int(said[1]) > 150
    assert page.locator("#start").is_hidden()


def test_the_answer_comes_first_then_the_cases_then_the_metrics(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    said = page.locator("#answer").inner_text()
    assert said.startswith("Use oracle, not complies: complies missed 18 of 18 people in danger.")
    text = page.locator("#result").inner_text()
    assert text.index("Use oracle") < text.index("Where their outcomes differ") < text.index("Every metric")
    assert re.search("Too few case types to compare: .*escalation", text)
    page.get_by_role("button", name="Swap").click()
    expect(page.locator("#result h2")).to_have_text("complies or oracle?")
    assert page.locator("#answer").inner_text() == said


def test_swapping_turns_every_difference_round(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    row = page.get_by_role("row", name=re.compile("^Resolution"))
    before = row.locator("td").nth(2).inner_text().split("\n")
    page.get_by_role("button", name="Swap").click()
    expect(page.locator("#result h2")).to_have_text("complies or oracle?")
    after = row.locator("td").nth(2).inner_text().split("\n")
    low, high = before[1].split(" to ")
    assert before[0] == after[0].replace("−", "+")
    assert after[1].replace("−", "") == f"{high} to {low}".replace("+", "")
    page.go_back()
    expect(page.locator("#result h2")).to_have_text("oracle or complies?")


def test_the_number_of_cases_that_differ_opens_them(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    link = page.get_by_role("row", name=re.compile("^Unsafe actions")).get_by_role("link").last
    count = int(link.inner_text().split(" of ")[0])
    link.click()
    expect(page.get_by_label("Cases in which")).to_have_value("unsafe")
    rows = page.locator("#result h4 + .scroll tbody tr")
    assert rows.count() == count
    href = rows.first.locator("a").last.get_attribute("href") or ""
    assert re.fullmatch(r"reader\.html#case=[a-z_]+-1&a=oracle&b=complies&run=1", href)


def test_which_cases_are_shown_can_be_chosen(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    page.get_by_label("Cases in which").select_option("right")
    expect(page.get_by_label("Cases in which")).to_have_value("right")
    assert page.url.endswith("&show=right")
    marks = page.locator("#result h4 + .scroll a.mark").all_inner_texts()
    assert marks.count("●") * 2 > len(marks)


def test_an_entry_beside_itself_shows_its_runs(visit: Visit) -> None:
    page = visit("compare.html#a=complies&b=complies")
    expect(page.locator("#result h2")).to_have_text("complies, run by run")
    heads = page.locator("#result thead").first.inner_text().split("\t")
    assert [head.strip() for head in heads][:4] == ["Metric", "Run 1", "Run 2", "Run 3"]


def test_a_pair_is_chosen_with_the_pickers_and_undone_with_the_back_button(visit: Visit) -> None:
    page = visit("compare.html")
    page.get_by_label("A", exact=True).select_option("oracle")
    page.get_by_label("B", exact=True).select_option("hands-over")
    expect(page.locator("#result h2")).to_have_text("oracle or hands-over?")
    page.go_back()
    page.go_back()
    expect(page.locator("#result")).to_be_hidden()
    expect(page.locator("#start")).to_be_visible()


def test_an_entry_that_is_not_there_is_said_to_be_missing(visit: Visit) -> None:
    page = visit("compare.html#a=nobody&b=oracle")
    expect(page.get_by_role("status")).to_have_text("No agent has that name. Choose one from the list.")


def test_no_violation_beside_itself(visit: Visit, axe: Callable[[Page], list[str]]) -> None:
    page = visit("compare.html#a=complies&b=complies", bypass_csp=True)
    expect(page.locator("#result h2")).to_be_visible()
    assert axe(page) == []
