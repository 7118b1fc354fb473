"""The fake provider over the wire: it does what its faults say, and its counts add up."""

import asyncio
import time
from collections.abc import AsyncIterator, Callable, Coroutine
from contextlib import asynccontextmanager
from email.utils import parsedate_to_datetime
from typing import Any

import msgspec
import pytest
from aiohttp import (
    ClientConnectorError,
    ClientPayloadError,
    ClientSession,
    ClientTimeout,
    ServerDisconnectedError,
)

from supportagentbench.fake_provider.clerk import Clerk, ModelReply, RawReply, Responder, Script
from supportagentbench.fake_provider.counts import Counts, Tokens
from supportagentbench.fake_provider.faults import FAULTS, Fault, Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.records.record import from_json

OPENAI, ANTHROPIC = "/v1/chat/completions", "/v1/messages"
HEADERS = {"Authorization": "Bearer sk-test", "x-api-key": "sk-test", "anthropic-version": "2023-06-01"}
WORDS = [{"role": "user", "content": "Where is my order #1101?"}]
ALIKE = {"model": "m", "messages": WORDS, "max_tokens": 4000}
TOOLS = {
    OPENAI: [{"type": "function", "function": {"name": "find_order", "parameters": {"type": "object"}}}],
    ANTHROPIC: [{"name": "find_order", "input_schema": {"type": "object"}}],
}
both = pytest.mark.parametrize("path", [OPENAI, ANTHROPIC])


class Heard(msgspec.Struct):
    """What came back."""

    status: int
    headers: dict[str, str]
    body: bytes

    @property
    def json(self) -> Any:
        return msgspec.json.decode(self.body)


Ask = Callable[..., Coroutine[Any, Any, Heard]]


@asynccontextmanager
async def open_for(provider: FakeProvider, *, patience: float = 10) -> AsyncIterator[Ask]:
    """The provider at work, and a bare client that asks it."""
    timeout = ClientTimeout(total=patience)
    async with provider, ClientSession(headers=HEADERS, timeout=timeout) as session:

        async def ask(path: str = OPENAI, **changes: Any) -> Heard:
            body = ALIKE | {"tools": TOOLS[path]} | changes
            async with session.post(provider.url + path, json=body) as answer:
                return Heard(answer.status, dict(answer.headers), await answer.read())

        yield ask


def heard_from(path: str, faults: Faults, mind: Responder | None = None) -> tuple[Heard, Counts]:
    """One question, its answer, and the counts after it."""

    async def once() -> tuple[Heard, Counts]:
        provider = FakeProvider(mind, faults)
        async with open_for(provider) as ask:
            return await ask(path), provider.counts

    return asyncio.run(once())


def words_of(path: str, reply: Any) -> str:
    if path == OPENAI:
        return str(reply["choices"][0]["message"]["content"])
    return "".join(block["text"] for block in reply["content"] if block["type"] == "text")


def calls_of(path: str, reply: Any) -> list[str]:
    if path == OPENAI:
        return [call["function"]["name"] for call in reply["choices"][0]["message"].get("tool_calls", ())]
    return [block["name"] for block in reply["content"] if block["type"] == "tool_use"]


@both
def test_a_clerk_answers_in_both_dialects(path: str) -> None:
    heard, counts = heard_from(path, Faults())
    assert heard.status == 200 and calls_of(path, heard.json) == ["find_order"]
    assert counts.total.outcomes == {"ok": 1} and counts.paths == {path: 1}


@both
def test_a_script_answers_to_the_letter(path: str) -> None:
    async def talk() -> None:
        script = Script(["First.", RawReply(b"{}", 418, {"x-odd": "yes"})])
        async with open_for(FakeProvider(script)) as ask:
            assert words_of(path, (await ask(path)).json) == "First."
            odd = await ask(path)
            assert (odd.status, odd.body, odd.headers["x-odd"]) == (418, b"{}", "yes")
            over = await ask(path)
            assert over.status == 400 and over.json["error"]["message"] == "The script is over."

    asyncio.run(talk())


@both
@pytest.mark.parametrize(
    ("fault", "status"),
    [("rate_limited", 429), ("server_error", 500), ("unavailable", 503), ("overloaded", 529)],
)
def test_errors(path: str, fault: Fault, status: int) -> None:
    heard, counts = heard_from(path, Faults(plan=(fault,)))
    assert heard.status == status and counts.total.outcomes == {fault: 1}
    assert counts.total.whole == counts.total.spoiled == Tokens()
    if fault == "unavailable":
        assert heard.body.startswith(b"<html>")
    else:
        assert heard.json["error"]["message"]


