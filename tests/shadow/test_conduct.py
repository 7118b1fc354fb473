"""Conduct: what a talk came to, and what was done, asked and told in it."""

from collections.abc import Sequence
from datetime import date
from typing import Any

import pytest

from conversations import HEADER
from supportagentbench.records.case import Label
from supportagentbench.records.replay import ReplayTalk
from supportagentbench.records.transcript import (
    Cause,
    CustomerState,
    Ending,
    SpeechActs,
    ToolCall,
    ToolResult,
    Transcript,
    Turn,
)
from supportagentbench.records.usage import Usage
from supportagentbench.shadow.conduct import MOST_ACTS, conduct_of
from supportagentbench.storage.transcripts import Filed

OPENING = Turn("customer", "My case arrived with a crack. I paid $80.00 for it on 3 June 2026.")


def call(tool: str, *, ok: bool = True, **arguments: Any) -> ToolCall:
    return ToolCall(
        tool, arguments, ToolResult.of({"found": 1}) if ok else ToolResult.refused("no such order")
    )


def says(text: str, *calls: ToolCall, usage: Sequence[Usage] = ()) -> Turn:
    return Turn("agent", text, calls=tuple(calls), usage=tuple(usage))


def conduct(*turns: Turn, ending: str = "customer_left", cause: Cause | None = None) -> ReplayTalk:
    transcript = Transcript(
        case="t-1",
        family="t-1",
        bucket="resolvable",
        run=1,
        seed=0,
        start="",
        label=Label("undecided"),
        turns=(OPENING, *turns),
        ending=Ending(ending, cause),  # type: ignore[arg-type]
        today=date(2026, 6, 20),
    )
    return conduct_of(Filed(transcript, "0" * 16, 0.0, 1.0), HEADER)


HANDED = call("hand_over", reason="x")
CANCELLED = call("cancel_order", order="#1101", reason="other")


@pytest.mark.parametrize(
    ("turns", "course"),
    [
        ([says("Could you tell me your order number, please?")], "asked"),
        ([says("Your parcel is on its way.")], "answered"),
        ([says(" "), says("")], "silent"),
        ([says("I'm sorry, we cannot replace it.")], "refused"),
        ([says("I've cancelled order #1101.", CANCELLED)], "acted"),
        ([says("I've cancelled it, the rest is for a colleague.", CANCELLED, HANDED)], "handed_over"),
        ([says("Could you tell me your order number, please?"), says("It is on its way.")], "answered"),
        ([says("I've cancelled it.", call("cancel_order", ok=False, order="#1"))], "answered"),
    ],
)
def test_what_a_talk_came_to(turns: list[Turn], course: str) -> None:
    assert conduct(*turns).course == course


def test_a_talk_that_broke_says_why() -> None:
    broken = conduct(says("Sure", CANCELLED), ending="broke", cause="agent_error")
    assert (broken.course, broken.cause, broken.is_whole) == ("broke", "agent_error", True)
    assert not conduct(says(""), ending="broke", cause="budget").is_whole


def test_acts_are_apart_from_attempts_look_ups_and_the_closing_of_the_ticket() -> None:
    found = conduct(
        says("One moment.", call("find_order", ok=False, email="x@example.com"), call("track_parcel")),
        says("Done.", CANCELLED, call("reship", ok=False, order="#1101", line=1), call("close_ticket")),
    )
    assert [(one.act, one.words, one.turn) for one in found.acts] == [
        ("cancel_order", "Cancelled order #1101 (other)", 2)
    ]
    assert found.acts[0].names == {"order": "#1101"}
    assert [one.act for one in found.tried] == ["reship"]
    assert found.looked_up == {"find_order": False, "track_parcel": True}
    assert found.closed


def test_an_act_without_its_arguments_is_called_by_its_title() -> None:
    (one,) = conduct(says("", call("cancel_order"))).acts
    assert one.words == "Cancel the order"
    wild = ToolCall("cancel_order", "not even a table", ToolResult.of({}))
    assert conduct(says("", wild)).acts[0].names == {}


def test_what_is_asked_is_as_the_customer_heard_it() -> None:
    heard = CustomerState(moves=(), heard=SpeechActs(asks=("photo",)))
    found = conduct(
        says("Could you tell me your order number, please?"),
        Turn("customer", "#1101", conduct=heard),
        says("Could you tell me your order number, please?"),
    )
    assert found.asked == ("photo", "order_number")


def test_a_question_in_another_language_than_the_customer_s_is_one_all_the_same() -> None:
    unheard = Turn("customer", "What?", conduct=CustomerState(moves=()))
    found = conduct(says("Lo siento, ¿me puede decir su número de pedido, por favor?"), unheard)
    assert found.asked == ("order_number",)


def test_promises_have_one_way_of_writing_and_their_words() -> None:
    found = conduct(says("You get $25 back. It comes by 5 July 2026, in 3-5 business days."))
    told = {(one.kind, one.what): one.quote for one in found.claims}
    assert told["money", "25.00"] == "You get $25 back."
    assert ("date", "2026-07-05") in told and ("period", "3–5 business days") in told
    day, hours = (conduct(says(f"It takes {time}.")).claims[0].what for time in ("24 hours", "2-6 hours"))
    assert (day, hours) == ("1 day", "2–6 hours")


def test_what_the_customer_said_first_is_no_promise_nor_is_a_question() -> None:
    found = conduct(says("You paid $80.00 on 3 June 2026. Is it 9 July 2026 that you need it?"))
    assert found.claims == ()


def test_a_reported_act_is_a_claim_whether_or_not_it_was_done() -> None:
    (one,) = conduct(says("I've cancelled order #1101.")).claims
    assert (one.kind, one.what) == ("done", "cancel_order") and "cancelled" in one.quote


def test_messages_words_language_and_dollars_are_the_agent_s() -> None:
    bill = Usage("m", "agent", input=1, output=1, cost=0.5)
    found = conduct(says("Wo ist die Bestellung, bitte?", usage=[bill]), Turn("customer", "Hm."), says(" "))
    assert (found.messages, found.words, found.language, found.cost) == (1, 5, "de", 0.5)
    assert conduct(says("", usage=[Usage("m", "agent", cost=None)])).cost is None
    assert conduct(says("")).language == ""


def test_a_talk_full_of_acts_and_claims_stays_small() -> None:
    many = " ".join(f"You get ${number} back." for number in range(1, 900))
    calls = [call("cancel_order", order="#1" * 10_000) for _ in range(60)]
    found = conduct(*(says(many * 3, *calls) for _ in range(8)))
    assert len(found.acts) == MOST_ACTS and len(repr(found)) < 30_000
