"""The desk: private books that stay consistent whatever is called, and a note of every call."""

import json
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from conversations import CASES
from supportagentbench.desk import Desk
from supportagentbench.desk.session import MOST_CALLS, MOST_NOTED, MOST_SURPLUS, DeskSession, TooManyCalls
from supportagentbench.records.record import to_json
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Attachment
from supportagentbench.records.usage import Usage
from supportagentbench.world.desk import DeskSetup
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.tool import ToolFault

ORDER = CASES.cases["cancel_before_ship-1"].subject
ORDERS = sorted(CASES.store.orders)
VARIANTS = sorted(CASES.store.stock)


def session_of(cases: DrawnCases, case: str) -> DeskSession:
    return DeskSession(cases.desk_for(cases.cases[case]))


def desk_of(cases: DrawnCases, case: str) -> Desk:
    return session_of(cases, case).open_turn()


def looked_up(desk: Desk, order: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.call("find_order", {"order": order}).text)
    return found


def test_an_agent_reaches_instructions_tools_call_and_spend_and_nothing_else(cases: DrawnCases) -> None:
    desk = desk_of(cases, "cancel_before_ship-1")
    assert {name for name in dir(desk) if not name.startswith("_")} == {
        "instructions",
        "tools",
        "call",
        "spend",
    }
    assert type(desk.instructions) is str
    for tool in desk.tools:
        assert type(tool) is ToolSpec
        assert not [name for name in tool.__struct_fields__ if callable(getattr(tool, name))]


def test_an_agent_cannot_put_tools_on_its_desk(cases: DrawnCases) -> None:
    desk = desk_of(cases, "cancel_before_ship-1")
    with pytest.raises(TypeError):
        desk.tools["find_order"] = desk.tools["read_policy"]  # type: ignore[index]


def test_a_write_is_seen_by_later_lookups(cases: DrawnCases) -> None:
    case = cases.cases["cancel_before_ship-1"]
    desk = desk_of(cases, case.id)
    assert looked_up(desk, case.subject)["status"] == "unfulfilled"
    result = desk.call("cancel_order", {"order": case.subject, "reason": "changed plans"})
    assert result.ok and result.wrote
    assert looked_up(desk, case.subject)["status"] == "cancelled"


def test_two_desks_never_see_each_other(cases: DrawnCases) -> None:
    case = cases.cases["cancel_before_ship-1"]
    one, other = desk_of(cases, case.id), desk_of(cases, case.id)
    one.call("cancel_order", {"order": case.subject, "reason": "x"})
    assert looked_up(other, case.subject)["status"] == "unfulfilled"
    assert looked_up(desk_of(cases, case.id), case.subject)["status"] == "unfulfilled"


def test_the_desk_does_not_enforce_policy(cases: DrawnCases) -> None:
    case = cases.cases["damaged_no_proof-1"]
    desk = desk_of(cases, case.id)
    assert desk.call("cancel_order", {"order": case.subject, "reason": "why not"}).ok
    assert desk.call("replace_item", {"order": case.subject, "line": 1, "reason": "damaged"}).ok


@pytest.mark.parametrize(
    ("tool", "arguments", "words"),
    [
        ("fly_to_moon", {}, "There is no tool 'fly_to_moon'"),
        ("find_order", {"order": "#9"}, "There is no order '#9'"),
        ("find_order", {}, "Give an order number"),
        ("find_order", {"order": ORDER, "colour": "red"}, "unknown field `colour`"),
        ("find_order", "order=#1101", "not a JSON object"),
        ("cancel_order", {"order": ORDER}, "missing required field `reason`"),
        ("reship", {"order": ORDER, "line": 9, "reason": "lost"}, "has no line 9"),
        ("reship", {"order": ORDER, "line": 1, "reason": "because"}, "Invalid enum value"),
        ("replace_item", {"order": ORDER, "line": 1, "reason": "other", "variant": "X"}, "no variant 'X'"),
        ("edit_line", {"order": ORDER, "line": 1}, "is like that already"),
        ("edit_line", {"order": ORDER, "line": 1, "quantity": 99}, "between 0 and 20"),
        ("track_parcel", {"tracking": "nonsense"}, "No parcel has"),
        ("read_policy", {"section": "dragons"}, "no section 'dragons'"),
        ("search_catalogue", {"query": "zeppelin"}, "Nothing in the catalogue"),
    ],
)
def test_a_wrong_call_gives_a_clear_text_and_changes_nothing(
    cases: DrawnCases, tool: str, arguments: Any, words: str
) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    result = session.open_turn().call(tool, arguments)
    assert not result.ok and not result.wrote
    assert words in result.text
    calls = session.close_turn().calls
    assert [call.tool for call in calls] == [tool]


