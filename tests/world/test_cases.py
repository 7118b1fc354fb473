"""One protocol for cases from anywhere: drawn, forked and given as data are played alike."""

import asyncio

import pytest

from conversations import CASES, WORLD, Says
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.forks.forked_cases import ForkedCases
from supportagentbench.forks.prefix import prefix_of
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import hold
from supportagentbench.world.cases import Cases
from supportagentbench.world.fixture import Fixture, FixtureCases

NAME = "tracking-1"
CASE = CASES.cases[NAME]


def played(cases: Cases) -> Transcript:
    case = cases.cases[NAME]
    return asyncio.run(
        hold(cases, case, HouseSeat(Says("What is your order number?", "I'm sorry, no.")), ScriptedVoice())
    )


def forked() -> ForkedCases:
    return ForkedCases(CASES, NAME, prefix_of(played(CASES), 2))


def given() -> FixtureCases:
    return FixtureCases(WORLD, [Fixture(NAME, (Turn("customer", CASE.opening),), CASE.brief, CASE.subject)])


@pytest.mark.parametrize("cases", [CASES, forked(), given()], ids=["drawn", "forked", "given"])
def test_a_conversation_begins_where_its_case_does(cases: Cases) -> None:
    had, made = cases.history_of(CASE), played(cases)
    assert [turn.text for turn in made.turns[: len(had)]] == [turn.text for turn in had]
    assert made.case == NAME and made.start == cases.start_of(CASE)
    assert made.turns[0].text == CASE.opening and made.ending.kind == "customer_left"


def test_what_is_resumed_goes_on_as_if_it_had_never_stopped() -> None:
    assert played(forked()) == played(CASES)
