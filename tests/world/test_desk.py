"""The desk: private books that stay consistent whatever is called, and a note of every call."""

import json
from typing import Any

import pytest
from hypothesis import settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule

from conversations import CASES
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Attachment
from supportagentbench.records.usage import Usage
from supportagentbench.world.desk import MOST_CALLS, Desk, DeskSession, TooManyCalls
from supportagentbench.world.drawn_cases import CaseSet
from supportagentbench.world.tool import ToolFault

ORDER = CASES.cases["cancel_before_ship-1"].subject
ORDERS = sorted(CASES.store.orders)
VARIANTS = sorted(CASES.store.stock)


def session_of(cases: CaseSet, case: str) -> DeskSession:
    return cases.session_for(cases.cases[case])


def desk_of(cases: CaseSet, case: str) -> Desk:
    return session_of(cases, case).desk


def looked_up(desk: Desk, order: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(desk.call("find_order", {"order": order}).text)
    return found


def test_an_agent_reaches_instructions_tools_call_and_spend_and_nothing_else(cases: CaseSet) -> None:
    desk = desk_of(cases, "cancel_before_ship-1")
    assert {name for name in dir(desk) if not name.startswith("_")} == {
        "instructions",
        "tools",
        "call",
        "spend",
    }
    assert type(desk.instructions) is str
    for tool in desk.tools.values():
        assert type(tool) is ToolSpec
        assert not [name for name in tool.__struct_fields__ if callable(getattr(tool, name))]


def test_an_agent_cannot_put_tools_on_its_desk(cases: CaseSet) -> None:
    desk = desk_of(cases, "cancel_before_ship-1")
    with pytest.raises(TypeError):
        desk.tools["find_order"] = desk.tools["read_policy"]  # type: ignore[index]


def test_a_write_is_seen_by_later_lookups(cases: CaseSet) -> None:
    case = cases.cases["cancel_before_ship-1"]
    desk = desk_of(cases, case.id)
    assert looked_up(desk, case.subject)["status"] == "unfulfilled"
    result = desk.call("cancel_order", {"order": case.subject, "reason": "changed plans"})
    assert result.ok and result.wrote
    assert looked_up(desk, case.subject)["status"] == "cancelled"


def test_two_desks_never_see_each_other(cases: CaseSet) -> None:
    case = cases.cases["cancel_before_ship-1"]
    one, other = desk_of(cases, case.id), desk_of(cases, case.id)
    one.call("cancel_order", {"order": case.subject, "reason": "x"})
    assert looked_up(other, case.subject)["status"] == "unfulfilled"
    assert looked_up(desk_of(cases, case.id), case.subject)["status"] == "unfulfilled"


def test_the_desk_does_not_enforce_policy(cases: CaseSet) -> None:
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
    cases: CaseSet, tool: str, arguments: Any, words: str
) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    result = session.desk.call(tool, arguments)
    assert not result.ok and not result.wrote
    assert words in result.text
    calls = session.clear().calls
    assert [call.tool for call in calls] == [tool]


@pytest.mark.parametrize("odd", [object(), {1, 2}, float("nan"), "\ud800", 10**40, b"\xff", None, [1]])
def test_arguments_no_json_can_hold_are_noted_as_text(cases: CaseSet, odd: Any) -> None:
    desk = desk_of(cases, "cancel_before_ship-1")
    assert not desk.call("find_order", {"order": odd}).ok
    assert not desk.call("find_order", odd).ok


def test_a_failed_write_leaves_no_half_done_work(cases: CaseSet) -> None:
    case = cases.cases["cancel_before_ship-1"]
    session = session_of(cases, case.id)
    before = session._store.digest()
    sold_out = next(variant for variant, count in CASES.store.stock.items() if count == 0)
    assert not session.desk.call("edit_line", {"order": case.subject, "line": 1, "variant": sold_out}).ok
    assert session._store.digest() == before