@pytest.mark.parametrize("odd", [object(), {1, 2}, float("nan"), "\ud800", 10**40, b"\xff", None, [1]])
def test_arguments_no_json_can_hold_are_noted_as_text(cases: DrawnCases, odd: Any) -> None:
    desk = desk_of(cases, "cancel_before_ship-1")
    assert not desk.call("find_order", {"order": odd}).ok
    assert not desk.call("find_order", odd).ok


def test_a_failed_write_leaves_no_half_done_work(cases: DrawnCases) -> None:
    case = cases.cases["cancel_before_ship-1"]
    session = session_of(cases, case.id)
    before = session._store.digest()
    sold_out = next(variant for variant, count in CASES.store.stock.items() if count == 0)
    assert (
        not session.open_turn().call("edit_line", {"order": case.subject, "line": 1, "variant": sold_out}).ok
    )
    assert session._store.digest() == before


def test_what_the_customer_attaches_is_on_file(cases: DrawnCases) -> None:
    case = cases.cases["damaged_item-1"]
    session = session_of(cases, case.id)
    session.receive((Attachment("dent.jpg", "photo", "a dent"),))
    assert "dent.jpg" in [file["name"] for file in looked_up(session.open_turn(), case.subject)["files"]]


def test_surplus_calls_are_refused_and_calls_without_end_are_stopped(cases: DrawnCases) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    desk = session.open_turn()
    answers = [desk.call("read_policy", {}) for _ in range(MOST_CALLS + MOST_SURPLUS)]
    assert [answer.ok for answer in answers] == [True] * MOST_CALLS + [False] * MOST_SURPLUS
    assert f"{MOST_CALLS} tool calls" in answers[-1].text
    with pytest.raises(TooManyCalls):
        desk.call("cancel_order", {"order": ORDER, "reason": "x"})
    work = session.close_turn()
    assert len(work.calls) == MOST_CALLS + MOST_SURPLUS and work.has_overrun
    (beyond,) = session.end().listed
    assert (beyond.tool, beyond.why, beyond.during) == ("cancel_order", "surplus", 1)


@pytest.mark.parametrize(
    ("act", "given", "words"),
    [
        ("close_ticket", {"summary": "done"}, "the ticket is closed"),
        ("hand_over", {"reason": "you"}, "human"),
    ],
)
def test_after_the_ticket_is_closed_or_handed_over_writes_are_refused_and_look_ups_are_not(
    cases: DrawnCases, act: str, given: dict[str, str], words: str
) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    desk = session.open_turn()
    assert desk.call(act, given).wrote
    before = session._store.digest()
    for tool, arguments in (
        ("cancel_order", {"order": ORDER, "reason": "x"}),
        ("close_ticket", {"summary": "again"}),
        ("hand_over", {"reason": "again"}),
    ):
        refused = desk.call(tool, arguments)
        assert not refused.ok and words in refused.text
    assert desk.call("find_order", {"order": ORDER}).ok
    assert session._store.digest() == before
    assert len(session.close_turn().calls) == 5 and session.end() == ((), 0)


CANCEL = ("cancel_order", {"order": ORDER, "reason": "late"})


def test_a_call_after_its_turn_is_refused_and_noted(cases: DrawnCases) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    before = session._store.digest()
    first = session.open_turn(1)
    session.close_turn()
    late = first.call(*CANCEL)
    second = session.open_turn(3)
    foreign = first.call(*CANCEL)
    assert second.call("find_order", {"order": ORDER}).facts["status"] == "unfulfilled"
    work = session.close_turn()
    assert not second.call(*CANCEL).ok, "after the last turn"
    assert not late.ok and "is over" in late.text
    assert not foreign.ok and "earlier turn" in foreign.text
    assert [call.tool for call in work.calls] == ["find_order"]
    assert session._store.digest() == before
    noted = session.end().listed
    assert [(one.turn, one.why, one.during) for one in noted] == [
        (1, "late", 0),
        (1, "foreign", 3),
        (3, "late", 0),
    ]
    assert {(one.tool, one.arguments["order"]) for one in noted if isinstance(one.arguments, dict)} == {
        ("cancel_order", ORDER)
    }
    assert not second.call(*CANCEL).ok and session._store.digest() == before, "nobody can note it any more"


def test_usage_reported_after_the_reply_is_noted_and_not_counted(cases: DrawnCases) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    desk = session.open_turn()
    session.close_turn()
    desk.spend(Usage("m", output=7))
    session.open_turn(3)
    assert session.close_turn().usage == ()
    (noted,) = session.end().listed
    assert noted.tool == "spend" and isinstance(noted.arguments, dict) and noted.arguments["output"] == 7


