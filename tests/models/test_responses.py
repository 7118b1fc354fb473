"""OpenAI's API of today: items instead of messages, and reasoning that goes back encrypted."""

import json
from typing import Any

import pytest

from supportagentbench.models import Completion, Message, ModelRequest, ToolRequest
from supportagentbench.models.dialect import ErrorInAnswer, UnreadableAnswer
from supportagentbench.models.responses import Responses
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.tool_spec import ToolSpec

LOOK = ToolSpec(
    "find_order", "Find an order.", {"type": "object", "properties": {"order": {"type": "string"}}}
)
TALK = (
    Message("system", "You answer e-mails."),
    Message("user", "Where is #1101?"),
    Message(
        "assistant",
        "One moment.",
        calls=(ToolRequest("a", "find_order", {"order": "#1101"}), ToolRequest("b", "find_order", "{oops")),
    ),
    Message("tool", "shipped", answers="a"),
    Message("tool", "not run", answers="b"),
    Message("assistant", ""),
    Message("user", "And?"),
)
THOUGHT = {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAAxyz"}
CALL = {
    "type": "function_call",
    "id": "fc_1",
    "call_id": "a",
    "name": "find_order",
    "arguments": '{ "order":"#1101" }',
    "status": "completed",
}


def body(request: ModelRequest, model: str = "gpt-5.4", **settings: Any) -> dict[str, Any]:
    found: dict[str, Any] = json.loads(Responses().body(model, request, ModelSpec(**settings)))
    return found


def says(*words: str, **more: Any) -> dict[str, Any]:
    content = [{"type": "output_text", "text": text, "annotations": []} for text in words]
    return {"type": "message", "id": "msg_1", "role": "assistant", "content": content} | more


def read(*output: dict[str, Any], **more: Any) -> Completion:
    reply = {"object": "response", "status": "completed", "model": "gpt-5.4", "output": output}
    return Responses().read(json.dumps(reply | more).encode())


def test_the_talk_goes_out_item_by_item_and_the_policy_as_instructions() -> None:
    sent = body(ModelRequest(TALK, tools=(LOOK,)))
    assert sent["instructions"] == "You answer e-mails."
    assert [item.get("type", item.get("role")) for item in sent["input"]] == [
        *("user", "assistant", "function_call", "function_call"),
        *("function_call_output", "function_call_output", "user"),
    ]
    assert [item["call_id"] for item in sent["input"][2:6]] == ["a", "b", "a", "b"]
    assert [json.loads(item["arguments"]) for item in sent["input"][2:4]] == [{"order": "#1101"}, {}]


def test_nothing_is_stored_and_tools_keep_their_own_schema() -> None:
    sent = body(ModelRequest(TALK, tools=(LOOK,)))
    assert sent["store"] is False
    assert sent["tools"] == [
        {
            "type": "function",
            "name": "find_order",
            "description": "Find an order.",
            "parameters": LOOK.schema,
            "strict": False,
        }
    ]


def test_only_settings_that_were_given_are_sent() -> None:
    assert set(body(ModelRequest(TALK))) == {"model", "instructions", "input", "store", "include"}
    sent = body(ModelRequest(TALK), temperature=0.0, top_p=0.5, max_tokens=99, effort="low")
    assert (sent["temperature"], sent["top_p"], sent["max_output_tokens"]) == (0, 0.5, 99)
    assert sent["reasoning"] == {"effort": "low"}


@pytest.mark.parametrize(
    ("model", "reasons"),
    [("gpt-5.4", True), ("o3", True), ("gpt-6-sol", True), ("gpt-4o", False), ("ft:gpt-4.1:x", False)],
)
def test_encrypted_reasoning_is_asked_of_models_that_have_any(model: str, reasons: bool) -> None:
    assert body(ModelRequest(TALK), model).get("include", []) == ["reasoning.encrypted_content"] * reasons


def test_an_answer_can_be_held_to_a_schema() -> None:
    form = body(ModelRequest(TALK, schema={"type": "object"}))["text"]["format"]
    assert form == {"type": "json_schema", "name": "answer", "strict": True, "schema": {"type": "object"}}


def test_reasoning_goes_back_unchanged_before_the_call_that_it_led_to() -> None:
    completion = read(THOUGHT, CALL)
    assert completion.calls == (ToolRequest("a", "find_order", {"order": "#1101"}),)
    assert completion.stop == "calls"
    dialogue = (Message("user", "x"), completion.message, Message("tool", "y", answers="a"))
    assert body(ModelRequest(dialogue))["input"][1:3] == [THOUGHT, CALL]


@pytest.mark.parametrize(
    "output",
    [
        pytest.param((THOUGHT | {"encrypted_content": None}, says("Hm."), CALL), id="not encrypted"),
        pytest.param((says("Hm."), CALL, THOUGHT), id="that led to nothing"),
    ],
)
def test_reasoning_that_the_provider_would_not_know_stays_here(output: tuple[dict[str, Any], ...]) -> None:
    sent = body(ModelRequest((read(*output).message,)))["input"]
    assert sent[0] == {"role": "assistant", "content": "Hm."}
    assert sent[1].keys() == {"type", "call_id", "name", "arguments"}, "nor do ids that refer to it go out"


def test_arguments_that_were_no_object_are_not_sent_back_broken() -> None:
    completion = read(THOUGHT, CALL | {"arguments": '{"order": '})
    assert completion.calls[0].arguments == '{"order": '
    assert body(ModelRequest((completion.message,)))["input"][1]["arguments"] == "{}"


def test_what_can_be_read_of_the_reasoning_is_kept_apart_from_the_reply() -> None:
    thought = THOUGHT | {"summary": [{"type": "summary_text", "text": "Greet."}]}
    completion = read(thought, says("Hello, ", "you."))
    assert (completion.text, completion.reasoning, completion.stop) == ("Hello, you.", "Greet.", "end")


def test_remarks_on_the_way_are_no_part_of_a_final_answer() -> None:
    completion = read(says("Let me see.", phase="commentary"), says("Shipped.", phase="final_answer"))
    assert completion.text == "Shipped."
    assert read(says("Let me see.", phase="commentary"), CALL).text == "Let me see."


@pytest.mark.parametrize(
    ("output", "more", "text", "stop"),
    [
        (says("Yes."), {}, "Yes.", "end"),
        (
            says("Ye"),
            {"status": "incomplete", "incomplete_details": {"reason": "max_output_tokens"}},
            "Ye",
            "length",
        ),
        (THOUGHT, {"status": "incomplete", "incomplete_details": None}, "", "length"),
        (
            says(""),
            {"status": "incomplete", "incomplete_details": {"reason": "content_filter"}},
            "",
            "refusal",
        ),
        (says() | {"content": [{"type": "refusal", "refusal": "I can't."}]}, {}, "I can't.", "refusal"),
    ],
)
def test_why_it_stopped(output: dict[str, Any], more: dict[str, Any], text: str, stop: str) -> None:
    completion = read(output, **more)
    assert (completion.text, completion.stop) == (text, stop)


def test_buckets_do_not_overlap() -> None:
    usage = {
        "input_tokens": 100,
        "input_tokens_details": {"cached_tokens": 60, "cache_write_tokens": 10},
        "output_tokens": 50,
        "output_tokens_details": {"reasoning_tokens": 40},
        "total_tokens": 150,
    }
    found = read(says("x"), usage=usage).usage
    assert (found.input, found.cache_read, found.cache_write, found.output) == (30, 60, 10, 50)
    assert (found.reasoning, found.model) == (40, "gpt-5.4")


@pytest.mark.parametrize(
    "usage",
    [
        None,
        {},
        {"input_tokens": 9},
        {"input_tokens": 9, "output_tokens": 1, "input_tokens_details": {"cached_tokens": 10}},
    ],
)
def test_counts_that_cannot_be_right_are_unknown_and_not_zero(usage: Any) -> None:
    assert read(says("x"), usage=usage).usage.unread


@pytest.mark.parametrize(
    ("error", "again"),
    [
        ({"code": "server_error", "message": "The server had an error."}, True),
        ({"code": "rate_limit_exceeded", "message": "Slow down."}, True),
        ({"code": "invalid_prompt", "message": "Limited access to this content."}, False),
    ],
)
def test_a_response_that_failed_is_the_provider_s_error(error: dict[str, str], again: bool) -> None:
    with pytest.raises(ErrorInAnswer) as caught:
        read(status="failed", error=error)
    assert (caught.value.error.cause, caught.value.error.again) == ("provider_error", again)


@pytest.mark.parametrize("status", ["failed", "in_progress", "queued", "cancelled"])
def test_a_response_without_an_end_is_no_answer(status: str) -> None:
    with pytest.raises(UnreadableAnswer, match=status):
        read(says("Ye"), status=status)
