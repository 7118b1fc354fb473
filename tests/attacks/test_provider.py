"""Attacks by a provider: whatever it sends is read with tolerance or is a provider error, never the agent's.

| attack | before | now |
|---|---|---|
| invalid UTF-8, JSON 100,000 levels deep | crash, blamed on the agent | provider error, tried again |
| gzip bombs, endless bodies, 40 GB declared | read into memory | stopped at 8 MB |
| 29 kB that are millions of values | 670 MB in memory | stopped at 100,000 values |
| `200 {"error": …}` | "unreadable" | the provider's words, with the code's meaning |
| float counts, integer ids, text for costs | unreadable | read |
| null names, numbers for words, bare messages | "None" to the customer, empty reply | provider error |
| arguments of 30 MB or of 500 levels | stored, or a crash when storing | cut off and never carried out |
| a flagged key | a refusal of the agent | provider error |
| five failures in different words, time-outs | the run goes on to its end | paused, with the last words |
"""

import gzip
import json
import tracemalloc
from collections.abc import Iterator, Sequence
from itertools import count
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from conversations import CASES
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk import AgentFactory, Desk
from supportagentbench.fake_provider.clerk import RawReply, Script
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.models import Completion, Message, ModelError, ModelRequest
from supportagentbench.models.anthropic import Anthropic
from supportagentbench.models.body import LONGEST_BODY
from supportagentbench.models.budget import Budget
from supportagentbench.models.dialect import (
    LONGEST_ARGUMENTS,
    LONGEST_ERROR,
    Dialect,
    ErrorInAnswer,
    UnreadableAnswer,
    error_from,
)
from supportagentbench.models.http_client import ConnectionPool, RetryPolicy
from supportagentbench.models.openai import OpenAI
from supportagentbench.models.provider import Role, open_model
from supportagentbench.models.responses import Responses
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Cause, Turn
from supportagentbench.records.usage import Usage
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.storage.transcripts import read_transcripts

HASTE = RetryPolicy(tries=2, first_wait=0.001, longest_wait=0.001)
HELLO = ModelRequest((Message("user", "Hello, is anybody there?"),))
MODELS = {
    "openai": "openai:gpt-5",
    "responses": "openai:gpt-5,api=responses",
    "anthropic": "anthropic:claude-haiku-4-5",
}
DIALECTS: dict[str, Dialect] = {"openai": OpenAI(), "responses": Responses(), "anthropic": Anthropic()}
ROLES: tuple[Role, ...] = ("agent", "customer", "judge")
FUZZED = 20_000
"""Damaged answers that are tried per dialect."""


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-test-0123456789")


def ask(dialect: str, reply: RawReply, role: Role = "agent") -> Completion | ModelError:
    """What comes of a provider that answers everything with this."""

    async def main() -> Completion | ModelError:
        async with FakeProvider(Script([reply] * 9)) as provider, ConnectionPool(2, HASTE) as pool:
            name = f"{MODELS[dialect]},base_url={provider.url}/v1"
            try:
                return await open_model(name, role, pool, Budget()).complete(HELLO)
            except ModelError as error:
                return error

    return drive(main())


def openai(message: Any = None, **more: Any) -> bytes:
    choice = {"message": message or {"content": "Hello."}, "finish_reason": "stop"}
    usage = {"prompt_tokens": 9, "completion_tokens": 3}
    return json.dumps({"model": "gpt-5", "choices": [choice], "usage": usage} | more).encode()


def anthropic(*content: Any, **more: Any) -> bytes:
    blocks = list(content) or [{"type": "text", "text": "Hello."}]
    usage = {"input_tokens": 9, "output_tokens": 3}
    return json.dumps({"model": "claude", "content": blocks, "usage": usage} | more).encode()


def responses(*output: Any, **more: Any) -> bytes:
    words = {"type": "output_text", "text": "Hello."}
    items = list(output) or [{"type": "message", "id": "msg_1", "content": [words]}]
    usage = {"input_tokens": 9, "output_tokens": 3}
    return json.dumps(
        {"model": "gpt-5", "status": "completed", "output": items, "usage": usage} | more
    ).encode()