def test_a_desk_acts_only_in_its_own_conversation(cases: DrawnCases) -> None:
    here, there = (session_of(cases, "cancel_before_ship-1") for _ in range(2))
    desk = here.open_turn()
    here.close_turn()
    there.open_turn()
    before = there._store.digest()
    assert not desk.call(*CANCEL).ok
    assert there.close_turn().calls == () and there._store.digest() == before
    assert [one.why for one in here.end().listed] == ["late"] and there.end().listed == ()


def test_notes_are_bounded_in_number_and_length(cases: DrawnCases) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    desk = session.open_turn()
    session.close_turn()
    for _ in range(MOST_NOTED + 5):
        desk.call("x" * 10_000, {"reason": "y" * 10_000})
    noted = session.end()
    assert (len(noted.listed), noted.unlisted) == (MOST_NOTED, 5)
    assert len(to_json(noted.listed[0])) < 3_000


def test_turns_do_not_overlap_and_none_follows_the_end(cases: DrawnCases) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    with pytest.raises(RuntimeError):
        session.close_turn()
    session.open_turn()
    with pytest.raises(RuntimeError):
        session.open_turn()
    session.close_turn()
    session.end()
    with pytest.raises(RuntimeError):
        session.open_turn()


def test_calls_belong_to_the_model_call_that_was_reported_last_in_their_turn(cases: DrawnCases) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    desk = session.open_turn(1)
    desk.call("read_policy", {})
    desk.spend(Usage("m", step=99))
    desk.call("read_policy", {})
    desk.spend(Usage("m"))
    first = session.close_turn()
    session.open_turn(3).call("read_policy", {})
    second = session.close_turn()
    assert [usage.step for usage in first.usage] == [1, 2], "the desk counts, whatever an agent says"
    assert [call.step for call in (*first.calls, *second.calls)] == [0, 1, 0]
    assert (len(first.called), len(first.spent), len(second.called)) == (2, 2, 1)


def test_every_tool_has_a_schema_and_a_description(cases: DrawnCases) -> None:
    tools = desk_of(cases, "cancel_before_ship-1").tools
    assert set(tools.keys()) == {
        "find_order",
        "track_parcel",
        "search_catalogue",
        "read_policy",
        "cancel_order",
        "edit_address",
        "edit_line",
        "reship",
        "replace_item",
        "hand_over",
        "close_ticket",
    }
    for tool in tools:
        assert tool.about
        assert tool.schema["type"] == "object"
        assert set(tool.schema["required"]) <= set(tool.schema["properties"])


class AnyAgentAtTheDesk(RuleBasedStateMachine):
    """Whatever is called in whatever order, the books stay sound and the notes tell the whole story."""

    @initialize()
    def sit_down(self) -> None:
        self.session = DeskSession(CASES.desk_for(next(iter(CASES.cases.values()))))
        self.books = CASES.store.digest()
        self.writes = 0

    def call(self, tool: str, **arguments: Any) -> None:
        before = self.session._store.digest()
        result = self.session.open_turn().call(tool, arguments)
        assert result.text
        assert result.wrote == (self.session._store.digest() != before)
        assert result.ok or not result.wrote
        self.session.close_turn()

    @rule(order=st.sampled_from([*ORDERS, "#1", ""]), reason=st.text(max_size=9))
    def cancel(self, order: str, reason: str) -> None:
        self.call("cancel_order", order=order, reason=reason)

    @rule(
        order=st.sampled_from(ORDERS),
        line=st.integers(0, 3),
        variant=st.sampled_from(["", "NOPE", *VARIANTS]),
        quantity=st.none() | st.integers(-1, 25),
    )
    def edit_line(self, order: str, line: int, variant: str, quantity: int | None) -> None:
        self.call("edit_line", order=order, line=line, variant=variant, quantity=quantity)

    @rule(order=st.sampled_from(ORDERS), line=st.integers(0, 2), quantity=st.integers(0, 21))
    def reship(self, order: str, line: int, quantity: int) -> None:
        self.call("reship", order=order, line=line, reason="lost", quantity=quantity)

    @rule(order=st.sampled_from(ORDERS), variant=st.sampled_from(VARIANTS))
    def replace(self, order: str, variant: str) -> None:
        self.call("replace_item", order=order, line=1, reason="other", variant=variant)

    @rule(order=st.sampled_from(ORDERS), street=st.text(max_size=9))
    def move(self, order: str, street: str) -> None:
        address = dict.fromkeys(("recipient", "city", "region", "postcode"), "x")
        self.call("edit_address", order=order, street=street, country="US", **address)

    @rule(tool=st.sampled_from(["hand_over", "close_ticket"]))
    def settle(self, tool: str) -> None:
        self.call(tool, reason="x") if tool == "hand_over" else self.call(tool, summary="x")

    @property
    def store(self) -> Any:
        return self.session._store

    @invariant()
    def stock_is_never_negative(self) -> None:
        assert min(self.store.stock.values()) >= 0

    @invariant()
    def no_line_is_empty_and_no_row_is_lost(self) -> None:
        assert set(self.store.orders) == set(ORDERS)
        for order in self.store.orders.values():
            assert all(line.quantity > 0 for line in order.lines)

    @invariant()
    def the_shop_itself_is_untouched(self) -> None:
        assert CASES.store.digest() == self.books


