"""Answers longer than any model writes: what is kept of them, and sent again with the next request."""

import pytest

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.fake_provider.clerk import ModelReply, Script
from supportagentbench.fake_provider.provider import FakeProvider
from supportagentbench.models import Completion, Message, ModelRequest, ToolRequest
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool
from supportagentbench.models.oversize import LONGEST_NATIVE, LONGEST_TEXT, MOST_REQUESTS, cut
from supportagentbench.models.provider import open_model
from supportagentbench.records.usage import Usage

DIALECTS = (
    "openai:gpt-5",
    "openai:gpt-5,api=responses",
    "anthropic:claude-haiku-4-5",
    "deepseek:deepseek-chat",
)
HELLO = Message("user", "Hello?")
FEW = ToolRequest("1", "look_up", {})


def answer(length: int, calls: int = 1) -> Completion:
    words = "x" * length
    return Completion(words, Usage("m"), (FEW,) * calls, reasoning=words, native={"content": words})


def test_an_answer_of_a_usual_size_is_kept_as_it_is() -> None:
    usual = answer(LONGEST_TEXT)
    assert cut(usual, LONGEST_TEXT) is usual
    assert cut(usual, LONGEST_NATIVE) == usual


def test_what_is_longer_is_cut_and_the_provider_s_own_message_is_dropped() -> None:
    found = cut(answer(LONGEST_TEXT + 1), LONGEST_NATIVE + 1)
    assert found.text == found.reasoning == "x" * LONGEST_TEXT + " […cut]"
    assert found.native is None and found.calls == (FEW,)


def test_calls_that_nobody_carries_out_are_dropped() -> None:
    found = cut(answer(9, MOST_REQUESTS + 1), LONGEST_TEXT + 1)
    assert len(found.calls) == MOST_REQUESTS and found.native is None


@pytest.mark.parametrize("name", DIALECTS)
def test_a_reply_of_megabytes_is_not_sent_back_with_every_request(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    for provider in ("OPENAI", "ANTHROPIC", "DEEPSEEK"):
        monkeypatch.setenv(f"{provider}_API_KEY", "sk-test-0123456789")
    flood = "word " * 400_000
    replies = ModelReply(flood, reasoning=flood), ModelReply("Goodbye.")

    async def main() -> tuple[Completion, list[bytes]]:
        async with FakeProvider(Script(replies), keep=True) as provider, ConnectionPool(1) as pool:
            model = open_model(f"{name},base_url={provider.url}/v1", "agent", pool, Budget())
            first = await model.complete(ModelRequest((HELLO,)))
            await model.complete(ModelRequest((HELLO, first.message, HELLO)))
            return first, provider.seen

    first, (_, second) = drive(main())
    assert len(first.text) < 2 * LONGEST_TEXT and len(first.reasoning) < 2 * LONGEST_TEXT
    assert len(second) < 3 * LONGEST_TEXT
