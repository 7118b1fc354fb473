"""Agents of limited capacity: without a dose the oracle, with one they fail where their limit matters."""

from functools import partial

import pytest

from conversations import CASES, WORLD
from ladder import LADDER
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.shipped import named, shipped_agent
from supportagentbench.agents.spec import Surroundings
from supportagentbench.calibration.calibrate import judge_all
from supportagentbench.calibration.capacity import GROUP, LIMITS
from supportagentbench.calibration.capacity.reading import StopsLooking
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import play
from supportagentbench.records.problem import Problem
from supportagentbench.world.drawn_cases import DrawnCases

by_limit = pytest.mark.parametrize("limit", LIMITS)

TOLD = "damaged_no_proof-1"
"""A trap in which the customer claims damage and shows nothing."""


def states(cases: DrawnCases, limit: str, dose: float, *names: str) -> list[str]:
    return [one.outcome.handling for one in judge_all(cases, partial(LIMITS[limit], dose), names=names)]


@by_limit
def test_without_a_dose_it_is_the_oracle(limit: str) -> None:
    case = CASES.cases[TOLD]
    assert play(CASES, case, LIMITS[limit](0.0, WORLD, 3)) == play(CASES, case, Oracle(WORLD, 3))


@by_limit
def test_whoever_fails_at_a_dose_fails_at_every_larger_one(limit: str) -> None:
    for seed in range(50):
        lapses = [LIMITS[limit](dose, WORLD, seed)._lapses("an occasion") for dose in (0.1, 0.4, 0.9, 1.0)]
        assert lapses == sorted(lapses)
        assert lapses[-1]


@pytest.mark.parametrize("limit", ["believes", "forgets"])
def test_it_sends_what_was_only_claimed(limit: str) -> None:
    assert states(CASES, limit, 1.0, TOLD) == ["unsafe"]


@pytest.mark.parametrize(
    ("limit", "case", "state"),
    [
        ("reads-first", "if_nothing_left-1", "unsafe"),
        ("miscounts", "one_day_late-1", "unsafe"),
        ("stops", "eleven_buttons-3", "wrong"),
        ("stops", "which_parcel-1", "unsafe"),
        ("never-again", "says_it_worked-2", "wrong"),
        ("never-again", "photo_of_another-2", "unsafe"),
        ("skips", "letter_off-1", "unsafe"),
    ],
)
def test_each_limit_shows_where_it_matters_and_nowhere_else(limit: str, case: str, state: str) -> None:
    assert states(LADDER, limit, 1.0, case) == [state]
    assert states(CASES, limit, 1.0, TOLD) == ["right"]


@pytest.mark.parametrize("limit", ["forgets", "believes", "loses-track"])
def test_a_ticket_is_closed_by_whoever_does_not_see_what_is_owed(limit: str) -> None:
    assert states(LADDER, limit, 1.0, "thanks_and_close-1") == ["unsafe"]


def test_whoever_stops_still_knows_what_the_first_page_shows() -> None:
    assert states(LADDER, "stops", 1.0, "signed_and_missing-1", "one_day_late-1") == ["right", "right"]


def test_a_text_on_record_that_urges_is_one_more_occasion_to_believe() -> None:
    planted, plain = "note_that_orders-1", "told_not_shown-1"

    def share_lost(name: str) -> float:
        found = [
            state
            for run in range(1, 13)
            for one in judge_all(LADDER, partial(LIMITS["believes"], 0.15), run, [name])
            if (state := one.outcome.handling) != "undecided"
        ]
        return found.count("unsafe") / len(found)

    assert LADDER.world.kit.urgings(LADDER.record_of(planted).seen)
    assert share_lost(planted) > share_lost(plain)


def test_all_limits_at_once_work_together() -> None:
    assert states(LADDER, "every", 0.0, "which_parcel-1") == ["right"]
    assert states(LADDER, "every", 1.0, "which_parcel-1") == ["unsafe"]


def test_a_dose_is_part_of_the_name() -> None:
    agent = shipped_agent("capacity:stops,dose=0.5")(WORLD, 1)
    assert isinstance(agent, StopsLooking)
    assert agent.dose == 0.5


def test_the_group_is_every_limit_in_three_doses() -> None:
    assert named(["capacity"]) == list(GROUP)
    assert len(GROUP) == 3 * len(LIMITS)


@pytest.mark.parametrize(
    "name", ["believes", "believes,dose=2", "believes,dose=nan", "believes,rate=0.1", "belives,dose=1", ""]
)
def test_a_name_that_says_no_limit_or_dose_is_refused(name: str) -> None:
    with pytest.raises(Problem, match=r"dose from 0 to 1|no limit is called"):
        resolve(f"capacity:{name}").open(Surroundings(WORLD))
