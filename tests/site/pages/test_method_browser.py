"""Your desk in a real browser: the same arithmetic as ours, to the cent, and all of it in the address."""

import re
from collections.abc import Callable
from typing import Any
from urllib.parse import quote

import pytest
from playwright.sync_api import Page

from browsers import violations
from supportagentbench.board.desk import PARTS, AgentOnDesk, SupportDesk, with_cheats
from supportagentbench.board.loss import (
    DeskSettings,
    Kind,
    Trials,
    bad_month,
    endangered,
    gap,
    handovers,
    loss,
    quantiles,
    saving,
    times,
)
from supportagentbench.board.mistakes import Mistake
from supportagentbench.records.board import AgentResults
from supportagentbench.site.pages.desk import MISTAKE, NO_RUN

Visit = Callable[..., Page]

STATES = {
    "as it comes": {},
    "returns, own prices": {
        "t": "2500",
        "p": "returns",
        "c": "needless:3.5,goods:212.75,fraud:0",
        "vs": "complies",
        "h": "9.5",
    },
    "one kind alone": {"m": "ONE", "vs": "hands-over"},
    "under attack": {"t": "123456.5", "p": "fraud", "m": "goods:31.4", "c": "unresolved:99.99"},
    "four numbers": {"t": "40000", "ch": "3.7", "v": "265.5", "h": "4.25"},
    "own mix and cheats, goods worth less than time": {
        "m": "tracking:40,goods:2",
        "ch": "12",
        "v": "3",
        "h": "20",
    },
    "nobody cheats": {"ch": "0"},
}


class Ours:
    """The page's own data, computed by our code."""

    def __init__(self, page: Page) -> None:
        page.wait_for_function("window.SAB?.isReady?.()")
        self.data = page.evaluate("SAB.desk.data()")
        self.kinds = [
            Kind(one["name"], tuple(one["mistakes"]), bucket="adversarial" if one["abuse"] else "resolvable")
            for one in self.data["kinds"]
        ]
        self.mistakes = [Mistake(**one) for one in self.data["mistakes"]]
        names = [mistake.name for mistake in self.mistakes]
        self.trials = {
            entry["slug"]: [
                Trials(
                    kind,
                    unpacked(made, names),
                    entry["handed"].get(str(at), 0),
                    entry["endangered"].get(str(at), 0),
                )
                for at, (kind, made) in enumerate(
                    zip(self.data["cases"], entry["made"].split(";"), strict=True)
                )
            ]
            for entry in self.data["agents"]
        }

    def agent(self, slug: str) -> AgentOnDesk:
        return AgentOnDesk(AgentResults(slug, 1, 1, 1, ()), self.trials[slug], None, True)

    def desk(self, state: dict[str, str]) -> DeskSettings:
        mix = dict(self.data["presets"][state.get("p", "typical")]) | pairs(state.get("m", ""))
        if "ch" in state:
            mix = with_cheats(self.kinds, mix, float(state["ch"]) / 100)
        person, worth = float(state.get("h", self.data["person"])), self.data["worth"]
        desk = SupportDesk(self.kinds, self.mistakes, [], [], worth)
        prices = desk.prices(float(state.get("v", worth)), person) | pairs(state.get("c", ""))
        return DeskSettings(float(state.get("t", self.data["tickets"])), mix, prices, person)


def unpacked(made: str, names: list[str]) -> tuple[tuple[str, ...], ...]:
    """The mistakes of each run of a case, from the letters that the page is given."""
    if made == NO_RUN:
        return ()
    return tuple(tuple(names[ord(letter) - MISTAKE] for letter in run) for run in made.split(","))


def pairs(text: str) -> dict[str, float]:
    return {name: float(value) for name, value in (part.split(":") for part in text.split(",") if part)}


def address(state: dict[str, str]) -> str:
    return "desk.html#" + "&".join(f"{name}={quote(value, safe='')}" for name, value in state.items())


def cells(page: Page, cell: str) -> dict[str, dict[str, str]]:
    """By entry, what a cell of the table holds in full."""
    found: dict[str, dict[str, str]] = page.evaluate(
        """cell => Object.fromEntries([...document.querySelectorAll(".losses tbody tr")].map(
            row => [row.dataset.slug, {...row.querySelector(`[data-cell=${cell}]`).dataset}]))""",
        cell,
    )
    return found


