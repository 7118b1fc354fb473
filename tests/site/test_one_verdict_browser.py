"""Asked “which one?”, board, report, desk, compare and terminal give one answer, whatever limits and desk."""

from collections.abc import Callable, Mapping
from itertools import product
from pathlib import Path
from typing import NamedTuple

import pytest
from playwright.sync_api import Page, expect

from site_data import site_data_of
from supportagentbench.board.choice import recommended, settings_of
from supportagentbench.board.desk import SupportDesk
from supportagentbench.board.recommendation import BoardRecommendation
from supportagentbench.board.recommendation_words import (
    DECISIONS,
    WORDS,
    about,
    chart_title,
    flip_words,
    hire_words,
    limits_words,
    row_words,
    then_words,
    two_title,
    which_of_two,
    which_one,
    why,
)
from supportagentbench.board.turning_price import turning_prices
from supportagentbench.records.board import Board
from supportagentbench.records.choice import Choice
from supportagentbench.site.answers.board_answer import no_pick_doubt
from supportagentbench.site.answers.cfo import cfo_words
from supportagentbench.site.answers.diagnosis import diagnoses
from supportagentbench.site.answers.doubt import doubt_words
from supportagentbench.site.number import whole
from supportagentbench.terminal.verdicts import pair_view, verdicts_view

LIMITS: dict[str, dict[str, float]] = {
    "": {},
    "lu=50&lm=15": {"unsafe": 50, "escalation": 15},
    "lu=3&lo=40": {"unsafe": 3, "over_escalation": 40},
}
"""By address, the limits that it sets."""

DESKS: dict[str, dict[str, float | str]] = {
    "": {},
    "t=500&v=200&h=20&ch=0.2": {"tickets": 500, "goods": 200, "person": 20, "cheats": 0.2},
    "p=benchmark&h=1": {"mix": "benchmark", "person": 1},
}
"""By address, the desk that it sets."""

CHOICES = {"&".join(filter(None, pair)): pair for pair in product(LIMITS, DESKS)}


class Cast(NamedTuple):
    """The demo's agents, what they cost at a desk, and what else is known about each."""

    board: Board
    desk: SupportDesk | None
    notes: Mapping[str, str]
    cases: int

    def choice(self, address: str) -> Choice:
        limits, desk = CHOICES[address]
        return Choice(LIMITS[limits], DESKS[desk])

    def at(self, address: str) -> BoardRecommendation:
        return recommended(self.board, self.desk, self.choice(address))


@pytest.fixture(scope="module")
def cast(cast_runs: Path) -> Cast:
    data = site_data_of(cast_runs)
    return Cast(data.board, data.desk, diagnoses(data), len(data.core_cases))


Visit = Callable[[str, str], Page]


@pytest.fixture
def visit(open_page: Callable[..., Page], cast_site: Path) -> Visit:
    """Opens a page of the cast with a choice in its address; one page after the other in one tab."""
    page = open_page("about:blank")

    def visit(path: str, state: str) -> Page:
        page.goto("about:blank")
        page.goto(f"{(cast_site / path).as_uri()}#{state}" if state else (cast_site / path).as_uri())
        page.wait_for_function("window.SAB?.isReady?.()")
        return page

    return visit


def said(page: Page, part: str) -> str:
    return " ".join((page.locator(part).first.text_content() or "").split())


def test_the_demo_has_one_agent_to_use_and_the_others_have_their_reasons(cast: Cast) -> None:
    found = cast.at("")
    decided = {
        one.agent.name: (one.decision, [reason.kind for reason in one.reasons]) for one in found.agents
    }
    assert found.pick == "By-the-book" and decided["By-the-book"] == ("use", [])
    assert decided["Trusting"] == ("not yet", ["guarded"])
    assert decided["Chatty"][0] == "no" and decided["Chatty"][1][0] == "danger"
    assert found.of("Chatty").reasons[0].found == 3 and found.of("Chatty").reasons[0].of == 18
    assert {decided[name][0] for name in ("Hasty", "Stale", "Anxious")} == {"no"}


