"""A model at the desk: it calls tools until it answers in words, and every odd end has a name."""

import asyncio

import pytest

from conversations import CASES, Hold
from supportagentbench.agents.tool_loop import MOST_MALFORMED, MOST_STEPS, PROMPT, ToolLoop
from supportagentbench.desk.session import DeskSession
from supportagentbench.models import Completion, Message, ModelError, ModelRequest, Stop, ToolRequest
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Attachment, ToolCall, Transcript, Turn
from supportagentbench.records.usage import Usage

LOOK = ToolRequest("1", "find_order", {"order": CASES.cases["cancel_before_ship-1"].subject})


class Scripted:
    """A model that says what it was given, one completion after the other, the last one for ever."""

    name = "scripted"

    def __init__(self, *completions: Completion | ModelError) -> None:
        self.completions = list(completions)
        self.requests: list[ModelRequest] = []

    async def complete(self, request: ModelRequest) -> Completion:
        self.requests.append(request)
        found = self.completions.pop(0) if len(self.completions) > 1 else self.completions[0]
        if isinstance(found, ModelError):
            raise found
        return found


def says(text: str, *calls: ToolRequest, stop: Stop = "end") -> Completion:
    return Completion(text, Usage("m", input=10, output=3), calls=calls, stop="calls" if calls else stop)


def held(hold: Hold, *completions: Completion | ModelError) -> tuple[Transcript, Scripted]:
    model = Scripted(*completions)
    return hold("cancel_before_ship-1", ToolLoop(model, 7)), model


def test_tools_are_called_until_it_answers(hold: Hold) -> None:
    transcript, model = held(hold, says("", LOOK), says("One moment.", LOOK, LOOK), says("It is on its way."))
    answer = transcript.turns[1]
    assert answer.text == "It is on its way."
    assert [call.tool for call in answer.calls] == ["find_order"] * 3
    assert len(answer.usage) == 3
    roles = [message.role for message in model.requests[2].messages]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "tool", "tool"]


def test_the_policy_stands_first_and_never_changes_so_that_it_can_be_cached(hold: Hold) -> None:
    _, model = held(hold, says("", LOOK), says("Anything else?"))
    first = [request.messages[0] for request in model.requests]
    assert len({message.text for message in first}) == 1
    assert "Northline" in first[0].text
    for earlier, later in zip(model.requests, model.requests[1:], strict=False):
        assert later.messages[: len(earlier.messages)] == earlier.messages


def test_what_a_model_is_sent_changes_only_with_the_version_of_the_prompt() -> None:
    """Had to change the lines below? Then raise PROMPT, so that old and new runs are not mixed."""
    model, desk = (
        Scripted(says("Hi.")),
        DeskSession(CASES.desk_for(CASES.cases["cancel_before_ship-1"])).open_turn(),
    )
    photo = Attachment("shoe.jpg", "photo", "a torn sole")
    opening = Turn("customer", "It broke.", attachments=(photo,), sender=Sender("Ada", "ada@example.com"))
    asyncio.run(ToolLoop(model, 7).reply([opening], desk))
    assert [(message.role, message.text) for message in model.requests[0].messages] == [
        ("system", desk.instructions),
        ("user", "From: Ada <ada@example.com>\n\nIt broke.\n\n[Attached photo shoe.jpg: a torn sole]"),
    ]
    assert (PROMPT, MOST_STEPS, MOST_MALFORMED) == ("tool_loop/1", 12, 3)


def test_every_request_of_a_conversation_has_its_own_number(hold: Hold) -> None:
    _, model = held(hold, says("", LOOK), says("Anything else?"))
    assert [request.step for request in model.requests] == list(range(len(model.requests)))
    assert {request.seed for request in model.requests} == {7}


@pytest.mark.parametrize(
    ("completion", "cause"),
    [
        (says(""), "empty_reply"),
        (says("  \n"), "empty_reply"),
        (says("I won't.", stop="refusal"), "refusal"),
        (says("The order is", stop="length"), "cut_off"),
        (says("", ToolRequest("1", "find_order", "{oops")), "malformed_call"),
        (says("", LOOK), "too_many_calls"),
        (ModelError("context_overflow", "too long", Usage("m")), "context_overflow"),
        (ModelError("provider_error", "401: no", Usage("m", attempts=1)), "provider_error"),
    ],
)
def test_each_odd_end_has_its_name(hold: Hold, completion: Completion | ModelError, cause: str) -> None:
    transcript, _ = held(hold, completion)
    assert (transcript.ending.kind, transcript.ending.cause) == ("broke", cause)
    assert transcript.turns[-1].usage, "what was used is on record even so"


def test_rounds_of_tools_are_bounded(hold: Hold) -> None:
    _, model = held(hold, says("", LOOK))
    assert len(model.requests) == MOST_STEPS


