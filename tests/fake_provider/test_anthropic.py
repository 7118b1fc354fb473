"""Messages, read as strictly as the real ones read them: turns alternate and thinking comes back."""

from typing import Any

import msgspec
import pytest

from supportagentbench.fake_provider.anthropic import FakeAnthropic
from supportagentbench.fake_provider.clerk import DialogueLine, ModelReply, ReceivedRequest
from supportagentbench.fake_provider.counts import Tokens
from supportagentbench.fake_provider.dialect import RequestRefused

HEADERS = {"x-api-key": "sk-test", "anthropic-version": "2023-06-01", "Content-Type": "application/json"}
USER = {"role": "user", "content": "Where is #1101?"}
TOOL = {"name": "find_order", "input_schema": {"type": "object"}}
CLOSED = {"type": "object", "properties": {"a": {"type": "string"}}, "additionalProperties": False}
ANSWERED = {"role": "assistant", "content": "It is on its way."}

NO_TOKENS = Tokens()


def read(headers: dict[str, str] = HEADERS, **changes: Any) -> ReceivedRequest:
    body = {"model": "m", "max_tokens": 4000, "messages": [USER]} | changes
    return FakeAnthropic().read(headers, msgspec.json.encode(body))


def refusal(headers: dict[str, str] = HEADERS, **changes: Any) -> RequestRefused:
    with pytest.raises(RequestRefused) as found:
        FakeAnthropic().refuse_model(read(headers, **changes), context=2000)
    return found.value


def written(said: ModelReply, tokens: Tokens = NO_TOKENS) -> dict[str, Any]:
    reply: dict[str, Any] = msgspec.json.decode(FakeAnthropic().write(read(), said, tokens, 1, None))
    return reply


def calling(*, reasoning: str = "") -> list[dict[str, Any]]:
    """The blocks of a turn that calls a tool, as the provider sent them."""
    blocks: list[dict[str, Any]] = written(
        ModelReply("One moment.", calls=(("find_order", '{"order":"#1101"}'),), reasoning=reasoning)
    )["content"]
    return blocks


def result(blocks: list[dict[str, Any]]) -> dict[str, Any]:
    return {"type": "tool_result", "tool_use_id": blocks[-1]["id"], "content": "{}"}


def talk(blocks: list[dict[str, Any]], *answer: dict[str, Any]) -> list[Any]:
    return [USER, {"role": "assistant", "content": blocks}, {"role": "user", "content": list(answer)}]


def test_a_request_as_the_clerk_sees_it() -> None:
    blocks = calling(reasoning="Hm.")
    said = {"type": "text", "text": "Well?"}
    found = read(
        system=[{"type": "text", "text": "Be kind."}],
        messages=talk(blocks, result(blocks), said),
        tools=[TOOL],
        thinking={"type": "enabled", "budget_tokens": 1024},
    )
    assert found.system == "Be kind." and found.tools == ("find_order",) and found.reasons
    assert found.key == "sk-test"
    assert found.messages == (
        DialogueLine("user", "Where is #1101?"),
        DialogueLine("assistant", "One moment.", calls=(("find_order", '{"order":"#1101"}'),)),
        DialogueLine("tool", "{}"),
        DialogueLine("user", "Well?"),
    )


def test_only_what_is_marked_is_cached() -> None:
    plain, marked = "x" * 400, [{"type": "text", "text": "x" * 400, "cache_control": {"type": "ephemeral"}}]
    user, answered = {"role": "user", "content": "y" * 40}, {"role": "assistant", "content": "z" * 80}
    once, again = [user], [user, answered, user]
    assert read(system=plain, messages=again).prompt == Tokens(input=140)
    assert read(system=marked, messages=once).prompt == Tokens(input=10, cache_write=100)
    assert read(system=marked, messages=again).prompt == Tokens(input=10, cache_read=110, cache_write=20)


def test_marks_for_the_cache_have_their_limits() -> None:
    block = {"type": "text", "text": "x", "cache_control": {"type": "ephemeral"}}
    assert read(system=[block] * 4).prompt.prompt
    assert "Found 5" in refusal(system=[block] * 5).message
    thought, *rest = calling(reasoning="Hm.")
    marked = [{**thought, "cache_control": {"type": "ephemeral"}}, *rest]
    assert "thinking blocks" in refusal(messages=talk(marked, result(rest))).message