@pytest.mark.parametrize("name", STATES)
def test_the_page_computes_what_our_code_computes_to_the_cent(visit: Visit, name: str) -> None:
    state = dict(STATES[name])
    if state.get("m") == "ONE":
        kinds = Ours(visit("desk.html")).kinds
        state["m"] = ",".join(f"{kind.name}:{int(kind.name == 'tracking')}" for kind in kinds)
    page = visit(address(state))
    ours, versus = Ours(page), state.get("vs", "oracle")
    desk = ours.desk(state)
    double, single = quantiles(), quantiles(1 / 20)
    shown = {name: cells(page, name) for name in ("loss", "handovers", "saving", "month", "gap")}
    for slug, trials in ours.trials.items():
        same_to_the_cent(shown["loss"][slug], loss(ours.kinds, trials, desk, double))
        same_to_the_cent(shown["handovers"][slug], handovers(ours.kinds, trials, desk, double))
        same_to_the_cent(shown["saving"][slug], saving(ours.kinds, trials, desk, double))
        month = bad_month(ours.kinds, trials, desk, single)
        assert float(shown["month"][slug]["value"]) == pytest.approx(month, abs=0.005, rel=1e-12)
        if slug != versus:
            expected = gap(ours.kinds, trials, ours.trials[versus], desk)
            assert expected is not None
            assert float(shown["gap"][slug]["value"]) == pytest.approx(expected.value, abs=0.005)
            assert float(shown["gap"][slug]["p"]) == pytest.approx(expected.p, rel=1e-9)
        line = page.locator(f".mistakes tr[data-slug={slug}]")
        for mistake in desk.prices:
            often = line.locator(f"[data-times={mistake}]").text_content()
            assert often == f"{round(times(ours.kinds, trials, desk, mistake) or 0):,}"
        missed = line.locator("[data-endangered]").text_content()
        assert missed == f"{round(endangered(ours.kinds, trials, desk) or 0):,}"
        by_part = SupportDesk(ours.kinds, ours.mistakes, [], [], 0).month_of(ours.agent(slug), desk)
        parts = page.evaluate("slug => SAB.desk.segments(slug, SAB.recommend().desk)", slug)
        assert {name: parts[name] for name in PARTS} == pytest.approx(by_part.parts)
        assert sum(by_part.parts.values()) == pytest.approx(parts["total"])


def same_to_the_cent(shown: dict[str, str], expected: Any) -> None:
    for name in ("value", "low", "high"):
        assert float(shown[name]) == pytest.approx(getattr(expected, name), abs=0.005, rel=1e-12)


def test_untouched_it_says_the_same_with_and_without_a_script(visit: Visit) -> None:
    texts = [
        [
            re.sub(r"\s+", " ", text).strip()
            for text in visit("desk.html", js=js)
            .locator(
                ".losses td, .mistakes td, #answer, #said, #priced, [data-cfo], [data-even-title], .months li"
            )
            .all_text_contents()
        ]
        for js in (True, False)
    ]
    assert texts[0] == texts[1]


def test_without_a_script_there_is_no_form_to_wonder_at(visit: Visit) -> None:
    page = visit("desk.html", js=False)
    assert page.locator("#tickets").is_disabled() and not page.locator("#more").is_visible()
    assert page.locator(".losses tbody tr").count() == 3
    assert "Oracle costs about" in page.locator("#answer").inner_text()
    assert page.locator("svg.even:visible").count() == 1


def test_what_the_reader_sets_is_in_the_address_and_comes_back(visit: Visit) -> None:
    page = visit("desk.html")
    page.fill("#tickets", "4000")
    page.select_option("#preset", "orders")
    page.locator("#prices summary").click()
    page.fill("[data-price=missed]", "75.5")
    page.locator("#mix summary").click()
    page.fill("[data-part=tracking]", "50")
    page.select_option("#versus", "complies")
    page.select_option("#order", "handovers")
    page.fill("#person", "7")
    page.fill("#worth", "120")
    page.fill("#cheats", "2.5")
    assert page.locator("#preset").input_value() == "own"
    before = page.locator("#losses").inner_text()
    again = visit("desk.html" + page.evaluate("location.hash"))
    assert again.locator("#losses").inner_text() == before
    fields = {"#tickets": "4,000", "#person": "7", "#worth": "120", "#cheats": "2.5"}
    for name, value in (fields | {"[data-price=missed]": "75.5", "[data-price=fraud]": "225"}).items():
        assert again.locator(name).input_value() == value
    assert again.locator("#losses .against").inner_text() == "Complies"


def test_rows_go_in_the_order_of_loss_until_asked_otherwise(visit: Visit) -> None:
    page = visit("desk.html#c=missed:1")
    values = [float(one["value"]) for one in cells(page, "loss").values()]
    assert values == sorted(values)
    page.select_option("#order", "board")
    assert next(iter(cells(page, "loss"))) == "oracle"


def test_the_summary_follows_what_the_reader_sets(visit: Visit) -> None:
    page = visit("desk.html")
    page.fill("#tickets", "200")
    page.fill("#person", "0")
    said = page.locator("#answer").inner_text()
    assert re.findall(r"\$[\d,]+", said) == ["$0"]
    page.fill("#cheats", "30")
    assert "attempted abuse 30%" in page.locator("#said").inner_text()