def test_a_429_says_when_to_come_back() -> None:
    def after(**how: Any) -> dict[str, str]:
        return heard_from(OPENAI, Faults(plan=("rate_limited",), **how))[0].headers

    assert after(retry_after=0.5)["Retry-After"] == "0.5"
    assert after(retry_after=0.5, retry_form="ms")["retry-after-ms"] == "500"
    named = parsedate_to_datetime(after(retry_after=20, retry_form="date")["Retry-After"])
    assert 15 < named.timestamp() - time.time() <= 20
    assert not {"Retry-After", "retry-after-ms"} & set(after(retry_after=0))


@both
@pytest.mark.parametrize(
    ("fault", "error"), [("dropped", ServerDisconnectedError), ("truncated", ClientPayloadError)]
)
def test_broken_connections(path: str, fault: Fault, error: type[Exception]) -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=Faults(plan=(fault,)))
        async with open_for(provider) as ask:
            with pytest.raises(error):
                await ask(path)
            assert (await ask(path)).status == 200
        total = provider.counts.total
        assert total.outcomes == {fault: 1, "ok": 1}
        assert total.spoiled == total.whole != Tokens()

    asyncio.run(talk())


@both
def test_half_a_body_that_calls_itself_whole(path: str) -> None:
    heard, counts = heard_from(path, Faults(plan=("broken_json",)))
    assert heard.status == 200 and int(heard.headers["Content-Length"]) == len(heard.body)
    with pytest.raises(msgspec.DecodeError):
        assert heard.json
    assert counts.total.spoiled != Tokens() == counts.total.whole


@both
def test_a_slow_body_arrives_whole_in_the_end(path: str) -> None:
    began = time.monotonic()
    heard, counts = heard_from(path, Faults(plan=("slow",), slow_for=0.3))
    assert time.monotonic() - began > 0.25
    assert calls_of(path, heard.json) == ["find_order"] and counts.total.whole != Tokens()


@both
@pytest.mark.parametrize(
    ("fault", "stops", "words"),
    [
        ("empty", ("stop", "end_turn"), ""),
        ("filtered", ("content_filter", "refusal"), ""),
        ("cut_off", ("length", "max_tokens"), "Your o"),
    ],
)
def test_replies_that_say_too_little(path: str, fault: Fault, stops: tuple[str, str], words: str) -> None:
    heard, counts = heard_from(path, Faults(plan=(fault,)), Script(["Your order is"]))
    stop = heard.json["choices"][0]["finish_reason"] if path == OPENAI else heard.json["stop_reason"]
    assert stop == stops[path == ANTHROPIC] and words_of(path, heard.json) == words
    assert counts.total.outcomes == {fault: 1}


def test_refusals() -> None:
    choice = heard_from(OPENAI, Faults(plan=("refusal",)))[0].json["choices"][0]
    assert choice["message"]["content"] is None and "can't help" in choice["message"]["refusal"]
    assert heard_from(ANTHROPIC, Faults(plan=("refusal",)))[0].json["stop_reason"] == "refusal"


@both
def test_calls_that_cannot_be_run(path: str) -> None:
    bad, _ = heard_from(path, Faults(plan=("bad_arguments",)), Script(["No calls from me."]))
    assert calls_of(path, bad.json) == ["find_order"] and b"#11" in bad.body and b"#1101" not in bad.body
    unknown, _ = heard_from(path, Faults(plan=("unknown_tool",)))
    assert calls_of(path, unknown.json) == ["read_mind"]


def test_where_no_tools_are_offered_no_call_goes_wrong() -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=Faults(unknown_tool=1))
        async with open_for(provider) as ask:
            assert calls_of(OPENAI, (await ask(tools=None)).json) == []
        assert provider.counts.total.outcomes == {"ok": 1}

    asyncio.run(talk())