def test_thinking_has_to_come_back_with_the_call_it_led_to() -> None:
    blocks = calling(reasoning="Let me look.")
    assert [block["type"] for block in blocks] == ["thinking", "text", "tool_use"]
    read(messages=talk(blocks, result(blocks)))
    found = refusal(messages=talk(blocks[1:], result(blocks)))
    assert "Expected `thinking`" in found.message
    forged = [{**blocks[0], "thinking": "Let me guess."}, *blocks[1:]]
    assert "Invalid `signature`" in refusal(messages=talk(forged, result(blocks))).message
    other = calling(reasoning="Something else.")
    assert "Expected `thinking`" in refusal(messages=talk([other[0], *blocks[1:]], result(blocks))).message


def test_calls_and_results_belong_together() -> None:
    blocks = calling()
    answer, words = result(blocks), {"type": "text", "text": "Well?"}
    stranger = {**answer, "tool_use_id": "toolu_other"}
    assert "without `tool_result`" in refusal(messages=talk(blocks, words)).message
    assert "without `tool_result`" in refusal(messages=talk(blocks, answer)[:2]).message
    assert "unexpected `tool_use_id`" in refusal(messages=talk(blocks, answer, stranger)).message
    assert "without `tool_result`" in refusal(messages=talk(blocks, answer, answer)).message
    assert "must come first" in refusal(messages=talk(blocks, words, answer)).message
    assert "unexpected `tool_use_id`" in refusal(messages=[{"role": "user", "content": [answer]}]).message


@pytest.mark.parametrize(
    ("messages", "words"),
    [
        ([], "at least one message"),
        ([ANSWERED], "roles must alternate"),
        ([USER, USER], "roles must alternate"),
        ([USER, ANSWERED, ANSWERED], "roles must alternate"),
        ([{"role": "system", "content": "Be kind."}], "Invalid enum value 'system'"),
        ([{"role": "user", "content": " "}], "non-whitespace text"),
        ([{"role": "user", "content": []}], "non-empty content"),
        ([USER, {"role": "assistant", "content": []}, USER], "non-empty content"),
        (
            [{"role": "user", "content": [{"type": "tool_use", "id": "a", "name": "b", "input": {}}]}],
            "no blocks",
        ),
        (
            [
                USER,
                {
                    "role": "assistant",
                    "content": [{"type": "tool_use", "id": "a", "name": "b", "input": "{}"}],
                },
            ],
            "should be an object",
        ),
        ([{"role": "user", "content": [{"type": "sound"}]}], "sound"),
    ],
)
def test_dialogues_that_make_no_sense(messages: list[Any], words: str) -> None:
    found = refusal(messages=messages)
    assert found.status == 400 and words in found.message


@pytest.mark.parametrize(
    "changes",
    [
        {"max_tokens": 0},
        {"max_tokens": None},
        {"tools": [{"name": "two words", "input_schema": {"type": "object"}}]},
        {"tools": [{"name": "f", "input_schema": {}}]},
        {"tools": [TOOL], "tool_choice": {"type": "tool", "name": "other"}},
        {
            "tools": [TOOL],
            "tool_choice": {"type": "tool", "name": "find_order"},
            "thinking": {"type": "enabled", "budget_tokens": 2000},
        },
        {"thinking": {"type": "enabled", "budget_tokens": 100}},
        {"thinking": {"type": "enabled", "budget_tokens": 4000}},
        {"thinking": {"type": "adaptive"}, "temperature": 0},
        {"system": [{"type": "text", "text": ""}]},
        {"output_config": {"format": {"type": "json_schema", "schema": {"type": "object"}}}},
    ],
)
def test_settings_that_are_refused(changes: dict[str, Any]) -> None:
    assert refusal(**changes).status == 400


def test_a_request_without_max_tokens() -> None:
    body = msgspec.json.encode({"model": "m", "messages": [USER]})
    with pytest.raises(RequestRefused, match="max_tokens"):
        FakeAnthropic().read(HEADERS, body)


def test_schemas_and_forced_tools_reach_the_clerk() -> None:
    form = {"type": "json_schema", "schema": CLOSED}
    assert read(output_config={"format": form}).schema == CLOSED
    assert read(output_format=form).schema == CLOSED
    forced = read(tools=[TOOL], tool_choice={"type": "tool", "name": "find_order"})
    assert forced.must_call == "find_order" and forced.schema == {"type": "object"}