def test_the_choices_have_different_answers(cast: Cast) -> None:
    assert len({cast.at(address).pick for address in CHOICES}) > 1
    assert len({which_one(cast.at(address)).text for address in CHOICES}) > 5


@pytest.mark.parametrize("address", CHOICES)
def test_every_place_gives_the_same_answer(cast: Cast, visit: Visit, address: str) -> None:
    found = cast.at(address)
    answer = which_one(found)
    assert verdicts_view(found).plain.splitlines()[: 1 + len(answer.lead)] == [
        f"{answer.title}.",
        *answer.lead,
    ]
    on_board = visit("index.html", address)
    assert said(on_board, "h1") == hire_words(found, cast.cases, is_example=True)
    assert said(on_board, "[data-which=title]") == answer.title
    assert said(on_board, "[data-then]") == then_words(found)
    assert said(on_board, "#table-h") == chart_title(found)
    doubt = doubt_words(found.of(found.pick).agent) if found.pick else no_pick_doubt(found)
    assert said(on_board, "[data-doubt]") == doubt
    assert said(on_board, "main [data-limits]") == limits_words(found)
    for rows, name in ((".months > li", "slug"), ("#board tbody tr:not([hidden])", "a")):
        listed = on_board.locator(rows).evaluate_all(f"found => found.map((one) => one.dataset.{name})")
        assert listed == [one.agent.name.lower() for one in found.contenders]
    for one in found.contenders:
        row, note = f".months > li[data-slug={one.agent.name.lower()}]", cast.notes.get(one.agent.name, "")
        assert said(on_board, f"{row} [data-decision]") == DECISIONS[one.decision]
        assert said(on_board, f"{row} [data-row]") == row_words(one, note)
    desk = visit("desk.html", address)
    assert said(desk, "h1") == answer.title
    assert said(desk, "#answer") == then_words(found)
    picked = [one for one in cast.desk.agents if one.results.name == found.pick] if cast.desk else []
    settings = settings_of(cast.desk, cast.choice(address)) if cast.desk else None
    month = cast.desk.month_of(picked[0], settings) if picked and cast.desk and settings else None
    is_own = bool({"goods", "person"} & DESKS[CHOICES[address][1]].keys())
    others = [one.agent.name for one in found.contenders if one.agent.name != found.pick]
    turns = turning_prices(cast.desk, settings, found.pick, others)
    paying = cfo_words(found, month, settings, turns, example="six invented agents", is_own=is_own)
    assert said(desk, "[data-turn]") == f"{flip_words(turns)}."
    paying = " ".join(paying.split())
    assert said(desk, "[data-cfo]") == paying
    assert said(visit("index.html", address), "[data-cfo]") == paying
    other = next(one.agent.name for one in found.contenders if one.agent.name != "Hasty")
    pair = visit("compare.html", "&".join(filter(None, ("a=hasty", f"b={other.lower()}", address))))
    pair.wait_for_selector(".dumbbells")
    assert said(pair, "h1") == two_title(found, "Hasty", other)
    assert (
        said(pair, "#answer") == which_of_two(found, "Hasty", other) == pair_view(found, "Hasty", other).plain
    )
    report = visit("agents/trusting.html", address)
    trusting = found.of("Trusting")
    assert said(report, "#verdict [data-decision]") == DECISIONS[trusting.decision]
    assert said(report, "#verdict [data-why]") == why(trusting)
    own = next(one for one in cast.desk.agents if one.results.name == "Trusting") if cast.desk else None
    spent = cast.desk.month_of(own, settings).parts if cast.desk and own and settings else {}
    given = WORDS["given away"].format(
        tickets=whole(round(settings.tickets)) if settings else "", dollars=about(spent["given"])
    )
    assert said(report, "[data-money]") == given
    instead = report.locator("[data-instead]")
    assert instead.is_visible() is (found.pick not in ("", "Trusting"))
    assert not instead.is_visible() or said(report, "[data-instead] a") == found.pick