@pytest.mark.parametrize(
    ("field", "typed", "words"),
    [
        ("#tickets", "0", "“0” is no number that fits here; 10,000 is used"),
        ("#tickets", "30.000", "could be 30,000 or 30"),
        ("#cheats", "abc", "“abc” is no number that fits here; 1 is used"),
        ("#tickets", "30,000", ""),
        ("#person", "7.5", ""),
    ],
)
def test_what_was_understood_stands_beside_the_sentence(
    visit: Visit, field: str, typed: str, words: str
) -> None:
    page = visit("desk.html")
    page.fill(field, typed)
    page.locator(field).blur()
    said = page.locator("[data-heard]").inner_text()
    assert words in said and bool(said) is bool(words)


def test_a_share_that_is_set_by_hand_stays_beside_what_is_shown(visit: Visit) -> None:
    """After another share of cheats, one part of the mix is typed in: the others stay as they were."""
    page = visit("desk.html#ch=10")
    page.locator("#mix summary").click()
    before = page.locator("[data-part=return_request]").input_value()
    page.fill("[data-part=tracking]", "40")
    assert page.locator("[data-part=return_request]").input_value() == before
    assert page.locator("#cheats").input_value() not in ("10", "1")


def test_starting_over_forgets_everything(visit: Visit) -> None:
    page = visit("desk.html#t=1&p=fraud&c=missed:1")
    page.click("#reset")
    assert page.evaluate("location.hash") == ""
    assert page.locator("#tickets").input_value() == "10,000"


def test_script_and_page_draw_one_chart(visit: Visit) -> None:
    """Every line, name and tick stands where it stood, whether page or script drew it."""
    drawn = [
        visit("desk.html", js=js)
        .locator("svg.even > *")
        .evaluate_all(
            "found => found.map((one) => [one.tagName, one.getAttribute('class').trim(), one.textContent,"
            " ...(one.getAttribute('d') || `${one.getAttribute('x')} ${one.getAttribute('y')}`)"
            ".split(/[ML ]/).filter(Boolean).map(Number)])"
        )
        for js in (True, False)
    ]
    assert len(drawn[0]) == len(drawn[1]) > 20
    for mine, theirs in zip(*drawn, strict=True):
        assert mine[:3] == theirs[:3] and mine[3:] == pytest.approx(theirs[3:], abs=0.15, nan_ok=True)


def test_the_chart_follows_the_desk_and_the_text_can_be_copied(visit: Visit) -> None:
    page = visit("desk.html")
    page.fill("#cheats", "12")
    ticks = page.locator("svg.even.wide text.middle").all_text_contents()
    assert ticks[-2] == "20%"
    page.fill("#tickets", "500")
    assert "At 500 tickets per month" in page.locator("[data-cfo]").inner_text()
    page.evaluate(
        "navigator.clipboard.writeText = (text) => { window.copied = text; return Promise.resolve(); }"
    )
    page.locator("[data-copy-cfo]").click()
    assert page.evaluate("window.copied") == page.locator("[data-cfo]").inner_text()


def test_another_address_is_followed_without_loading_anew(visit: Visit) -> None:
    page = visit("desk.html")
    page.evaluate("location.hash = '#t=20000'")
    page.wait_for_function("document.getElementById('said').textContent.startsWith('20,000')")


@pytest.mark.parametrize(
    "hash_text",
    ["t=-5&p=nobody&m=x:y,::,tracking:-1&c=missed:NaN&vs=<b>&o=up&ch=101&v=-3", "t=1e400", "m=tracking"],
)
def test_nonsense_in_the_address_is_passed_over(visit: Visit, hash_text: str) -> None:
    page = visit(f"desk.html#{hash_text}")
    assert page.locator("#said").inner_text().startswith("10,000 tickets per month")


def test_an_empty_mix_is_told_and_not_computed(visit: Visit) -> None:
    kinds = Ours(visit("desk.html")).kinds
    page = visit("desk.html#m=" + ",".join(f"{kind.name}:0" for kind in kinds))
    assert "The mix is empty" in page.locator("#said").inner_text()
    assert page.locator("#losses [data-cell=loss] .number").first.inner_text() == "–"


@pytest.mark.parametrize("name", ["desk.html", "method.html", "own.html", "rules.html"])
@pytest.mark.parametrize("look", [{}, {"dark": True}, {"width": 320}], ids=["light", "dark", "narrow"])
def test_nobody_is_shut_out_when_everything_is_unfolded(
    visit: Visit, name: str, look: dict[str, Any]
) -> None:
    page = visit(name, bypass_csp=True, **look)
    page.evaluate("document.querySelectorAll('details').forEach(one => { one.open = true; })")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


def test_method_can_be_read_without_a_script(visit: Visit) -> None:
    page = visit("method.html", js=False)
    page.locator("#questions + details summary").click()
    assert page.locator("#questions + details p").is_visible()
