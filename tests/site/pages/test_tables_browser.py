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
@pytest.mark.parametrize("name", ["cases.html", "traps.html", "cases/vip_skip-1.html"])
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


@pytest.mark.parametrize("page", ["cases.html", "traps.html", "cases/vip_skip-1.html"])
def test_without_scripts_all_is_there_and_nothing_that_does_nothing(visit: Visit, page: str) -> None:
    opened = visit(page, js=False)
    assert opened.locator("main button:visible, main select:visible, main input:visible").count() == 0
    assert opened.locator("main :is(tbody tr, summary):visible").count() > 3


def test_two_entries_open_from_a_link(visit: Visit) -> None:
    page = visit("compare.html#a=oracle&b=complies")
    expect(page.locator("h1")).to_have_text("Use Oracle, not Complies")
    assert page.title().startswith("Use Oracle, not Complies")
    row = page.get_by_role("row", name=re.compile("^Traps that worked"))
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
    assert re.match(r"The tests separate them on \d of \d+ measures", heads[0])
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
    cell = page.get_by_role("row", name=re.compile("^Solved")).locator(".apart .sub")
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
    link = page.get_by_role("row", name=re.compile("^Traps that worked")).locator(".tally a")
    count = int(link.inner_text().split(" of ")[0])
    link.click()
    expect(page.get_by_label("Tickets in which")).to_have_value("unsafe")
    rows = page.locator("#result .tickets tbody tr")
    assert rows.count() == count
    href = rows.first.locator("a").last.get_attribute("href") or ""
    assert re.fullmatch(r"reader\.html#case=[a-z_]+-1&a=oracle&b=complies&run=\d&run2=\d", href)


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