def function_call(**more: Any) -> dict[str, Any]:
    named = {"name": "find_order", "arguments": "{}"}
    return {"type": "function_call", "id": "fc_1", "call_id": "a"} | named | more


def call(**more: Any) -> dict[str, Any]:
    function = {"name": "find_order", "arguments": "{}"} | more.pop("function", {})
    return {"content": None, "tool_calls": [{"id": "a", "function": function} | more]}


def use(**more: Any) -> dict[str, Any]:
    return {"type": "tool_use", "id": "a", "name": "find_order", "input": {}} | more


DEEP = b'{"extra":' + b"[" * 100_000 + b"]" * 100_000 + b"}"
GZIP = {"Content-Encoding": "gzip"}
BOMB = gzip.compress(b" " * (LONGEST_BODY + 1))
MANY = gzip.compress(b'{"choices":[{"message":{"content":"","extra":[{}' + b",{}" * 2_000_000 + b"]}}]}")
TINY_PARTS = gzip.compress(b"") * 1_000

BROKEN: dict[str, RawReply] = {
    "nothing": RawReply(b""),
    "no UTF-8": RawReply(openai().replace(b"Hello", b"H\xff\xfello")),
    "no UTF-8 in the other dialect": RawReply(anthropic().replace(b"Hello", b"H\xff\xfello")),
    "half a surrogate": RawReply(b'{"choices":[{"message":{"content":"\\ud800"}}]}'),
    "100,000 levels": RawReply(DEEP),
    "900 levels": RawReply(
        openai({"content": "", "extra": 0}).replace(b"0}", b"[" * 900 + b"]" * 900 + b"}")
    ),
    "a bomb": RawReply(BOMB, headers=GZIP),
    "two million values": RawReply(MANY, headers=GZIP),
    "an error of two million values": RawReply(MANY, 500, GZIP),
    "a thousand compressed parts": RawReply(TINY_PARTS, headers=GZIP),
    "half a compressed body": RawReply(gzip.compress(openai())[:-20], headers=GZIP),
    "not compressed": RawReply(openai(), headers=GZIP),
    "an encoding nobody asked for": RawReply(openai(), headers={"Content-Encoding": "br"}),
    "two answers": RawReply(openai() + openai()),
    "a stream of events": RawReply(b"data: " + openai() + b"\n\ndata: [DONE]\n"),
    "a page": RawReply(b"<html>Sign in</html>", headers={"Content-Type": "text/html"}),
    "a list": RawReply(b"[]"),
    "a number too large": RawReply(openai({"content": "", "extra": 0}).replace(b"0}", b"1e999}")),
    "an error": RawReply(b'{"error": {"message": "Upstream failed", "code": 502}}'),
    "an error in words": RawReply(b'{"error": "overloaded, come back later"}'),
    "an error of Anthropic's": RawReply(
        b'{"type": "error", "error": {"type": "overloaded_error", "message": "Overloaded"}}'
    ),
    "a deep error": RawReply(b'{"error": ' + b"[" * 500 + b"]" * 500 + b"}"),
    "a key that is flagged": RawReply(b'{"error": {"message": "Your key was flagged"}}', 403),
    "an error that is deep": RawReply(DEEP, 500),
    "an error that is no UTF-8": RawReply(b'{"error": "\xff"}', 500),
    "a redirect": RawReply(b"", 302, {"Location": "http://127.0.0.1:9/"}),
}
"""Replies that are an error in all dialects."""


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("dialect", MODELS)
@pytest.mark.parametrize("attack", BROKEN)
def test_what_cannot_be_read_is_the_provider_s_error_in_every_role(
    attack: str, dialect: str, role: Role
) -> None:
    error = ask(dialect, BROKEN[attack], role)
    assert isinstance(error, ModelError)
    assert error.cause == "provider_error"
    assert 0 < len(error.detail) <= LONGEST_ERROR + 40


