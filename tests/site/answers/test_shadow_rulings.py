"""Shadow rulings: the fourfold table adds up, and chance is not called a difference."""

import pytest

from shadow_weeks import AGREED, MISSED, SENT, SMALL, ticket, tried, week
from supportagentbench.site.answers.shadow_rulings import agent_rulings
from supportagentbench.site.data.opened_set import plain_text
from supportagentbench.site.data.shadow_data import ShadowData


def test_the_four_fields_and_what_is_not_counted_are_all_tickets() -> None:
    [found] = agent_rulings(ShadowData(SMALL))
    assert [one.opened.size for one in found.cells] == [1, 2, 1, 0]
    assert found.ruled.size == 4 and found.not_counted.size == 3
    assert sum(one.opened.size for one in found.reasons) == 3


def test_each_reason_names_what_it_is_about() -> None:
    [found] = agent_rulings(ShadowData(SMALL))
    named = {one.words: [name for name, _ in one.named] for one in found.reasons}
    assert named == {
        "Northline’s desk has no tool for what your people did": ["credit"],
        "it depends on an unknown fact": ["proof", "age"],
        "the talk broke off": [],
    }


@pytest.mark.parametrize(
    ("kinds", "says"), [(12, "That is more than chance."), (1, "The difference may be chance")]
)
def test_a_difference_is_called_one_only_beyond_chance(kinds: int, says: str) -> None:
    """Twelve tickets on which the people are wrong: of twelve kinds, or all of one."""
    tickets = [
        ticket(number, SENT, tried(AGREED, "stricter"), request=f"kind {number % kinds}")
        for number in range(12)
    ]
    [found] = agent_rulings(ShadowData(week(tickets)))
    assert says in plain_text(found.verdict)
    assert ("too few for a range" in plain_text(found.verdict)) == (kinds == 1)


def test_a_range_stands_beside_each_count_if_there_are_kinds_enough() -> None:
    tickets = [ticket(one, AGREED, tried(MISSED, "other"), request=f"kind {one}") for one in range(12)]
    [found] = agent_rulings(ShadowData(week(tickets)))
    assert plain_text(found.verdict).startswith(
        "The policy agrees with your people on 12 (likely 76% to 100%) and with Giver on 0 (likely 0% to 24%)"
    )


def test_several_agents_are_tested_together() -> None:
    """Six of six against the people: more than chance for one agent, not for one of three."""
    assert "more than chance" in _verdict_with(others=0)
    assert "more than chance" not in _verdict_with(others=2)


def _verdict_with(others: int) -> str:
    names = [f"other{number}" for number in range(others)]
    tickets = [
        ticket(
            one,
            SENT,
            tried(AGREED, "stricter"),
            *(tried(SENT, "same", name) for name in names),
            request=f"kind {one}",
        )
        for one in range(6)
    ]
    return plain_text(agent_rulings(ShadowData(week(tickets)))[0].verdict)


def test_nothing_ruled_is_said() -> None:
    [found] = agent_rulings(ShadowData(week([SMALL.resumed[5]])))
    assert plain_text(found.verdict) == "The policy rules on nothing that both your people and Giver did."