def test_links_carry_the_choice_from_page_to_page(visit: Visit) -> None:
    page = visit("index.html", "lu=50&t=500")
    page.get_by_role("link", name="Your desk").click()
    expect(page.locator("#tickets")).to_have_value("500")
    assert page.url.endswith("desk.html#lu=50&t=500")
    page.get_by_role("link", name="Board", exact=True).click()
    expect(page.locator("[data-limit=lu]")).to_have_value("50")
    assert page.url.endswith("index.html#lu=50&t=500")
    page.get_by_role("link", name="Set your own").click()
    assert "lu=50" in page.url and "t=500" in page.url, "a jump within the page keeps it, too"
    page.locator(".months .name").first.click()
    expect(page.locator("#verdict [data-decision]")).not_to_be_empty()
    assert "lu=50&t=500" in page.url and "/agents/" in page.url


def test_a_report_keeps_its_advice_where_the_readers_numbers_change_nothing(visit: Visit) -> None:
    page = visit("agents/by-the-book.html", "")
    usual = said(page, "#bottom")
    for address in ("t=500", "lu=50&t=500"):
        page = visit("agents/by-the-book.html", address)
        assert said(page, "#bottom").replace("50% of traps", "12% of traps") == usual
        assert "on some of the tickets first" in usual and "Watch that it does not" in usual
        expect(page.locator("#verdict p[data-own]")).to_be_hidden()
    page = visit("agents/by-the-book.html", "lu=3")
    expect(page.locator("#verdict p[data-own]")).to_contain_text("Your own limits are in force")
    page = visit("agents/by-the-book.html", "c=unresolved:150")
    expect(page.locator("#verdict p[data-own]")).to_contain_text("Your own desk is in force")
    assert said(page, "[data-bottom]") == "Bottom line: no"


def test_a_choice_survives_pages_that_recommend_nothing(visit: Visit) -> None:
    page = visit("index.html", "lu=50&t=500")
    page.get_by_role("link", name="How we test").first.click()
    page.get_by_role("link", name="Board", exact=True).click()
    expect(page.locator("[data-limit=lu]")).to_have_value("50")
    page.locator("#usual").click()
    page.reload()
    expect(page.locator("[data-limit=lu]")).to_have_value("12")


def test_a_limit_that_is_typed_in_changes_every_answer_and_nonsense_changes_nothing(
    cast: Cast, visit: Visit
) -> None:
    page = visit("index.html", "")
    page.locator("[data-limit=lu]").fill("0")
    strict = hire(cast_with(cast, unsafe=0), cast)
    assert said(page, "h1") == strict != hire(cast.at(""), cast)
    assert page.url.endswith("#lu=0")
    for nonsense in ("-5", "500", ""):
        page.locator("[data-limit=lu]").fill(nonsense)
        assert said(page, "h1") == hire(cast.at(""), cast)
    page.locator("[data-limit=lu]").fill("50")
    page.locator("#usual").click()
    assert said(page, "h1") == hire(cast.at(""), cast) and "lu=" not in page.url


def hire(found: BoardRecommendation, cast: Cast) -> str:
    return hire_words(found, cast.cases, is_example=True)


def cast_with(cast: Cast, **limits: float) -> BoardRecommendation:
    return recommended(cast.board, cast.desk, Choice(limits))


def test_without_scripts_the_pages_stand_at_the_publishers_choice(
    open_page: Callable[..., Page], cast: Cast, cast_site: Path
) -> None:
    answer = which_one(cast.at(""))
    page = open_page((cast_site / "index.html").as_uri(), js=False)
    assert said(page, "h1") == hire(cast.at(""), cast)
    assert said(page, "[data-then]") == then_words(cast.at(""))
    page.goto((cast_site / "desk.html").as_uri())
    assert said(page, "h1") == answer.title
    page.goto((cast_site / "compare.html").as_uri())
    assert said(page, "h1") == "Use By-the-book, not Trusting"
    assert page.locator(".dumbbells tbody tr").count() > 8