ODD_OPENAI: dict[str, bytes] = {
    "a number for words": openai({"content": 42}),
    "an object for words": openai({"content": {"text": 1}}),
    "no message": openai(choices=[{"message": None}]),
    "a bare message": openai({"role": "assistant"}),
    "no choices": openai(choices=[]),
    "true for a refusal": openai({"content": None, "refusal": True}),
    "a call without a name": openai(call(function={"name": None})),
    "a call with a number for a name": openai(call(function={"name": 7})),
    "a call without a function": openai(call(function={}) | {"tool_calls": [{"id": "a"}]}),
    "a list for arguments": openai(call(function={"arguments": [1]})),
    "an object for calls": openai({"content": "", "tool_calls": {"0": 1}}),
    "an error within the choice": openai(
        choices=[{"message": {"content": "Hel"}, "error": {"code": 502, "message": "gone"}}]
    ),
    "an error beside an answer": openai(error={"message": "gone"}),
}
ODD_RESPONSES: dict[str, bytes] = {
    "a number for output": responses(output=7),
    "a number for an item": responses(5),
    "null for words": responses({"type": "message", "content": [{"type": "output_text", "text": None}]}),
    "words for content": responses({"type": "message", "content": "Hello."}),
    "true for a refusal": responses({"type": "message", "content": [{"type": "refusal", "refusal": True}]}),
    "a call without a name": responses(function_call(name=None)),
    "a list for arguments": responses(function_call(arguments=[1])),
    "an error beside an answer": responses(error={"code": "server_error", "message": "gone"}),
    "a failure without an error": responses(status="failed"),
    "an answer that is still being written": responses(status="in_progress"),
}
ODD_ANTHROPIC: dict[str, bytes] = {
    "null for words": anthropic({"type": "text", "text": None}),
    "words for content": anthropic(content=7),
    "a call without a name": anthropic(use(name=None)),
    "a call without an id": anthropic({"type": "tool_use", "name": "find_order", "input": {}}),
    "a list for input": anthropic(use(input=[1])),
    "a number for a block": anthropic(5),
}


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        *(pytest.param(OpenAI(), body, id=f"openai: {what}") for what, body in ODD_OPENAI.items()),
        *(pytest.param(Responses(), body, id=f"responses: {what}") for what, body in ODD_RESPONSES.items()),
        *(pytest.param(Anthropic(), body, id=f"anthropic: {what}") for what, body in ODD_ANTHROPIC.items()),
    ],
)
def test_what_no_model_can_have_said_is_no_answer(dialect: Dialect, body: bytes) -> None:
    with pytest.raises((UnreadableAnswer, ErrorInAnswer)):
        dialect.read(body)


@pytest.mark.parametrize(
    ("dialect", "body"),
    [
        (
            OpenAI(),
            openai(
                call(id=17),
                usage={"prompt_tokens": 12.0, "completion_tokens": "3", "cost": "0.25"},
                model=None,
            ),
        ),
        (
            Responses(),
            responses(
                function_call(id=4, call_id=17),
                usage={"input_tokens": 12.0, "output_tokens": "3", "cost": "0.25"},
                model=None,
                status=None,
            ),
        ),
        (
            Anthropic(),
            anthropic(
                use(id=17),
                usage={"input_tokens": 12.0, "output_tokens": "3", "cost": "0.25"},
                model=None,
                stop_reason=4,
            ),
        ),
    ],
)
def test_odd_types_that_have_one_meaning_are_read(dialect: Dialect, body: bytes) -> None:
    read = dialect.read(body)
    assert [one.id for one in read.calls] == ["17"]
    assert (read.usage.input, read.usage.output, read.usage.cost, read.usage.unread) == (12, 3, 0.25, "")
    dialogue = (*HELLO.messages, read.message, Message("tool", "found", answers="17"))
    sent = json.loads(dialect.body("m", ModelRequest(dialogue), ModelSpec()))
    assert json.dumps(sent).count('"17"') == 2, "the id goes back as it was understood"


@pytest.mark.parametrize("dialect", DIALECTS)
@pytest.mark.parametrize("arguments", ['{"a": "' + "x" * 30_000_000 + '"}', '{"a":' * 300 + "1" + "}" * 300])
def test_arguments_beyond_all_bounds_are_cut_off_and_are_no_arguments(dialect: str, arguments: str) -> None:
    if dialect == "openai":
        body = openai(call(function={"arguments": arguments}))
    elif dialect == "responses":
        body = responses(function_call(arguments=arguments))
    elif arguments.count("{") > 1:
        pytest.skip("there a body this deep is unreadable as a whole")
    else:
        body = anthropic(use(input=json.loads(arguments)))
    read = DIALECTS[dialect].read(body)
    (wanted,) = read.calls
    assert isinstance(wanted.arguments, str)
    assert len(wanted.arguments) < LONGEST_ARGUMENTS + 20
    sent = DIALECTS[dialect].body("m", ModelRequest((*HELLO.messages, read.message)), ModelSpec())
    assert len(sent) < 2_000, "nor are they sent back"


