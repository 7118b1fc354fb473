"""The Responses API, read as strictly as the real one reads it."""

from typing import Any

import msgspec
import pytest

from supportagentbench.fake_provider.clerk import DialogueLine, ModelReply, ReceivedRequest
from supportagentbench.fake_provider.counts import Tokens
from supportagentbench.fake_provider.dialect import RequestRefused
from supportagentbench.fake_provider.responses import FakeResponses

HEADERS = {"Authorization": "Bearer sk-test", "Content-Type": "application/json"}
USER = {"role": "user", "content": "Where is #1101?"}
CALL = {"type": "function_call", "call_id": "c1", "name": "find_order", "arguments": "{}"}
RESULT = {"type": "function_call_output", "call_id": "c1", "output": "{}"}
TOOL = {"type": "function", "name": "find_order", "parameters": {"type": "object"}, "strict": False}
CLOSED = {
    "type": "object",
    "properties": {"a": {"type": "string"}},
    "required": ["a"],
    "additionalProperties": False,
}
INCLUDE = ["reasoning.encrypted_content"]


def read(headers: dict[str, str] = HEADERS, **changes: Any) -> ReceivedRequest:
    body = {"model": "m", "input": [USER], "store": False} | changes
    return FakeResponses().read(headers, msgspec.json.encode(body))


def refusal(headers: dict[str, str] = HEADERS, **changes: Any) -> RequestRefused:
    with pytest.raises(RequestRefused) as found:
        FakeResponses().refuse_model(read(headers, **changes), context=2000)
    return found.value


def written(said: ModelReply, tokens: Tokens = Tokens(), **changes: Any) -> dict[str, Any]:  # noqa: B008
    seen = read(**{"include": INCLUDE} | changes)
    reply: dict[str, Any] = msgspec.json.decode(FakeResponses().write(seen, said, tokens, 1, None))
    return reply


THINKING = ModelReply(calls=(("find_order", "{}"),), reasoning="Look first.")
THOUGHT, ASKED = written(THINKING)["output"]
ANSWERED = RESULT | {"call_id": ASKED["call_id"]}


def test_a_request_as_the_clerk_sees_it() -> None:
    found = read(
        instructions="Be kind.",
        input=[USER, THOUGHT, ASKED, ANSWERED],
        tools=[TOOL],
        reasoning={"effort": "low"},
        include=INCLUDE,
    )
    assert found.system == "Be kind." and found.tools == ("find_order",)
    assert found.reasons and found.encrypts and found.schema is None
    assert found.messages == (
        DialogueLine("user", "Where is #1101?"),
        DialogueLine("assistant", calls=(("find_order", "{}"),)),
        DialogueLine("tool", "{}"),
    )


@pytest.mark.parametrize(
    ("items", "words"),
    [
        ([], "'input'"),
        ([USER, CALL], "No tool output found for function call c1"),
        ([USER, CALL, USER, RESULT], "No tool output found for function call c1"),
        ([USER, RESULT], "No tool call found"),
        ([USER, ASKED, ANSWERED], "without its required 'reasoning' item"),
        ([USER, THOUGHT], "without its required following item"),
        ([USER, THOUGHT, USER], "without its required following item"),
        ([USER, THOUGHT | {"encrypted_content": None}, ASKED, ANSWERED], "Items are not persisted"),
        ([USER, THOUGHT | {"encrypted_content": "gAAAzzzz"}, ASKED, ANSWERED], "could not be verified"),
        ([USER, {"type": "telepathy"}], "telepathy"),
        ([{"role": "user", "content": None}], "content"),
    ],
)
def test_dialogues_that_make_no_sense(items: list[Any], words: str) -> None:
    found = refusal(input=items)
    assert found.status in (400, 404) and words in found.message


def test_what_the_provider_stored_is_named_by_its_id() -> None:
    named = THOUGHT | {"encrypted_content": None}
    assert read(input=[USER, named, ASKED, ANSWERED], store=True).last.text == "{}"
    assert refusal(input=[USER, named | {"id": "rs_other"}, ASKED, ANSWERED], store=True).status == 400