def test_keys() -> None:
    assert refusal({"Content-Type": "application/json"}).kind == "authentication_error"
    found = refusal(HEADERS | {"x-api-key": "bad-1234567890abcd"})
    assert found.status == 401 and "bad-1234*" in found.message and "567890" not in found.message
    assert "anthropic-version" in refusal({"x-api-key": "k", "Content-Type": "application/json"}).message
    assert refusal({"x-api-key": "k", "anthropic-version": "2023-06-01"}).status == 400


@pytest.mark.parametrize(
    ("model", "status", "kind"),
    [
        ("unknown-model", 404, "not_found_error"),
        ("no-quota", 400, "invalid_request_error"),
        ("no-credit", 402, "billing_error"),
        ("small-context", 400, "invalid_request_error"),
        ("m", 400, "invalid_request_error"),
    ],
)
def test_models_that_do_not_answer(model: str, status: int, kind: str) -> None:
    found = refusal(model=model, messages=[{"role": "user", "content": "x" * 9000}])
    assert (found.status, found.kind) == (status, kind)
    error = msgspec.json.decode(FakeAnthropic().error(found))
    assert error == {"type": "error", "error": {"type": kind, "message": found.message}}


def test_usage_on_the_wire() -> None:
    usage = written(ModelReply("Hi."), Tokens(1, 2, 3, 5, 4))["usage"]
    assert usage == {
        "input_tokens": 1,
        "cache_read_input_tokens": 2,
        "cache_creation_input_tokens": 3,
        "output_tokens": 5,
        "output_tokens_details": {"thinking_tokens": 4},
    }


@pytest.mark.parametrize(
    ("said", "stop", "kinds"),
    [
        (ModelReply("Hi."), "end_turn", ["text"]),
        (ModelReply(), "end_turn", []),
        (ModelReply("Hi", stop="length"), "max_tokens", ["text"]),
        (ModelReply(stop="filtered"), "refusal", []),
        (ModelReply("No.", stop="refusal"), "refusal", ["text"]),
        (ModelReply(calls=(("a", "{}"),)), "tool_use", ["tool_use"]),
    ],
)
def test_why_it_stopped(said: ModelReply, stop: str, kinds: list[str]) -> None:
    reply = written(said)
    assert reply["stop_reason"] == stop
    assert [block["type"] for block in reply["content"]] == kinds


def test_arguments_that_cannot_be_read_come_wrapped() -> None:
    (block,) = written(ModelReply(calls=(("a", '{"order": "#11'),)))["content"]
    assert block["input"] == {"INVALID_JSON": '{"order": "#11'}


def test_a_stream_adds_up_to_the_same_message() -> None:
    said = ModelReply("One moment.", calls=(("a", '{"order":"#1101"}'),), reasoning="Hm.")
    whole, seen = written(said, Tokens(1, 2, 3, 5, 4)), read(stream=True)
    assert seen.streams and not read().streams
    sent = FakeAnthropic().write(seen, said, Tokens(1, 2, 3, 5, 4), 1, None).decode().split("\n\n")
    pairs = [event.removeprefix("event: ").split("\ndata: ") for event in sent if event]
    events = [msgspec.json.decode(data) for _, data in pairs]
    assert [name for name, _ in pairs] == [event["type"] for event in events]
    message, ending = events[0]["message"], events[-2]
    assert message["usage"]["output_tokens"] < ending["usage"]["output_tokens"] == 5
    for event in events:
        if event["type"] == "content_block_start":
            message["content"].append(event["content_block"])
        elif event["type"] == "content_block_delta":
            _add(message["content"][event["index"]], event["delta"])
    assert message | ending["delta"] | {"usage": ending["usage"]} == whole
    assert events[-1] == {"type": "message_stop"}


def _add(block: dict[str, Any], delta: dict[str, str]) -> None:
    """What a client makes of one more piece."""
    if delta["type"] == "input_json_delta":
        block["input"] = msgspec.json.decode(delta["partial_json"])
    else:
        ((name, words),) = ((name, words) for name, words in delta.items() if name != "type")
        block[name] += words