def test_an_unknown_tool_is_answered_and_can_be_mended(hold: Hold) -> None:
    transcript, model = held(hold, says("", ToolRequest("1", "refund", {})), says("Sorry, I can't refund."))
    assert "There is no tool 'refund'" in model.requests[1].messages[-1].text
    assert not transcript.turns[1].calls[0].result.ok


def test_handing_over_without_a_word_is_an_end_and_no_fault(hold: Hold) -> None:
    transcript, _ = held(hold, says("", ToolRequest("1", "hand_over", {"reason": "asked for"})), says(""))
    assert transcript.ending.kind == "handed_over"


CLOSE = ToolRequest("1", "close_ticket", {"summary": "done"})


def test_a_model_that_closes_again_and_again_comes_to_its_end(hold: Hold) -> None:
    transcript, model = held(hold, says("", CLOSE), says("Goodbye.", CLOSE))
    assert (transcript.ending.kind, transcript.turns[-1].text) == ("ticket_closed", "Goodbye.")
    assert [call.result.ok for call in transcript.turns[-1].calls] == [True, False]
    assert len(model.requests) == 2


def test_a_look_up_after_the_end_and_two_ends_at_once_still_leave_the_last_word(hold: Hold) -> None:
    over = ToolRequest("2", "hand_over", {"reason": "asked for"})
    transcript, _ = held(hold, says("", over, CLOSE), says("", LOOK), says("A colleague will write."))
    assert (transcript.ending.kind, transcript.turns[-1].text) == ("handed_over", "A colleague will write.")
    assert [call.result.ok for call in transcript.turns[-1].calls] == [True, False, True]


def test_the_account_that_a_ticket_comes_from_stands_above_its_first_message(hold: Hold) -> None:
    case = CASES.cases["cancel_before_ship-1"]
    transcript, model = held(hold, says("Shall I cancel it?"))
    told = [message.text for message in model.requests[-1].messages if message.role == "user"]
    assert case.sender and transcript.turns[0].sender == case.sender
    assert told[0] == f"From: {case.sender.name} <{case.sender.email}>\n\n{case.opening}"
    assert not any("From:" in text for text in told[1:])


def test_what_the_customer_attached_is_told(hold: Hold) -> None:
    case = next(
        case for case in CASES.cases.values() if any(e.when == "volunteer" for e in case.brief.evidence)
    )
    model = Scripted(says("Thank you."))
    hold(case.id, ToolLoop(model, 0))
    assert case.brief.evidence[0].name in model.requests[0].messages[1].text


def test_a_talk_that_others_began_is_taken_over_as_its_own(hold: Hold) -> None:
    first = hold("cancel_before_ship-1", ToolLoop(Scripted(says("", LOOK), says("Anything else?")), 0))
    model = Scripted(says("Goodbye."))
    loop = ToolLoop(model, 0)

    class Later:
        async def reply(self, turns, desk):  # type: ignore[no-untyped-def]
            return await loop.reply((*first.turns[:2], turns[0]), desk)

    hold("cancel_before_ship-1", Later())
    roles = [message.role for message in model.requests[0].messages]
    assert roles == ["system", "user", "assistant", "tool", "assistant", "user"]
    assert model.requests[0].messages[2] == Message(
        "assistant", calls=(ToolRequest("call_1_0", "find_order", LOOK.arguments),)
    )


def test_the_record_says_which_model_call_asked_for_which_tools(hold: Hold) -> None:
    transcript, _ = held(
        hold,
        says("", LOOK),
        says("", LOOK, LOOK),
        says("May I?"),
        says("", LOOK),
        says("Anything else?"),
    )
    first, second = [turn for turn in transcript.turns if turn.party == "agent"][:2]
    assert [usage.step for usage in first.usage] == [1, 2, 3]
    assert [call.step for call in first.calls] == [1, 2, 2]
    assert [usage.step for usage in second.usage] == [4, 5]
    assert [call.step for call in second.calls] == [4]


def test_a_reply_that_others_began_is_finished_after_their_calls() -> None:
    case = CASES.cases["cancel_before_ship-1"]
    session = DeskSession(CASES.desk_for(case))
    model = Scripted(says("It is on its way."), says("Goodbye."))
    loop = ToolLoop(model, 7)
    opening = Turn("customer", case.opening, sender=case.sender)
    desk = session.open_turn()
    made = ToolCall(LOOK.tool, LOOK.arguments, desk.call(LOOK.tool, LOOK.arguments))
    words = asyncio.run(loop.reply((opening, Turn("agent", "", calls=(made,))), desk))
    assert words == "It is on its way."
    roles = [message.role for message in model.requests[0].messages]
    assert roles == ["system", "user", "assistant", "tool"], "no empty words are sent between"
    whole = Turn("agent", words, calls=(made,))
    asyncio.run(loop.reply((opening, whole, Turn("customer", "Thanks.")), desk))
    said = [(message.role, message.text) for message in model.requests[1].messages]
    assert said[-2:] == [("assistant", "It is on its way."), ("user", "Thanks.")]
    assert not any(message.native for message in model.requests[1].messages)
