"""Human record: what people wrote and did, turn by turn, made again at the same desk as any agent's."""

import asyncio
from typing import Any

import pytest

from real_tickets import (
    NUMBER,
    SHIPPED,
    UNSHIPPED,
    cases_of,
    customer,
    desk,
    desk_map,
    did,
    known,
    note,
    ticket,
)
from supportagentbench.checks.acts_judged import DoneElsewhere
from supportagentbench.records.ticket import SupportTicket, TicketEvent
from supportagentbench.records.transcript import Transcript
from supportagentbench.shadow.desk_map import DeskMap, MappedAct
from supportagentbench.shadow.human_record import HumanRecord, human_record

HELLO, ASKS = desk("Hello! How can I help?"), customer("Please cancel my order.")
STOP = did("stop order")


def record(*events: TicketEvent, mapped: DeskMap | None = None, **fields: Any) -> HumanRecord:
    """What people did on a ticket; of an order that has not shipped, unless the map says otherwise."""
    return record_of(ticket(*events, **fields), mapped or desk_map(known(UNSHIPPED)))


def record_of(one: SupportTicket, mapped: DeskMap) -> HumanRecord:
    cases = cases_of(one, mapped)
    assert not cases.left_out, cases.left_out
    return asyncio.run(human_record(cases, cases.resumed[one.id]))


def told(found: Transcript) -> list[tuple[str, str, list[str]]]:
    """Who wrote and did what."""
    return [(turn.party, turn.text, [call.tool for call in turn.calls]) for turn in found.turns]


def test_an_act_is_made_again_in_the_turn_in_which_it_was_made() -> None:
    events = (HELLO, ASKS, did("open order"), desk("I'll do it."), STOP, desk("Done."), customer("Thanks!"))
    found = record(*events)
    assert told(found.transcript) == [
        ("agent", "Hello! How can I help?", []),
        ("customer", "Please cancel my order.", []),
        ("agent", "I'll do it.\n\nDone.", ["cancel_order"]),
        ("customer", "Thanks!", []),
    ]
    (call,) = found.transcript.turns[2].calls
    assert call.result.ok and [
        change.after for change in call.result.changes if not change.is_bookkeeping
    ] == ["cancelled"]
    assert call.arguments == {"order": NUMBER, "reason": "other"}


def test_several_messages_in_a_row_are_one_turn_whatever_look_ups_are_between_them() -> None:
    between = (did("open order"), note("hm"), TicketEvent("system", "message", "Rate us!"), did("coupon"))
    events = (ASKS, STOP, customer("Oh,"), *between, customer("and thanks."), desk("Bye."), desk("Bye!"))
    assert told(record(*events).transcript)[1:] == [
        ("agent", "", ["cancel_order"]),
        ("customer", "Oh,\n\nand thanks.", []),
        ("agent", "Bye.\n\nBye!", []),
    ]


def test_what_the_ticket_says_of_an_act_counts_and_the_rest_is_as_to_grant_the_request() -> None:
    mapped = desk_map(
        known(UNSHIPPED), {"stop order": MappedAct("cancel_order", {"reason": "why", "order": "no"})}
    )
    (call,) = (
        record(ASKS, did("stop order", why="too late", other=1), mapped=mapped).transcript.turns[1].calls
    )
    assert call.arguments == {"order": NUMBER, "reason": "too late"}


def test_an_act_that_this_desk_cannot_do_is_kept_with_its_refusal() -> None:
    found = record(ASKS, did("send again"), desk("Sent."))
    (call,) = found.transcript.turns[1].calls
    assert call.tool == "reship" and not call.result.ok and "line" in call.result.refusal
    twice = record(ASKS, STOP, STOP).transcript.turns[1].calls
    assert [call.result.ok for call in twice] == [True, False]


def test_acts_without_a_tool_are_named_once_with_their_dollars() -> None:
    coupon = did("coupon", value="20.50")
    found = record(ASKS, coupon, desk("Here."), customer("More!"), coupon, did("coupon", value=9), STOP)
    assert found.elsewhere == DoneElsewhere(("coupon",), 50.0)
    assert told(found.transcript)[-1] == ("agent", "", ["cancel_order"])


@pytest.mark.parametrize(
    "failed",
    [did("coupon", ok=False, value="5"), TicketEvent("customer", "act", act=did("coupon", value="5").act)],
)
def test_what_failed_or_the_customer_did_gave_nothing_away(failed: TicketEvent) -> None:
    found = record(ASKS, STOP, failed, did("stop order", ok=False))
    assert found.elsewhere == DoneElsewhere()
    assert told(found.transcript)[1] == ("agent", "", ["cancel_order"])


@pytest.mark.parametrize(
    ("value", "dollars"),
    [
        ("5", 5.0),
        ("$59", 59.0),
        ("US$ 1,234.50", 1234.5),
        ("USD 7.5", 7.5),
        (12, 12.0),
        (0.5, 0.5),
        ("12,50", None),
        ("1.234,50", None),
        ("20 %", None),
        ("€20", None),
        ("-5", None),
        (-5, None),
        (True, None),
        ([5], None),
        ("", None),
        ("9" * 400, None),
        ("١٢", None),
        (10**12, None),
        (float("nan"), None),
    ],
)
def test_an_amount_is_what_is_surely_one_and_any_other_is_unknown(
    value: object, dollars: float | None
) -> None:
    found = record(ASKS, did("coupon", value=value))
    assert found.elsewhere[1:] == (dollars or 0.0, dollars is not None)


def test_an_amount_that_is_not_there_is_unknown_and_one_that_nobody_names_is_nothing() -> None:
    assert not record(ASKS, did("coupon")).elsewhere.has_all_dollars
    gift = desk_map(known(UNSHIPPED), {"gift": "beyond"})
    assert record(ASKS, did("gift", value="5"), mapped=gift).elsewhere == DoneElsewhere(("gift",))


def test_passing_a_ticket_on_ends_it_for_the_desk() -> None:
    found = record(ASKS, did("pass on"), desk("A colleague will write to you."))
    assert found.transcript.ending.kind == "handed_over"
    assert record(ASKS, STOP).transcript.ending.kind == "customer_left"


def test_who_acted_first_is_named_or_who_answered_first() -> None:
    assert record(ASKS, desk("Hm."), STOP).person == "Emma Example"
    assert record(ASKS, desk("No."), mapped=desk_map(known(SHIPPED))).person == "Emma Example"
    assert record(ASKS).person == ""
    assert record(ASKS, TicketEvent("human", "act", act=STOP.act)).person == ""


def test_without_a_record_what_people_did_cannot_be_made_again() -> None:
    (call,) = record(ASKS, STOP, mapped=desk_map()).transcript.turns[1].calls
    assert not call.result.ok


def test_what_the_customer_says_later_is_known_from_then_on() -> None:
    threat = customer("I will kill you all if you don't!")
    found = record(ASKS, desk("No."), threat, desk("Bye."), mapped=desk_map(known(SHIPPED)))
    conduct = found.transcript.turns[2].conduct
    assert conduct and conduct.discloses == {"threat": "harm"} and conduct.worded_by == "person"