def test_what_the_customer_attaches_is_on_file(cases: CaseSet) -> None:
    case = cases.cases["damaged_item-1"]
    session = session_of(cases, case.id)
    session.receive((Attachment("dent.jpg", "photo", "a dent"),))
    assert "dent.jpg" in [file["name"] for file in looked_up(session.desk, case.subject)["files"]]


def test_calls_without_end_are_stopped(cases: CaseSet) -> None:
    desk = desk_of(cases, "cancel_before_ship-1")
    with pytest.raises(TooManyCalls):
        for _ in range(MOST_CALLS + 1):
            desk.call("read_policy", {})


def test_calls_belong_to_the_model_call_that_was_reported_last_in_their_turn(cases: CaseSet) -> None:
    session = session_of(cases, "cancel_before_ship-1")
    desk = session.desk
    desk.call("read_policy", {})
    desk.spend(Usage("m", step=99))
    desk.call("read_policy", {})
    desk.spend(Usage("m"))
    first = session.clear()
    desk.call("read_policy", {})
    second = session.clear()
    assert [usage.step for usage in first.usage] == [1, 2], "the desk counts, whatever an agent says"
    assert [call.step for call in (*first.calls, *second.calls)] == [0, 1, 0]
    assert (len(first.called), len(first.spent), len(second.called)) == (2, 2, 1)


def test_every_tool_has_a_schema_and_a_description(cases: CaseSet) -> None:
    tools = desk_of(cases, "cancel_before_ship-1").tools
    assert set(tools) == {
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
    for tool in tools.values():
        assert tool.about
        assert tool.schema["type"] == "object"
        assert set(tool.schema["required"]) <= set(tool.schema["properties"])


class AnyAgentAtTheDesk(RuleBasedStateMachine):
    """Whatever is called in whatever order, the books stay sound and the notes tell the whole story."""

    @initialize()
    def sit_down(self) -> None:
        self.session = CASES.session_for(next(iter(CASES.cases.values())))
        self.books = CASES.store.digest()
        self.writes = 0

    def call(self, tool: str, **arguments: Any) -> None:
        before = self.session._store.digest()
        result = self.session.desk.call(tool, arguments)
        assert result.text
        assert result.wrote == (self.session._store.digest() != before)
        assert result.ok or not result.wrote
        self.session.clear()

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


@pytest.mark.parametrize("does", ["queues", "times_out", "lies"])
def test_a_tool_that_fails_changes_nothing_and_the_record_says_so(cases: CaseSet, does: Any) -> None:
    faults = [ToolFault("cancel_order", does, times=1)]
    session = DeskSession(cases.books_of("cancel_before_ship-1"), cases.tools, "", faults)
    given = {"order": ORDER, "reason": "wanted"}
    first = session.call("cancel_order", given)
    assert (first.ok, first.pending, first.wrote) == (does != "times_out", True, False)
    assert session.call("find_order", {"order": ORDER}).facts["status"] == "unfulfilled"
    second = session.call("cancel_order", given)
    assert second.ok and second.wrote and not second.pending


def test_a_lie_reads_like_the_truth(cases: CaseSet) -> None:
    given = {"order": ORDER, "reason": "wanted"}
    books, tools = cases.books_of("cancel_before_ship-1"), cases.tools
    lie = DeskSession(books, tools, "", [ToolFault("cancel_order", "lies")]).call("cancel_order", given)
    assert lie.text == DeskSession(books, tools, "").call("cancel_order", given).text


def test_a_tool_that_fails_still_refuses_what_nobody_could_do(cases: CaseSet) -> None:
    faults = [ToolFault("cancel_order", "lies")]
    session = DeskSession(cases.books_of("cancel_before_ship-1"), cases.tools, "", faults)
    refused = session.call("cancel_order", {"order": "#9", "reason": "wanted"})
    assert not refused.ok and not refused.pending