def test_the_same_seed_throws_the_same_dice_and_every_fault_gets_its_turn() -> None:
    names = [name for name in FAULTS if name != "slow"]
    shares: dict[str, Any] = dict.fromkeys(names, 0.04)

    async def outcomes(seed: int) -> list[str]:
        found = []
        async with (
            FakeProvider(faults=Faults(seed=seed, **shares)) as provider,
            ClientSession(auto_decompress=False) as session,
        ):
            before: dict[str, int] = {}
            for _ in range(250):
                body = ALIKE | {"tools": TOOLS[OPENAI]}
                try:
                    async with session.post(provider.url + OPENAI, json=body, headers=HEADERS) as answer:
                        await answer.read()
                except (ServerDisconnectedError, ClientPayloadError):
                    pass
                now = provider.counts.total.outcomes
                found += [name for name in now if now[name] != before.get(name, 0)]
                before = now
        return found

    first = asyncio.run(outcomes(1))
    assert set(first) == {"ok", *names} and len(first) == 250
    assert asyncio.run(outcomes(1)) == first != asyncio.run(outcomes(2))


def test_the_same_question_gets_the_same_bytes_whenever_it_comes() -> None:
    one, _ = heard_from(OPENAI, Faults())
    other, _ = heard_from(OPENAI, Faults(plan=("ok",), latency=0.01))
    assert one.body == other.body


def test_latency_and_its_jitter() -> None:
    async def seconds(faults: Faults) -> list[float]:
        found = []
        async with open_for(FakeProvider(faults=faults)) as ask:
            await ask()
            for _ in range(6):
                began = time.monotonic()
                await ask()
                found.append(time.monotonic() - began)
        return found

    assert min(asyncio.run(seconds(Faults(latency=0.05)))) > 0.045
    varied = asyncio.run(seconds(Faults(latency=0.05, jitter=0.9)))
    assert max(varied) - min(varied) > 0.02


@pytest.mark.parametrize(
    ("limit", "outcome"),
    [(Faults(concurrency=3, latency=0.4), "concurrency"), (Faults(per_second=3), "per_second")],
)
def test_more_than_it_can_take_is_told_429(limit: Faults, outcome: str) -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=limit)
        async with open_for(provider) as ask:
            heard = await asyncio.gather(*(ask() for _ in range(8)))
            assert sorted(one.status for one in heard) == [200] * 3 + [429] * 5
            await asyncio.sleep(0.5)
            assert (await ask()).status == 200
        assert provider.counts.total.outcomes == {outcome: 5, "ok": 4}
        assert provider.counts.most_concurrent <= 8

    asyncio.run(talk())


def test_an_outage_that_answers_503() -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=Faults(down_at=2, down_for=0.5))
        async with open_for(provider) as ask:
            assert [(await ask()).status for _ in range(4)] == [200, 503, 503, 503]
            await asyncio.sleep(0.55)
            assert (await ask()).status == 200
        assert provider.counts.total.outcomes == {"down": 3, "ok": 2}

    asyncio.run(talk())


def test_an_outage_that_refuses_connections_and_cuts_the_open_ones() -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=Faults(latency=0.2))
        async with open_for(provider) as ask:
            caught = asyncio.create_task(ask())
            await asyncio.sleep(0.1)
            began = time.monotonic()
            provider.go_down(0.1, "refused")
            await asyncio.sleep(0.02)
            provider.go_down(0.6, "refused")
            with pytest.raises(ServerDisconnectedError):
                await caught
            refused = 0
            while time.monotonic() - began < 10:
                try:
                    assert (await ask()).status == 200
                    break
                except ClientConnectorError:
                    refused += 1
                    await asyncio.sleep(0.05)
            assert refused > 2 and time.monotonic() - began > 0.6
        assert provider.counts.total.outcomes == {"down": 1, "ok": 1}
        assert provider.counts.total.spoiled == provider.counts.total.whole

    asyncio.run(talk())


def test_it_can_be_left_in_the_middle_of_an_outage_or_an_answer() -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=Faults(latency=30))
        async with open_for(provider) as ask:
            waiting = asyncio.create_task(ask())
            await asyncio.sleep(0.05)
            provider.go_down(30, "refused")
            with pytest.raises(ServerDisconnectedError):
                await waiting

    began = time.monotonic()
    asyncio.run(talk())
    assert time.monotonic() - began < 5


def test_a_client_that_does_not_wait_is_gone_and_its_reply_spoiled() -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=Faults(latency=0.4))
        async with open_for(provider, patience=0.15) as ask:
            with pytest.raises(TimeoutError):
                await ask()
            while not provider.counts.total.requests:
                await asyncio.sleep(0.05)
            assert provider.counts.total.outcomes == {"gone": 1}
            assert provider.counts.total.spoiled != Tokens() == provider.counts.total.whole

    asyncio.run(talk())


