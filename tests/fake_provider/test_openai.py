"""Chat completions, read as strictly as the real ones read them."""

from typing import Any

import msgspec
import pytest

from supportagentbench.fake_provider.clerk import DialogueLine, ModelReply, ReceivedRequest
from supportagentbench.fake_provider.counts import Tokens
from supportagentbench.fake_provider.dialect import RequestRefused
from supportagentbench.fake_provider.openai import FakeOpenAI

HEADERS = {"Authorization": "Bearer sk-test", "Content-Type": "application/json"}
USER = {"role": "user", "content": "Where is #1101?"}
CALL = {"id": "c1", "type": "function", "function": {"name": "find_order", "arguments": "{}"}}
CALLING = {"role": "assistant", "content": None, "tool_calls": [CALL]}
RESULT = {"role": "tool", "tool_call_id": "c1", "content": "{}"}
CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
TOOL = {"type": "function", "function": {"name": "find_order", "parameters": {"type": "object"}}}


def read(headers: dict[str, str] = HEADERS, **changes: Any) -> ReceivedRequest:
    body = {"model": "m", "messages": [USER]} | changes
    return FakeOpenAI().read(headers, msgspec.json.encode(body))


def refusal(headers: dict[str, str] = HEADERS, **changes: Any) -> RequestRefused:
    with pytest.raises(RequestRefused) as found:
        FakeOpenAI().refuse_model(read(headers, **changes), context=2000)
    return found.value


def with_schema(schema: dict[str, Any], *, strict: bool = True) -> dict[str, Any]:
    return {"type": "json_schema", "json_schema": {"name": "answer", "schema": schema, "strict": strict}}


def test_a_request_as_the_clerk_sees_it() -> None:
    system = {"role": "system", "content": "Be kind."}
    parts = {
        "role": "user",
        "content": [{"type": "text", "text": "Where "}, {"type": "text", "text": "is it?"}],
    }
    found = read(messages=[system, parts, CALLING, RESULT], tools=[TOOL], reasoning_effort="low")
    assert found.system == "Be kind." and found.tools == ("find_order",) and found.reasons
    assert found.key == "sk-test" and found.schema is None
    assert found.messages == (
        DialogueLine("user", "Where is it?"),
        DialogueLine("assistant", calls=(("find_order", "{}"),)),
        DialogueLine("tool", "{}"),
    )


def test_what_was_sent_before_comes_from_the_cache() -> None:
    long = {"role": "user", "content": "x" * 400}
    first = read(messages=[long]).prompt
    assert first == Tokens(input=100)
    then = read(messages=[long, {"role": "assistant", "content": "y" * 40}, USER]).prompt
    assert then.cache_read == 100 and then.input == (40 + len("Where is #1101?")) // 4


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([], "empty array"),
        ([USER, CALLING], "did not have response messages: c1"),
        ([USER, CALLING, USER, RESULT], "did not have response messages: c1"),
        ([USER, CALLING, RESULT, RESULT], "must be a response to a preceding"),
        ([USER, RESULT], "must be a response to a preceding"),
        ([USER, {**CALLING, "tool_calls": []}], "empty array"),
        ([{"role": "user", "content": None}], "got null"),
        ([USER, {"role": "assistant", "content": None}], "got null"),
        ([{"role": "robot", "content": "beep"}], "Invalid enum value 'robot'"),
        (
            [USER, {**CALLING, "tool_calls": [{**CALL, "function": {"name": "f", "arguments": {}}}]}],
            "arguments",
        ),
    ],
)
def test_dialogues_that_make_no_sense(messages: list[Any], words: str) -> None:
    found = refusal(messages=messages)
    assert found.status == 400 and words in found.message


def test_a_refusal_may_be_handed_back() -> None:
    declined = {"role": "assistant", "content": None, "refusal": "No."}
    assert len(read(messages=[USER, declined, USER]).messages) == 3


@pytest.mark.parametrize(
    "changes",
    [
        {"tools": []},
        {
            "tools": [
                {"type": "function", "function": {"name": "two words", "parameters": {"type": "object"}}}
            ]
        },
        {"tools": [{"type": "function", "function": {"name": "f", "parameters": {"type": "string"}}}]},
        {"tool_choice": "auto"},
        {"tools": [TOOL], "tool_choice": {"type": "function", "function": {"name": "other"}}},
        {"response_format": {"type": "json_schema"}},
        {"response_format": with_schema({"type": "object"})},
        {"response_format": with_schema({**CLOSED, "required": []})},
        {"response_format": with_schema({**CLOSED, "properties": {"a": {"type": "object"}}})},
        {"stream": True},
        {"model": 7},
        {"reasoning_effort": "huge"},
    ],
)
def test_settings_that_are_refused(changes: dict[str, Any]) -> None:
    assert refusal(**changes).status == 400


