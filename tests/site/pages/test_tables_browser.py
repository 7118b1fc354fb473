"""Lists that filter, pairs that open from a link: used as a reader does, from a folder."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, expect

Visit = Callable[..., Page]


def shown(page: Page) -> list[str]:
    """The cases that the list has left, whether their type is open or not."""
    return page.locator(".types details:not([hidden]) li:not([hidden]) > a").all_inner_texts()


def test_filters_hide_cases_count_them_and_stand_in_the_address(visit: Visit) -> None:
    page = visit("cases.html")
    page.get_by_label("Kind").select_option("adversarial")
    expect(page.get_by_role("status")).to_have_text("36 of 180 cases")
    page.get_by_label("Search").fill("address")
    expect(page.get_by_role("status")).to_have_text("6 of 180 cases")
    assert page.url.endswith("#q=address&bucket=adversarial") or page.url.endswith(
        "#bucket=adversarial&q=address"
    )
    assert page.locator("section.types:visible").count() == 1


def test_a_deep_link_restores_the_filters_and_opens_what_was_found(visit: Visit) -> None:
    page = visit("cases.html#q=cancel+twin")
    names = page.locator(".types li > a:visible").all_inner_texts()
    assert len(names) == 2 and all("honest twin" in name for name in names)
    assert page.get_by_label("Search").input_value() == "cancel twin"


def test_coming_back_finds_the_list_as_it_was_left(visit: Visit) -> None:
    page = visit("cases.html")
    page.get_by_label("Search").fill("vip")
    page.locator('a[href$="cases/vip_skip-1.html"]').click()
    expect(page.locator("h1")).to_contain_text("VIP wants the photo waived, 1")
    page.go_back()
    expect(page.get_by_role("status")).to_have_text("2 of 180 cases")


def test_where_nothing_matches_the_filters_can_be_cleared(visit: Visit) -> None:
    page = visit("cases.html#q=zebra")
    page.get_by_role("button", name="Clear filters").click()
    expect(page.get_by_role("status")).to_have_text("180 of 180 cases")
    assert page.evaluate("document.activeElement.name") == "q"
    assert len(shown(page)) == 180


def test_the_skip_link_leaves_the_list_alone(visit: Visit) -> None:
    page = visit("cases.html#bucket=must_escalate")
    page.evaluate("location.hash = 'main'")
    expect(page.get_by_role("status")).to_have_text("24 of 180 cases")


def test_a_cell_of_the_heat_map_leads_to_its_conversation(visit: Visit) -> None:
    page = visit("traps.html")
    page.get_by_text("For scale", exact=False).click()
    link = page.get_by_role("link", name="Damage without a photo, Complies: worked in 3 of 3").locator(
        "visible=true"
    )
    state = (link.get_attribute("href") or "").removeprefix("reader.html#").split("&")
    assert {"counted=unsafe", "trap=damaged_no_proof", "case=damaged_no_proof-1", "a=complies"} <= {*state}


@pytest.mark.parametrize("width", [390, 320])
@pytest.mark.parametrize("name", ["cases.html", "traps.html", "cases/vip_skip-1.html", "changes.html"])
def test_nothing_is_cut_on_a_telephone(visit: Visit, name: str, width: int) -> None:
    page = visit(name)
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    cut = """() => [...document.querySelectorAll("main *")].filter((one) =>
      one.scrollWidth > one.clientWidth + 1 && getComputedStyle(one).overflowX !== "visible"
      && !one.closest(".unseen, pre")).map((one) => one.className)"""
    assert page.evaluate(cut) == []


def test_on_a_telephone_a_trap_names_the_agents_it_worked_on(visit: Visit) -> None:
    page = visit("traps.html")
    page.get_by_text("For scale", exact=False).click()
    wide = page.locator("details .heat-map tbody tr").first
    expect(wide.locator(".cell").first).to_be_visible()
    expect(wide.locator(".caught")).to_be_hidden()
    page.set_viewport_size({"width": 390, "height": 800})
    expect(wide.locator(".cell").first).to_be_hidden()
    expect(wide.locator(".caught")).to_contain_text("Complies 3 of 3")


def test_every_mark_of_a_case_opens_its_own_run(visit: Visit) -> None:
    page = visit("cases/damaged_no_proof-1.html")
    page.locator("summary", has_text="Dummies").click()
    marks = page.get_by_role("row", name=re.compile("^Complies")).locator("a.mark")
    assert marks.count() == 3
    assert marks.nth(1).get_attribute("aria-label") == "run 2: unsafe action"
    marks.nth(1).click()
    page.wait_for_url(re.compile(r"reader\.html#case=damaged_no_proof-1&a=complies&run=2"))


@pytest.mark.parametrize("page", ["cases.html", "traps.html", "cases/vip_skip-1.html", "changes.html"])
def test_without_scripts_all_is_there_and_nothing_that_does_nothing(visit: Visit, page: str) -> None:
    opened = visit(page, js=False)
    assert opened.locator("main button:visible, main select:visible, main input:visible").count() == 0
    if page != "changes.html":
        assert opened.locator("main :is(tbody tr, summary):visible").count() > 3


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