@pytest.mark.parametrize("status", [200, 500])
def test_few_bytes_do_not_fill_the_memory(status: int) -> None:
    """Decoded, these were 200 MB."""
    tracemalloc.start()
    error = ask("openai", RawReply(MANY, status, GZIP))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert len(MANY) < 10_000 and peak < 5 * LONGEST_BODY
    assert isinstance(error, ModelError) and "more than 100,000 values" in error.detail


def test_an_endless_body_is_cut_off() -> None:
    class Endless:
        def answer(self, request: object) -> RawReply:
            return RawReply(b" " * (LONGEST_BODY + 1))

    async def main() -> ModelError | None:
        async with FakeProvider(Endless()) as provider, ConnectionPool(2, HASTE) as pool:
            name = f"openai:gpt-5,base_url={provider.url}/v1"
            try:
                await open_model(name, "agent", pool, Budget()).complete(HELLO)
            except ModelError as error:
                return error
        return None

    error = drive(main())
    assert error and "longer than 8 MB" in error.detail


BLOCKED = {
    "a key": (403, {"message": "This API key was flagged for abuse and is blocked"}),
    "an account": (403, {"message": "Your account was flagged for review", "code": "account_flagged"}),
    "a firewall": (403, {"message": "Your request was blocked."}),
    "a model": (403, {"message": "You are not allowed to use this model", "code": "permission_denied"}),
}
FILTERED = {
    "Azure": (
        400,
        {
            "code": "content_filter",
            "message": "The response was filtered due to the prompt triggering Azure OpenAI's content "
            "management policy.",
            "innererror": {"code": "ResponsibleAIPolicyViolation"},
        },
    ),
    "OpenAI, images": (
        400,
        {"code": "content_policy_violation", "message": "Your request was rejected by our safety system."},
    ),
    "OpenAI": (
        400,
        {
            "code": "invalid_prompt",
            "message": "Invalid prompt: your prompt was flagged as potentially violating our usage policy.",
        },
    ),
    "Anthropic": (
        400,
        {"type": "invalid_request_error", "message": "Output blocked by content filtering policy"},
    ),
    "OpenRouter": (
        403,
        {
            "code": 403,
            "message": 'openai/gpt-5 requires moderation. Your input was flagged for "violence".',
            "metadata": {"reasons": ["violence"]},
        },
    ),
    "Gemini": (400, {"status": "INVALID_ARGUMENT", "message": "The prompt was blocked: PROHIBITED_CONTENT"}),
    "Qwen": (400, {"code": "data_inspection_failed", "message": "Input data may be inappropriate"}),
    "DeepSeek": (400, {"message": "Content Exists Risk", "type": "invalid_request_error"}),
    "a gateway": (422, {"message": "The request was blocked by a content filter"}),
}


@pytest.mark.parametrize("whose", BLOCKED)
def test_a_blocked_key_or_request_is_no_refusal_of_the_agent(whose: str) -> None:
    status, error = BLOCKED[whose]
    found = error_from(status, json.dumps({"error": error}).encode())
    assert (found.cause, found.again) == ("provider_error", False)
    assert error["message"] in found.message


@pytest.mark.parametrize("role", ROLES)
@pytest.mark.parametrize("whose", FILTERED)
def test_words_that_a_filter_stops_are_refused_at_once_in_every_role(whose: str, role: Role) -> None:
    status, error = FILTERED[whose]
    for dialect in MODELS:
        for code in (status, 200):
            found = ask(dialect, RawReply(json.dumps({"type": "error", "error": error}).encode(), code), role)
            assert isinstance(found, ModelError) and found.cause == "refusal"
            assert found.usage.attempts == 1


# Paused