def test_what_clients_are_told_adds_up_to_what_was_counted() -> None:
    async def talk() -> None:
        provider, told = FakeProvider(Clerk(reasons=True), Faults(seed=3, truncated=0.2, latency=0.01)), []
        async with open_for(provider) as ask:

            async def once(path: str, model: str) -> None:
                try:
                    told.append((path, model, (await ask(path, model=model)).json["usage"]))
                except ClientPayloadError:
                    told.append((path, model, None))

            await asyncio.gather(*(once(p, m) for p in (OPENAI, ANTHROPIC) for m in "ab" for _ in range(10)))
            async with ClientSession() as session, session.get(f"{provider.url}/counts") as answer:
                counts = from_json(await answer.read(), Counts)
        assert counts == provider.counts
        whole = [usage for path, _, usage in told if path == OPENAI and usage]
        blocks = [usage for path, _, usage in told if path == ANTHROPIC and usage]
        assert counts.total.requests == 40 == sum(counts.total.outcomes.values())
        assert counts.total.outcomes["ok"] == len(whole) + len(blocks) < 40
        assert counts.total.whole.output == sum(u["completion_tokens"] for u in whole) + sum(
            u["output_tokens"] for u in blocks
        )
        assert counts.total.whole.prompt == sum(u["prompt_tokens"] for u in whole) + sum(
            u["input_tokens"] for u in blocks
        )
        assert counts.total.whole.reasoning == sum(
            u["completion_tokens_details"]["reasoning_tokens"] for u in whole
        ) + sum(u["output_tokens_details"]["thinking_tokens"] for u in blocks)
        assert counts.models["a"].whole + counts.models["b"].whole == counts.total.whole
        assert counts.models["a"].spoiled + counts.models["b"].spoiled == counts.total.spoiled != Tokens()
        assert counts.paths == {OPENAI: 20, ANTHROPIC: 20} and 20 < counts.most_concurrent <= 40

    asyncio.run(talk())


def test_refused_requests_are_counted_by_what_was_wrong() -> None:
    async def talk() -> None:
        provider = FakeProvider(faults=Faults(context=1000))
        async with open_for(provider) as ask:
            assert (await ask(model="unknown-model")).status == 404
            long = {"role": "user", "content": "x" * 5000}
            assert (await ask(messages=[long])).json["error"]["code"] == "context_length_exceeded"
            assert (await ask(ANTHROPIC, messages=[long])).json["type"] == "error"
            assert (await ask(messages="none")).status == 400
        assert provider.counts.models["unknown-model"].outcomes == {"refused:model_not_found": 1}
        assert provider.counts.models[""].outcomes == {"refused:invalid_request_error": 1}
        assert provider.counts.total.requests == 4

    asyncio.run(talk())


def test_bodies_are_kept_only_when_told_and_no_key_is_counted() -> None:
    async def kept(keep: bool) -> FakeProvider:
        provider = FakeProvider(faults=Faults(plan=("server_error",)), keep=keep)
        async with open_for(provider) as ask:
            await ask()
            await ask()
        return provider

    assert not asyncio.run(kept(False)).seen
    provider = asyncio.run(kept(True))
    assert len(provider.seen) == 2 and all(b"#1101" in body for body in provider.seen)
    assert b"sk-test" not in msgspec.json.encode(provider.counts)


def test_a_price_is_named_when_there_is_one() -> None:
    said = ModelReply("Hi.", usage=Tokens(input=600, cache_read=200, output=200))
    usage = heard_from(OPENAI, Faults(dollars=2), Script([said]))[0].json["usage"]
    assert usage["cost"] == pytest.approx(0.002)
    assert "cost" not in heard_from(OPENAI, Faults(), Script([said]))[0].json["usage"]


def test_other_places_are_not_found() -> None:
    async def talk() -> int:
        async with (
            FakeProvider() as provider,
            ClientSession() as session,
            session.get(provider.url + OPENAI) as answer,
        ):
            return answer.status

    assert asyncio.run(talk()) == 404


def test_a_stream_is_declared_as_one() -> None:
    async def once() -> Heard:
        async with open_for(FakeProvider(Script(["Hello."]))) as ask:
            return await ask(ANTHROPIC, stream=True)

    heard = asyncio.run(once())
    assert heard.headers["Content-Type"] == "text/event-stream"
    assert heard.body.startswith(b"event: message_start\ndata: {") and b"Hello." in heard.body
