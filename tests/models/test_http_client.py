"""Requests over a real wire: tried again when that helps, given up when it does not, counted always."""

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

import pytest

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider.clerk import ModelReply, RawReply, Script
from supportagentbench.fake_provider.faults import Faults
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.models import Completion, Message, Model, ModelError, ModelRequest
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool, RetryPolicy
from supportagentbench.models.provider import open_model

HASTE = RetryPolicy(tries=4, first_wait=0.02, longest_wait=0.3, connect_timeout=1, read_timeout=0.4)
HELLO = ModelRequest((Message("user", "Hello, is anybody there? " * 30),))
DIALECTS = ("openai:gpt-5", "openai:gpt-5,api=responses", "anthropic:claude-haiku-4-5")
Made = TypeVar("Made")


def ask(
    provider: FakeProvider,
    use: Callable[[Model], Awaitable[Made]],
    name: str = "openai:gpt-5",
    concurrency: int = 8,
    retries: RetryPolicy = HASTE,
) -> Made:
    """Open a model at this provider, and do something with it."""

    async def main() -> Made:
        async with provider, ConnectionPool(concurrency, retries) as pool:
            place = f"{name},base_url={provider.url}/v1"
            return await use(open_model(place, "agent", pool, Budget()))

    return drive(main())


async def once(model: Model) -> Completion:
    return await model.complete(HELLO)


async def in_vain(model: Model) -> ModelError:
    with pytest.raises(ModelError) as caught:
        await model.complete(HELLO)
    return caught.value


@pytest.fixture(autouse=True)
def keys(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-test-0123456789")
    monkeypatch.setenv("ANTHROPIC_API_KEY", "sk-ant-0123456789")


@pytest.mark.parametrize("name", DIALECTS)
def test_an_answer_comes_with_its_usage_and_price(name: str) -> None:
    provider = FakeProvider(Script(["Good morning."]))
    completion = ask(provider, once, name)
    assert completion.text == "Good morning."
    assert completion.usage.role == "agent"
    assert completion.usage.attempts == 1
    assert completion.usage.cost_by == "table"
    assert completion.usage.cost
    whole = provider.counts.total.whole
    assert (completion.usage.input, completion.usage.output) == (whole.input, whole.output)


@pytest.mark.parametrize(
    ("fault", "lost"),
    [
        ("rate_limited", 0),
        ("server_error", 0),
        ("unavailable", 0),
        ("overloaded", 0),
        ("broken_json", 1),
        ("truncated", 1),
        ("dropped", 1),
    ],
)
@pytest.mark.parametrize("name", DIALECTS)
def test_what_may_pass_is_tried_again(fault: str, lost: int, name: str) -> None:
    provider = FakeProvider(None, Faults(plan=(fault, "ok"), retry_after=0.05))  # type: ignore[arg-type]
    completion = ask(provider, once, name)
    assert (completion.usage.attempts, completion.usage.lost) == (2, lost)
    assert provider.counts.total.requests == 2


def test_a_body_that_dribbles_is_a_time_out() -> None:
    provider = FakeProvider(Script(["Slow."] * 9), Faults(slow=1, slow_for=30))
    error = ask(provider, in_vain, "openai:gpt-5,timeout=0.3")
    assert error.cause == "time_out"
    assert error.usage.attempts == error.usage.lost == HASTE.tries


@pytest.mark.parametrize(
    ("name", "cause", "words"),
    [
        ("openai:unknown-model", "provider_error", "404"),
        ("anthropic:unknown-model", "provider_error", "404"),
        ("openai:no-quota", "provider_error", "quota"),
        ("openai:small-context", "context_overflow", "context"),
        ("openai:unknown-model,api=responses", "provider_error", "404"),
        ("openai:small-context,api=responses", "context_overflow", "context"),
    ],
)
def test_what_cannot_pass_is_not_tried_again(name: str, cause: str, words: str) -> None:
    provider = FakeProvider()
    error = ask(provider, in_vain, name)
    assert error.cause == cause
    assert words in error.detail
    assert provider.counts.total.requests == error.usage.attempts == 1


def test_a_refused_key_is_told_in_the_provider_s_words_without_the_key() -> None:
    words = b'{"error": {"message": "Incorrect API key provided: sk-test-0123456789."}}'
    error = ask(FakeProvider(Script([RawReply(words, 401)])), in_vain)
    assert error.detail == "401: Incorrect API key provided: [key]."


def test_after_the_last_try_the_last_reason_stands() -> None:
    provider = FakeProvider(None, Faults(rate_limited=1, retry_after=0.01))
    error = ask(provider, in_vain)
    assert error.detail.startswith("429")
    assert error.usage.attempts == provider.counts.total.requests == HASTE.tries


def test_nobody_at_the_other_end_is_no_connection() -> None:
    async def main() -> ModelError:
        async with ConnectionPool(1, HASTE) as pool:
            model = open_model("openai:gpt-5,base_url=http://127.0.0.1:9/v1", "agent", pool, Budget())
            return await in_vain(model)

    error = asyncio.run(main())
    assert (error.cause, error.usage.lost) == ("provider_error", 0)
    assert "no connection" in error.detail


def test_the_pace_adapts_to_a_provider_that_takes_few_at_once() -> None:
    provider = FakeProvider(Script(["Yes."] * 500), Faults(latency=0.01, concurrency=4, retry_after=0.02))

    async def many(model: Model) -> int:
        answers = await asyncio.gather(*(model.complete(HELLO) for _ in range(60)), return_exceptions=True)
        return sum(isinstance(answer, Completion) for answer in answers)

    assert ask(provider, many, concurrency=16) >= 55
    assert provider.counts.total.outcomes["concurrency"] < 60, (
        "sixteen at a time throughout would be refused more often"
    )


def test_reasoning_goes_back_where_the_provider_insists() -> None:
    """The fake provider refuses, as the real one does, a tool call that comes back without its thought."""
    script = [
        ModelReply(calls=(("find_order", "{}"),), reasoning="Look first."),
        ModelReply("Found it."),
    ]

    async def two(model: Model) -> Completion:
        first = await model.complete(HELLO)
        (call,) = first.calls
        dialogue = (*HELLO.messages, first.message, Message("tool", "shipped", answers=call.id))
        return await model.complete(ModelRequest(dialogue))

    assert ask(FakeProvider(Script(script)), two, "anthropic:claude-haiku-4-5").text == "Found it."


@pytest.mark.parametrize("asked", ["1e9", "inf", "9999"])
def test_a_provider_that_asks_for_ever_longer_waits_is_given_up_in_time(asked: str) -> None:
    refusal = RawReply(b'{"error": {"message": "Later."}}', 429, {"Retry-After": asked})
    policy = RetryPolicy(tries=8, first_wait=0.01, longest_wait=0.1, longest_total=0.25)
    provider = FakeProvider(Script([refusal] * 8))
    error = ask(provider, in_vain, retries=policy)
    assert (error.cause, error.usage.attempts, error.usage.lost) == ("provider_error", 3, 0)
    assert error.detail.startswith(
        f"429: Later. (it asks for a wait of {float(asked):,.0f} s; a request waits"
    )