def test_a_result_may_come_in_parts() -> None:
    parts = [{"type": "input_text", "text": "a"}, {"type": "input_text", "text": "b"}]
    assert read(input=[USER, CALL, RESULT | {"output": parts}]).last == DialogueLine("tool", "ab")


def test_reasoning_of_another_model_is_refused() -> None:
    dialogue = [USER, THOUGHT, ASKED, ANSWERED]
    assert read(input=dialogue)
    assert refusal(model="another", input=dialogue).code == "invalid_encrypted_content"


@pytest.mark.parametrize(
    "changes",
    [
        {"seed": 7},
        {"messages": [USER]},
        {"max_tokens": 99},
        {"reasoning_effort": "low"},
        {"max_output_tokens": 15},
        {"stream": True},
        {"reasoning": {"effort": "huge"}},
        {"tools": [TOOL | {"strict": True}]},
        {"tools": [{"type": "function", "name": "find_order", "parameters": {"type": "object"}}]},
        {"tools": [{"type": "function", "function": {"name": "find_order"}}]},
        {"tools": [TOOL], "tool_choice": {"type": "function", "name": "other"}},
        {"text": {"format": {"type": "json_schema", "schema": CLOSED}}},
        {
            "text": {
                "format": {"type": "json_schema", "name": "a", "strict": True, "schema": {"type": "object"}}
            }
        },
        {"model": "gpt-4o", "include": INCLUDE},
        {"model": "gpt-4o", "reasoning": {"effort": "low"}},
    ],
)
def test_settings_that_are_refused(changes: dict[str, Any]) -> None:
    assert refusal(**changes).status == 400


def test_schemas_and_forced_tools_reach_the_clerk() -> None:
    form = {"type": "json_schema", "name": "answer", "strict": True, "schema": CLOSED}
    assert read(text={"format": form}).schema == CLOSED
    forced = read(tools=[TOOL], tool_choice={"type": "function", "name": "find_order"})
    assert forced.must_call == "find_order"


def test_keys_and_models_are_those_of_the_older_api() -> None:
    assert refusal({"Content-Type": "application/json"}).status == 401
    assert refusal(model="unknown-model").code == "model_not_found"


def test_a_reply_on_the_wire() -> None:
    said = ModelReply("Hm.", calls=(("a", "{}"), ("b", '{"x":')), reasoning="Look.")
    reply = written(said, Tokens(input=10, cache_read=20, output=8, reasoning=3))
    assert [item["type"] for item in reply["output"]] == [
        *("reasoning", "message", "function_call", "function_call")
    ]
    assert reply["output"][0]["encrypted_content"] and not reply["output"][0]["summary"]
    assert reply["usage"] == {
        "input_tokens": 30,
        "input_tokens_details": {"cached_tokens": 20},
        "output_tokens": 8,
        "output_tokens_details": {"reasoning_tokens": 3},
        "total_tokens": 38,
    }
    assert "encrypted_content" not in written(said, include=None)["output"][0]


@pytest.mark.parametrize(
    ("said", "status", "why", "kinds"),
    [
        (ModelReply("Hi."), "completed", None, ["output_text"]),
        (ModelReply("Hi", stop="length"), "incomplete", {"reason": "max_output_tokens"}, ["output_text"]),
        (ModelReply(stop="filtered"), "incomplete", {"reason": "content_filter"}, []),
        (ModelReply("No.", stop="refusal"), "completed", None, ["refusal"]),
    ],
)
def test_why_it_stopped(said: ModelReply, status: str, why: dict[str, str] | None, kinds: list[str]) -> None:
    reply = written(said)
    assert (reply["status"], reply["incomplete_details"]) == (status, why)
    assert [part["type"] for item in reply["output"] for part in item["content"]] == kinds
