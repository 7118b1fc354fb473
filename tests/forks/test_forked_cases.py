"""A forked case begins at its decision: its desk has made the recorded calls, its customer has heard them."""

import asyncio
from functools import partial
from typing import Any

import pytest

from conversations import CASES, Says
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.house import HouseSeat
from supportagentbench.desk.session import DeskSession
from supportagentbench.forks.forked_cases import ForkedCases
from supportagentbench.forks.prefix import Prefix, PrefixDiffers, prefix_of
from supportagentbench.records.case import Case
from supportagentbench.runner.conversation import Sitting, begun, hold

NAME = "cancel_before_ship-1"
CASE = CASES.cases[NAME]


@pytest.fixture(scope="module")
def forked() -> ForkedCases:
    """The oracle's talk, with the reply that cancels."""
    oracle = HouseSeat(partial(shipped_agent("oracle"), CASES.world)(seed=1))
    made = asyncio.run(hold(CASES, CASE, oracle, ScriptedVoice()))
    wrote = next(at for at, turn in enumerate(made.turns) if any(call.result.wrote for call in turn.calls))
    return ForkedCases(CASES, NAME, Prefix(made.start, made.turns[: wrote + 1]))


def session_of(cases: ForkedCases, case: Case = CASE) -> DeskSession:
    return asyncio.run(begun(cases, case, ScriptedVoice(), Sitting())).session


def test_the_books_are_as_the_record_left_them(forked: ForkedCases) -> None:
    session = session_of(forked)
    books: Any = session._store
    assert books.orders[CASE.subject].status == "cancelled"
    assert CASES.store.orders[CASE.subject].status == "unfulfilled"
    desk = session.open_turn()
    assert not desk.call("cancel_order", {"order": CASE.subject, "reason": "again"}).ok
    assert [call.tool for call in session.close_turn().calls] == ["cancel_order"], "earlier calls are not its"


def test_each_desk_is_private(forked: ForkedCases) -> None:
    first, second = session_of(forked), session_of(forked)
    first.open_turn().call("close_ticket", {"summary": "done"})
    assert (first.ticket, second.ticket) == ("closed", "open")


def test_it_has_one_case_that_begins_in_the_middle(forked: ForkedCases) -> None:
    assert dict(forked.cases) == {NAME: CASE}
    found = asyncio.run(begun(forked, CASE, ScriptedVoice(), Sitting()))
    assert found.history == forked.history_of(CASE) == forked.prefix.turns
    assert forked.start_of(CASE) == CASES.start_of(CASE)


def test_other_books_are_refused_unless_they_are_meant_to_differ(forked: ForkedCases) -> None:
    other = forked._replace(prefix=forked.prefix._replace(start="0" * 16))
    with pytest.raises(PrefixDiffers, match="store does not open as it did"):
        other.start_of(CASE)
    assert other._replace(keeps_record=False).start_of(CASE) == CASES.start_of(CASE)


def test_what_the_customer_sent_is_on_the_ticket() -> None:
    case = CASES.cases["damaged_item-2"]
    made = asyncio.run(hold(CASES, case, HouseSeat(Says("Hm.")), ScriptedVoice()))
    session = session_of(ForkedCases(CASES, case.id, prefix_of(made, 2)), case)
    assert session._store.ticket.files == made.turns[0].attachments != ()
