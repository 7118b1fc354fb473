"""The conversations behind a figure are those that its own metric counts."""

import pytest

from reports import reference_data
from supportagentbench.site.data.counted import ALL, CountedPlaces, counted_in, key_of


@pytest.fixture(scope="module")
def found() -> dict[str, CountedPlaces]:
    return {metric.name: places for metric, places in counted_in(reference_data()).items()}


def test_every_estimate_of_the_board_is_counted_again(found: dict[str, CountedPlaces]) -> None:
    compared = 0
    for agent in reference_data().board.agents:
        for estimate in agent.estimates:
            places = found[key_of(estimate.metric, estimate.judge)]
            own = [hit for (_, name, _), hit in places.tried.items() if name == agent.name]
            assert len(own) == estimate.n
            assert estimate.k is None or sum(own) == estimate.k
            assert sum(name == agent.name for _, name, _ in places.undecided) == estimate.undecided
            compared += 1
    assert compared > 300


def test_what_ended_unsafely_is_not_handled_right_and_danger_counts_all_who_are_in_it(
    found: dict[str, CountedPlaces],
) -> None:
    data = reference_data()
    grades = {(row.case, row.agent, row.run): row.outcome.grade for row in data.rows}
    assert all(hit == (grades[place] == "good") for place, hit in found["handled"].tried.items())
    danger = found["desk:danger"].tried
    for agent in data.board.agents:
        own = [hit for (_, name, _), hit in danger.items() if name == agent.name]
        assert (sum(own), len(own)) == (agent.grounds.danger_missed, agent.grounds.danger)


def test_all_are_those_on_headline_cases_that_count(found: dict[str, CountedPlaces]) -> None:
    data = reference_data()
    assert {*found[ALL].tried} == {
        (row.case, row.agent, row.run)
        for row in data.rows
        if not data.cases[row.case].twin_of and row.outcome.name != "outside"
    }
