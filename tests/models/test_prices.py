"""Prices: what the table has is priced, and what it lacks stays unknown."""

import re

import pytest
from genai_prices import Usage as Tokens
from genai_prices import calc_price

from supportagentbench.models.prices import dollars, price_table
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
