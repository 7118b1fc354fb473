"""Prices: what the table has is priced, and what it lacks stays unknown."""

import re

import pytest
from genai_prices import Usage as Tokens
from genai_prices import calc_price
from genai_prices.data_snapshot import get_snapshot
from msgspec.structs import replace

from supportagentbench.models.prices import dollars, price_table, priced_by_name
from supportagentbench.records.usage import Usage

CALL = Usage("", input=1_200, cache_read=30_000, cache_write=700, output=450)


@pytest.mark.parametrize(
    ("provider", "model"),
    [
        ("openai", "gpt-5"),
        ("anthropic", "claude-haiku-4-5"),
        ("google", "gemini-2.5-pro"),
        ("openrouter", "anthropic/claude-sonnet-4.5"),
    ],
)
@pytest.mark.parametrize("times", [1, 12])
def test_a_price_is_the_table_s_own_tiers_included(provider: str, model: str, times: int) -> None:
    usage = Usage(
        model,
        input=CALL.input * times,
        cache_read=CALL.cache_read * times,
        cache_write=CALL.cache_write * times,
        output=CALL.output * times,
    )
    tokens = Tokens(
        input_tokens=usage.input + usage.cache_read + usage.cache_write,
        cache_read_tokens=usage.cache_read,
        cache_write_tokens=usage.cache_write,
        output_tokens=usage.output,
    )
    theirs = calc_price(tokens, model, provider_id=provider).total_price
    assert dollars(usage, provider, model) == pytest.approx(float(theirs), rel=1e-9)


@pytest.mark.parametrize(
    ("provider", "model"), [("openai", "nobodys-model"), ("", "gpt-5"), ("nobody", "gpt-5")]
)
def test_what_the_table_does_not_know_is_unknown(provider: str, model: str) -> None:
    assert dollars(CALL, provider, model) is None


def test_the_name_asked_for_prices_an_answer_under_an_unknown_one() -> None:
    strange = Usage("finetune-of-mine-2026", input=1_000_000)
    assert dollars(strange, "openai", "gpt-5") == dollars(Usage("gpt-5", input=1_000_000), "openai", "gpt-5")


def test_the_table_has_a_version_and_a_day() -> None:
    assert re.fullmatch(r"genai-prices [\d.]+, newest entry 20\d\d-\d\d-\d\d", price_table())


def test_its_day_is_the_newest_in_any_comment_of_the_table() -> None:
    days = {
        day
        for provider in get_snapshot().providers
        for model in provider.models
        for day in re.findall(r"\b20\d\d-\d\d-\d\d\b", model.price_comments or "")
    }
    assert price_table().endswith(f", newest entry {max(days)}")


@pytest.mark.parametrize(
    ("name", "provider", "model"),
    [
        ("gpt-5.4-mini", "openai", "gpt-5.4-mini"),
        ("gpt-5.4-mini-2026-03-17", "openai", "gpt-5.4-mini"),
        ("openai:gpt-5.4-mini", "openai", "gpt-5.4-mini"),
        ("openai/gpt-5.4-mini", "openai", "gpt-5.4-mini"),
        ("openai-responses:gpt-5.4-mini", "openai", "gpt-5.4-mini"),
        ("gemini:gemini-2.5-pro", "google", "gemini-2.5-pro"),
        ("claude-haiku-4-5-20251001", "anthropic", "claude-haiku-4-5"),
        ("openrouter/anthropic/claude-sonnet-4.5", "openrouter", "anthropic/claude-sonnet-4.5"),
    ],
)
def test_a_model_is_priced_by_its_name_however_it_is_written(name: str, provider: str, model: str) -> None:
    found = priced_by_name(replace(CALL, model=name))
    assert found == replace(CALL, model=name, cost=dollars(CALL, provider, model), cost_by="table")
    assert found.cost


@pytest.mark.parametrize(
    "name",
    [
        *("my-model", "gpt-99", "ollama:gpt-oss-20b", "vllm:gpt-5.4-mini", "local:small", "clerk", ""),
        *("my-proxy/gpt-5.4-mini", ":", "/gpt-5.4-mini", "llama3.1:8b", "gpt-5.4-mini" * 20, "\n", "openai:"),
    ],
)
def test_a_model_that_the_table_does_not_know_stays_unpriced(name: str) -> None:
    assert priced_by_name(replace(CALL, model=name)).cost is None


def test_what_has_a_cost_or_no_tokens_stays_as_it_is() -> None:
    for usage in (
        Usage("gpt-5.4-mini", input=900, cost=0.5),
        Usage("gpt-5.4-mini", input=900, cost=0.0, cost_by="provider"),
        Usage("gpt-5.4-mini"),
        Usage("gpt-5.4-mini", unread="null"),
    ):
        assert priced_by_name(usage) == usage
