"""Prices: dollars for tokens, from the genai-prices table. A price it does not have stays unknown."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.metadata import version

from supportagentbench.records.usage import Usage

MILLION = 1_000_000

Rate = Callable[[Usage], float]


def dollars(usage: Usage, provider: str, model: str) -> float | None:
    """What a call costs according to the table; None if the model is not in it.

    A server that says it answered with another model is not believed if that one is cheaper.
    """
    rate = rate_of(provider, model)
    if not usage.model or usage.model == model:
        return rate(usage) if rate else None
    rates = [found for found in (rate, rate_of(provider, usage.model)) if found]
    return max((found(usage) for found in rates), default=None)


@cache
def price_table() -> str:
    """The table's version and the date of its newest entry."""
    from genai_prices.data_snapshot import get_snapshot

    days = {
        day
        for provider in get_snapshot().providers
        for model in provider.models
        for day in re.findall(r"\b20\d\d-\d\d-\d\d\b", model.price_comments or "")
    }
    return f"genai-prices {version('genai-prices')}, newest entry {max(days, default='undated')}"


@lru_cache(256)  # Servers name models as they like.
def rate_of(provider: str, model: str) -> Rate | None:
    """The price function of one model, or None."""
    from genai_prices import calc_price
    from genai_prices.types import TieredPrices
    from genai_prices.types import Usage as Tokens

    if not provider:
        return None
    try:
        found = calc_price(Tokens(input_tokens=1, output_tokens=1), model, provider_id=provider).model_price
    except (LookupError, ValueError):
        return None

    def by_table(usage: Usage) -> float:
        tokens = Tokens(
            input_tokens=usage.input + usage.cache_read + usage.cache_write,
            cache_read_tokens=usage.cache_read,
            cache_write_tokens=usage.cache_write,
            output_tokens=usage.output,
        )
        return float(found.calc_price(tokens)["total_price"])

    if any(isinstance(price, TieredPrices) for price in vars(found).values()):
        return by_table
    # Flat prices are looked up once per kind of token: the table's arithmetic takes longer than a request.
    fresh, read, write, output = (
        by_table(one) / MILLION
        for one in (
            Usage(model, input=MILLION),
            Usage(model, cache_read=MILLION),
            Usage(model, cache_write=MILLION),
            Usage(model, output=MILLION),
        )
    )
    return lambda usage: (
        fresh * usage.input + read * usage.cache_read + write * usage.cache_write + output * usage.output
    )
