"""Where the price of a customer wrongly turned away would decide otherwise."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from msgspec.structs import replace

from boards import header, verdict
from conversations import WORLD
from supportagentbench.board.desk import SupportDesk, desk_of
from supportagentbench.board.loss import DeskSettings
from supportagentbench.board.standings import make_board
from supportagentbench.board.turning_price import turning_prices, unsolved_price
from supportagentbench.results.load import ScoredRun


def run_of(agent: str, refused: int = 0, passed_on: int = 0) -> ScoredRun:
    """Ten routine tickets, of which the agent leaves some unsolved and hands some over."""
    verdicts = [
        verdict(
            f"tracking-{nth}",
            "resolvable",
            resolved=nth > refused + passed_on,
            over_escalated=refused < nth <= refused + passed_on,
            handed_over=refused < nth <= refused + passed_on,
        )
        for nth in range(1, 11)
    ]
    return ScoredRun(replace(header(agent, cases=10), vocabulary=WORLD.vocabulary), verdicts)


def desk_with(*runs: ScoredRun) -> SupportDesk:
    desk = desk_of(make_board(list(runs)), runs)
    assert desk
    return desk


DESK = desk_with(run_of("curt", refused=2), run_of("shy", passed_on=5))
"""The first costs 2 unsolved of ten, the other 5 needless handovers of ten, at $6 each: equal at $15."""


def cost(settings: DeskSettings, price: float) -> dict[str, float]:
    at = settings._replace(prices={**settings.prices, "unresolved": price})
    return {
        one.results.name: lost.value
        for one in DESK.agents
        if (lost := DESK.month_of(one, at).loss) is not None
    }


def test_it_says_from_where_on_another_agent_or_people_alone_cost_less() -> None:
    settings = DESK.settings()
    assert unsolved_price(settings) == 12
    rival, people = turning_prices(DESK, settings, "curt", ["shy"])
    assert (rival.rival, people.rival) == ("shy", "")
    assert rival.price == pytest.approx(15) and people.price == pytest.approx(30)


@given(st.floats(0.5, 50), st.integers(100, 100_000))
def test_just_below_it_the_pick_costs_less_and_just_above_the_rival(person: float, tickets: int) -> None:
    settings = DESK.settings(person=person, tickets=tickets)
    price = turning_prices(DESK, settings, "curt", ["shy"])[0].price
    below, above = cost(settings, 0.999 * price), cost(settings, 1.001 * price)
    assert below["curt"] < below["shy"] and above["curt"] > above["shy"]


def test_what_never_turns_or_has_already_turned_is_not_said() -> None:
    assert not turning_prices(DESK, DESK.settings(), "shy", ["curt"]), "nobody is turned away"
    dear = DESK.settings()._replace(prices={"needless": 6.0, "unresolved": 20.0})
    assert [one.rival for one in turning_prices(DESK, dear, "curt", ["shy"])] == [""]
    assert not turning_prices(DESK, DESK.settings(), "", ["shy"]) and not turning_prices(None, None, "a", [])
    assert [one.rival for one in turning_prices(DESK, DESK.settings(person=0.0), "curt", [])] == []
