"""A forked case opens its desk at the decision, call by call."""

import asyncio
from functools import partial

import pytest

from conversations import CASES, Says
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.forks.forked_cases import ForkedCases
from supportagentbench.forks.prefix import PrefixDiffers, prefix_of
from supportagentbench.runner.conversation import hold

NAME = "cancel_before_ship-1"
CASE = CASES.cases[NAME]


@pytest.fixture(scope="module")
def forked() -> ForkedCases:
    """The oracle's talk, at its last reply, after the look-ups and the cancellation."""
    made = asyncio.run(
        hold(CASES, CASE, partial(shipped_agent("oracle"), CASES.world)(seed=1), ScriptedVoice())
    )
    wrote = next(at for at, turn in enumerate(made.turns) if any(call.result.wrote for call in turn.calls))
    calls = made.turns[wrote].calls
    return ForkedCases(CASES, NAME, prefix_of(made, (wrote + 1) // 2, len(calls)))


def test_the_books_are_as_the_record_left_them(forked: ForkedCases) -> None:
    session = forked.session_for(CASE)
    assert not session.call("cancel_order", {"order": CASE.subject, "reason": "again"}).ok
    *begun, again = session.clear().calls
    assert [(call.tool, call.result) for call in begun] == [
        (call.tool, call.result) for call in forked.prefix.begun
    ]
    assert again.tool == "cancel_order"


def test_each_desk_is_private(forked: ForkedCases) -> None:
    assert forked.session_for(CASE).clear().calls == forked.session_for(CASE).clear().calls


def test_it_has_one_case_that_begins_in_the_middle(forked: ForkedCases) -> None:
    assert dict(forked.cases) == {NAME: CASE}
    assert forked.history_of(CASE)[-1].party == "customer"
    assert forked.start_of(CASE) == CASES.start_of(CASE)


def test_other_books_are_refused_unless_they_are_meant_to_differ(forked: ForkedCases) -> None:
    other = forked._replace(prefix=forked.prefix._replace(start="0" * 16))
    with pytest.raises(PrefixDiffers, match="store does not open as it did"):
        other.start_of(CASE)
    assert other._replace(keeps_record=False).start_of(CASE) == CASES.start_of(CASE)


def test_what_the_customer_sent_is_on_the_ticket() -> None:
    case = CASES.cases["damaged_item-2"]
    made = asyncio.run(hold(CASES, case, Says("Hm."), ScriptedVoice()))
    session = ForkedCases(CASES, case.id, prefix_of(made, 2)).session_for(case)
    assert session._store.ticket.files == made.turns[0].attachments != ()
