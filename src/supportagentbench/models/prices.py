"""Prices: dollars for tokens, from the genai-prices table. A price it does not have stays unknown."""

import re
from collections.abc import Callable
from functools import cache, lru_cache
from importlib.metadata import version
from importlib.util import find_spec
from pathlib import Path

from msgspec.structs import replace

from supportagentbench.models.alias import LONGEST_NAME
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


def priced_by_name(usage: Usage) -> Usage:
    """Usage without a cost with the table's, if it has tokens of a model that the table knows by this name.

    A name is `gpt-5.4-mini`, also with a date, or `openai:gpt-5.4-mini`, or `openai/gpt-5.4-mini`.
    """
    read = usage.input + usage.cache_read + usage.cache_write
    if usage.cost is not None or usage.unread or not read + usage.output or len(usage.model) > LONGEST_NAME:
        return usage
    provider, *rest = re.split("[:/]", usage.model, maxsplit=1)
    rate = (rate_of(provider, rest[0]) if rest else None) or rate_of(None, usage.model)
    return replace(usage, cost=rate(usage), cost_by="table") if rate else usage


@cache
def price_table() -> str:
    """The table's version and the date of its newest entry.

    They are read from the table's text: a command that prices nothing need not import the table, which takes
    a third of a second.
    """
    spec = find_spec("genai_prices")
    table = Path(spec.origin or "").parent / "data.py" if spec else Path()
    text = table.read_bytes() if table.is_file() else b""
    days = {day for line in _COMMENT.findall(text) for day in _DAY.findall(line)}
    return f"genai-prices {version('genai-prices')}, newest entry {max(days, default=b'undated').decode()}"


_COMMENT = re.compile(rb"price_comments=(.*)")
_DAY = re.compile(rb"\b20\d\d-\d\d-\d\d\b")


@lru_cache(256)  # Servers name models as they like.
def rate_of(provider: str | None, model: str) -> Rate | None:
    """The price function of one model, or None; a provider that is not given is the name's own."""
    from genai_prices import calc_price
    from genai_prices.types import TieredPrices
    from genai_prices.types import Usage as Tokens

    if provider == "":
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