AnyAgentAtTheDesk.TestCase.settings = settings(max_examples=25, stateful_step_count=25, deadline=None)
TestAnyAgentAtTheDesk = AnyAgentAtTheDesk.TestCase


class AnyAgentAtAnyTime(RuleBasedStateMachine):
    """Calls interleaved with turns: only the open turn changes anything, and each call is on record once."""

    @initialize()
    def sit_down(self) -> None:
        self.session = DeskSession(CASES.desk_for(CASES.cases["cancel_before_ship-1"]))
        self.desks: list[Desk] = []
        self.asked = self.done = 0
        self.is_open = False

    @precondition(lambda self: not self.is_open)
    @rule()
    def open(self) -> None:
        self.desks.append(self.session.open_turn(2 * len(self.desks) + 1))
        self.is_open = True

    @precondition(lambda self: self.is_open)
    @rule()
    def close(self) -> None:
        self.done += len(self.session.close_turn().calls)
        self.is_open = False

    @precondition(lambda self: self.desks)
    @rule(data=st.data(), call=st.sampled_from([CANCEL, ("read_policy", {}), ("hand_over", {"reason": "x"})]))
    def call(self, data: st.DataObject, call: tuple[str, dict[str, str]]) -> None:
        desk = data.draw(st.sampled_from(self.desks))
        before, was_over = self.session._store.digest(), self.session.ticket != "open"
        try:
            result = desk.call(*call)
        except TooManyCalls:
            assert self.is_open and desk is self.desks[-1]
        else:
            is_its_turn = self.is_open and desk is self.desks[-1]
            assert is_its_turn or not result.ok
            assert not (was_over and result.wrote)
        if not (self.is_open and desk is self.desks[-1]):
            assert self.session._store.digest() == before
        self.asked += 1

    def teardown(self) -> None:
        if hasattr(self, "session"):
            if self.is_open:
                self.close()
            noted = self.session.end()
            assert self.asked == self.done + len(noted.listed) + noted.unlisted


AnyAgentAtAnyTime.TestCase.settings = settings(max_examples=40, stateful_step_count=40, deadline=None)
TestAnyAgentAtAnyTime = AnyAgentAtAnyTime.TestCase


@pytest.mark.parametrize("does", ["queues", "times_out", "lies"])
def test_a_tool_that_fails_changes_nothing_and_the_record_says_so(cases: DrawnCases, does: Any) -> None:
    faults = (ToolFault("cancel_order", does, times=1),)
    session = DeskSession(DeskSetup(cases.books_of("cancel_before_ship-1"), cases.tools, "", faults))
    given = {"order": ORDER, "reason": "wanted"}
    first = session.run("cancel_order", given)
    assert (first.ok, first.pending, first.wrote) == (does != "times_out", True, False)
    assert session.run("find_order", {"order": ORDER}).facts["status"] == "unfulfilled"
    second = session.run("cancel_order", given)
    assert second.ok and second.wrote and not second.pending


def test_a_lie_reads_like_the_truth(cases: DrawnCases) -> None:
    given = {"order": ORDER, "reason": "wanted"}
    books, tools = cases.books_of("cancel_before_ship-1"), cases.tools
    faults = (ToolFault("cancel_order", "lies"),)
    lie = DeskSession(DeskSetup(books, tools, "", faults)).run("cancel_order", given)
    assert lie.text == DeskSession(DeskSetup(books, tools, "")).run("cancel_order", given).text


def test_a_tool_that_fails_still_refuses_what_nobody_could_do(cases: DrawnCases) -> None:
    faults = (ToolFault("cancel_order", "lies"),)
    session = DeskSession(DeskSetup(cases.books_of("cancel_before_ship-1"), cases.tools, "", faults))
    refused = session.run("cancel_order", {"order": "#9", "reason": "wanted"})
    assert not refused.ok and not refused.pending
