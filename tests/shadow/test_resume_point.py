"""Resume point: before the desk's first act of consequence, at the end of what the customer had written."""

from collections.abc import Sequence

import pytest
from hypothesis import given
from hypothesis import strategies as st

from real_tickets import customer, desk, desk_map, did, note, ticket
from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import TicketEvent
from supportagentbench.records.transcript import Attachment
from supportagentbench.shadow.resume_point import UNSEEN, resume_point, turns_of

STOP, LOOK = did("stop order"), did("open order")
ASKS, ANSWERS = customer("Please cancel my order."), customer("Yes, that one.")
SYSTEM = TicketEvent("system", "message", "How did we do?")


def texts(events: Sequence[TicketEvent]) -> list[str]:
    return [event.text or event.act.name if event.act else event.text for event in events]


def cut(*events: TicketEvent) -> tuple[list[str], list[str]]:
    """What is history, and what comes later."""
    found = resume_point(ticket(*events), desk_map())
    assert (*found.history, *found.later) == events
    return texts(found.history), texts(found.later)


def test_it_is_before_the_first_act_of_consequence() -> None:
    history, later = cut(
        ASKS, desk("Which one?"), ANSWERS, STOP, desk("Done."), customer("Thanks!"), did("coupon")
    )
    assert history == ["Please cancel my order.", "Which one?", "Yes, that one."]
    assert later == ["stop order", "Done.", "Thanks!", "coupon"]
    assert resume_point(ticket(ASKS, LOOK, STOP, did("coupon")), desk_map()).act is STOP


def test_look_ups_before_it_stay_and_what_the_desk_wrote_after_the_last_message_belongs_to_the_decision() -> (
    None
):
    history, later = cut(ASKS, LOOK, desk("One?"), LOOK, ANSWERS, LOOK, desk("I'll do it."), STOP)
    assert history == ["Please cancel my order.", "open order", "One?", "open order", "Yes, that one."]
    assert later == ["open order", "I'll do it.", "stop order"]


def test_an_act_beyond_the_world_counts_as_one() -> None:
    assert cut(ASKS, desk("Hm."), ANSWERS, did("coupon"), STOP)[1] == ["coupon", "stop order"]


@pytest.mark.parametrize(
    "harmless",
    [
        did("stop order", ok=False),
        TicketEvent("customer", "act", act=STOP.act),
        note("Should I cancel?"),
        TicketEvent("system", "status", "open"),
    ],
)
def test_what_failed_or_was_not_done_by_the_desk_is_no_act(harmless: TicketEvent) -> None:
    history, later = cut(ASKS, harmless, desk("Which one?"), ANSWERS, STOP, desk("Done."))
    assert history[-1] == "Yes, that one." and later == ["stop order", "Done."]


def test_a_bots_act_is_the_desks() -> None:
    assert (
        cut(ASKS, desk("Hm."), ANSWERS, TicketEvent("bot", "act", act=STOP.act), STOP)[1]
        == ["stop order"] * 2
    )


def test_without_an_act_the_desk_resumes_after_the_opening() -> None:
    second = customer("And hurry.")
    history, later = cut(ASKS, note("vip"), second, LOOK, desk("We can't."), ANSWERS, desk("Sorry."))
    assert history == ["Please cancel my order.", "vip", "And hurry."]
    assert later == ["open order", "We can't.", "Yes, that one.", "Sorry."]


def test_a_chat_that_the_desk_begins_is_resumed_after_the_customers_opening_too() -> None:
    history, later = cut(
        desk("Hello! How can I help?"), SYSTEM, ASKS, desk("We can't."), ANSWERS, desk("Sorry.")
    )
    assert history == ["Hello! How can I help?", "How did we do?", "Please cancel my order."]
    assert later[0] == "We can't."


def test_nobody_has_to_have_answered() -> None:
    assert cut(ASKS, LOOK, ANSWERS) == (["Please cancel my order.", "open order", "Yes, that one."], [])


@pytest.mark.parametrize("events", [(STOP, ASKS), (desk("Hello?"), STOP, ASKS), (desk("Hello?"),), ()])
def test_without_a_message_of_the_customer_before_it_there_is_none(events: tuple[TicketEvent, ...]) -> None:
    with pytest.raises(Problem, match="no message of a customer before the desk's first act"):
        cut(*events)


EVENTS = st.lists(st.sampled_from([ASKS, ANSWERS, desk("Hm."), LOOK, STOP, SYSTEM, note("n")]), max_size=9)


@given(EVENTS)
def test_history_ends_with_the_customer_and_holds_no_act_of_consequence(events: list[TicketEvent]) -> None:
    try:
        found = resume_point(ticket(*events), desk_map())
    except Problem:
        assert ASKS not in events[: events.index(STOP) if STOP in events else None]
        assert ANSWERS not in events[: events.index(STOP) if STOP in events else None]
        return
    assert found.history[-1] in (ASKS, ANSWERS) and STOP not in found.history
    assert [*found.history, *found.later] == events
    assert turns_of(found.history)[-1].party == "customer"


def test_messages_in_a_row_are_one_turn_and_only_what_was_said_between_customer_and_desk_is_one() -> None:
    photo = customer("Here.", "box.JPG", "bill.pdf")
    turns = turns_of([desk("Hello!"), desk("Yes?"), ASKS, LOOK, note("hm"), SYSTEM, photo, desk("Thanks.")])
    assert [(turn.party, turn.text) for turn in turns] == [
        ("agent", "Hello!\n\nYes?"),
        ("customer", "Please cancel my order.\n\nHere."),
        ("agent", "Thanks."),
    ]
    assert turns[1].attachments == (
        Attachment("box.JPG", "photo", UNSEEN),
        Attachment("bill.pdf", "receipt", UNSEEN),
    )
    assert not any(turn.calls or turn.conduct for turn in turns)


def test_files_of_the_desk_are_not_the_customers() -> None:
    sent = TicketEvent("human", "message", "The form.", attachments=("form.png",))
    assert turns_of([sent])[0].attachments == ()