@pytest.mark.parametrize(
    ("model", "effort", "is_refused"),
    [
        ("gpt-5", "high", False),
        ("gpt-5.4", None, False),
        ("gpt-5.4", "none", False),
        ("gpt-5.4-mini", "low", True),
        ("gpt-5.6-sol", None, True),
        ("gpt-5.6-sol", "low", True),
        ("gpt-5.6-sol", "none", False),
        ("gpt-6-sol", None, True),
    ],
)
def test_models_of_today_do_not_reason_with_tools_here(
    model: str, effort: str | None, is_refused: bool
) -> None:
    changes: dict[str, Any] = {"model": model, "tools": [TOOL]} | (
        {"reasoning_effort": effort} if effort else {}
    )
    if is_refused:
        assert "use /v1/responses" in refusal(**changes).message
    else:
        assert read(**changes).tools == ("find_order",)
    assert read(**changes | {"tools": None}).tools == ()


def test_schemas_and_forced_tools_reach_the_clerk() -> None:
    assert read(response_format=with_schema(CLOSED)).schema == CLOSED
    assert read(response_format=with_schema({"type": "object"}, strict=False)).schema == {"type": "object"}
    assert read(response_format={"type": "json_object"}).schema == {"type": "object"}
    forced = read(tools=[TOOL], tool_choice={"type": "function", "function": {"name": "find_order"}})
    assert forced.must_call == "find_order" and forced.schema == {"type": "object"}


def test_keys() -> None:
    assert refusal({"Content-Type": "application/json"}).status == 401
    found = refusal(HEADERS | {"Authorization": "Bearer sk-bad-1234567890abcd"})
    assert (found.status, found.code) == (401, "invalid_api_key")
    assert "sk-bad-1*" in found.message and "abcd" in found.message and "567890" not in found.message
    assert refusal({"Authorization": "Bearer sk-test"}).status == 400


@pytest.mark.parametrize(
    ("model", "status", "code"),
    [
        ("unknown-model", 404, "model_not_found"),
        ("no-quota", 429, "insufficient_quota"),
        ("no-credit", 402, "insufficient_quota"),
        ("small-context", 400, "context_length_exceeded"),
        ("m", 400, "context_length_exceeded"),
    ],
)
def test_models_that_do_not_answer(model: str, status: int, code: str) -> None:
    found = refusal(model=model, messages=[{"role": "user", "content": "x" * 9000}])
    assert (found.status, found.code) == (status, code)
    error = msgspec.json.decode(FakeOpenAI().error(found))["error"]
    assert error["code"] == code and error["message"] and error["type"]


def test_a_reply_on_the_wire() -> None:
    tokens = Tokens(input=10, cache_read=20, output=8, reasoning=3)
    said = ModelReply("", calls=(("a", "{}"), ("b", '{"x":')), reasoning="Hm.")
    reply = msgspec.json.decode(FakeOpenAI().write(read(), said, tokens, 1, 0.25))
    choice, usage = reply["choices"][0], reply["usage"]
    assert choice["finish_reason"] == "tool_calls"
    assert choice["message"]["content"] is None and choice["message"]["reasoning_content"] == "Hm."
    assert [call["function"]["arguments"] for call in choice["message"]["tool_calls"]] == ["{}", '{"x":']
    assert len({call["id"] for call in choice["message"]["tool_calls"]}) == 2
    assert (usage["prompt_tokens"], usage["completion_tokens"], usage["total_tokens"]) == (30, 8, 38)
    assert usage["prompt_tokens_details"]["cached_tokens"] == 20
    assert usage["completion_tokens_details"]["reasoning_tokens"] == 3 and usage["cost"] == 0.25


@pytest.mark.parametrize(
    ("said", "finish", "content", "refused"),
    [
        (ModelReply("Hi."), "stop", "Hi.", None),
        (ModelReply("Hi", stop="length"), "length", "Hi", None),
        (ModelReply("No.", stop="refusal"), "stop", None, "No."),
        (ModelReply(stop="filtered"), "content_filter", "", None),
    ],
)
def test_why_it_stopped(said: ModelReply, finish: str, content: str | None, refused: str | None) -> None:
    choice = msgspec.json.decode(FakeOpenAI().write(read(), said, Tokens(), 1, None))["choices"][0]
    assert choice["finish_reason"] == finish
    assert (choice["message"]["content"], choice["message"]["refusal"]) == (content, refused)