def failing(cause: Cause) -> AgentFactory:
    """An agent that no provider ever answers, in different words every time."""
    number = count()

    class Failing:
        def __init__(self, seed: int) -> None: ...

        async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
            raise ModelError(cause, f"request {next(number)} failed", Usage("m"))

    return Failing


@pytest.mark.parametrize(("cause", "held"), [("time_out", 5), ("provider_error", 5), ("budget", 1)])
def test_failures_of_one_kind_pause_an_agent_whatever_their_words(
    tmp_path: Path, cause: Cause, held: int
) -> None:
    header = header_of(CASES, "core", "failing", ScriptedVoice(), 1, 0)
    with pytest.raises(Problem, match=f"failing is paused: .*request {held - 1} failed"):
        drive(run_agent(CASES, header, failing(cause), ScriptedVoice(), tmp_path, concurrency=1))
    assert len(list(read_transcripts(tmp_path / "failing-1"))) == held


def test_refusals_of_the_model_pause_nobody(tmp_path: Path) -> None:
    header = header_of(CASES, "tracking", "refusing", ScriptedVoice(), 1, 0)
    drive(run_agent(CASES, header, failing("refusal"), ScriptedVoice(), tmp_path, concurrency=1))
    assert len(list(read_transcripts(tmp_path / "refusing-1"))) == 6


# Damaged at random


SEEDS = {
    "openai": (
        openai(),
        openai(call(function={"arguments": '{"order": "#1101"}'})),
        openai({"content": [{"type": "text", "text": "Hi"}], "reasoning": "Hm."}),
        b'{"error": {"message": "no", "code": 429}}',
    ),
    "responses": (
        responses(),
        responses(
            {"type": "reasoning", "id": "rs_1", "summary": [], "encrypted_content": "gAAA"},
            function_call(arguments='{"order": "#1101"}'),
        ),
        responses(status="incomplete", incomplete_details={"reason": "max_output_tokens"}),
        b'{"error": {"message": "no", "code": 429}}',
    ),
    "anthropic": (
        anthropic(),
        anthropic({"type": "thinking", "thinking": "Hm.", "signature": "x"}, use(input={"order": "#1101"})),
        b'{"type": "error", "error": {"type": "overloaded_error", "message": "no"}}',
    ),
}
VALUES: tuple[Any, ...] = (
    *(None, True, False, 0, -1, 12.5, 10**17, 1e300, "", "nan", "x" * 300, "\u202e", [], {}, [[]]),
    *({"text": None}, [None], [{"type": "tool_use"}], {"code": 500}, [{"message": {}}]),
)


def damaged(body: bytes, random: Random) -> bytes:
    """The body with a value replaced, or with some of its bytes."""
    if random.random() < 0.6:
        whole = json.loads(body)
        places = list(_places(whole))
        for _ in range(random.randint(1, 3)):
            holder, key = random.choice(places)
            holder[key] = random.choice(VALUES)
        return json.dumps(whole).encode()
    found = bytearray(body)
    for _ in range(random.randint(1, 6)):
        at = random.randrange(len(found))
        found[at : at + random.randint(0, 3)] = random.randbytes(random.randint(0, 3))
    return bytes(found)


def _places(value: Any) -> Iterator[tuple[Any, Any]]:
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield value, key
        yield from _places(inner)


def fuzz(dialect: str, inputs: int, seed: int = 0) -> int:
    """Read so many damaged answers; how many could be read. Nothing but the two errors may come out."""
    random, reader, read = Random(seed), DIALECTS[dialect], 0
    for _ in range(inputs):
        body = damaged(random.choice(SEEDS[dialect]), random)
        try:
            completion = reader.read(body)
        except (UnreadableAnswer, ErrorInAnswer):
            continue
        read += 1
        assert msgspec.json.decode(to_json(completion), type=Completion) == completion, body
        reader.body("m", ModelRequest((*HELLO.messages, completion.message)), ModelSpec())
        error_from(500, body)
    return read


@pytest.mark.parametrize("dialect", DIALECTS)
def test_damaged_answers_are_read_or_are_errors_and_can_be_stored(dialect: str) -> None:
    assert FUZZED / 20 < fuzz(dialect, FUZZED) < FUZZED
