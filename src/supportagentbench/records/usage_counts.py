"""Usage counts: what model APIs and frameworks call their token counts, and how these become one `Usage`.

Some include cached input in their input, others count it separately; buckets of a `Usage` never overlap.
"""

import math
from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.records.usage import Usage

MOST_TOKENS = 10_000_000
"""Tokens of one kind in one request; more is a mistake."""

MOST_DOLLARS = 1_000.0
"""Dollars of one request; more is a mistake."""


class NoCount(Exception):
    """A count is missing, or cannot be right."""


Places = tuple[tuple[tuple[str, str], ...], ...]
"""Where a count may be: the first of these sums that is not zero. Each term is a field, or a part of one."""


def _at(*sums: str) -> Places:
    """Places as they are written below: `details.cached` is a part of `details`, `a+b` a sum."""
    terms = ([term.partition(".") for term in words.split("+")] for words in sums)
    return tuple(tuple((field, part) for field, _, part in found) for found in terms)


class UsageNames(NamedTuple):
    """What one API calls its counts."""

    input: str
    output: str
    cache_read: Places = ()
    cache_write: Places = ()
    reasoning: Places = ()
    total: str = ""
    """Everything together: some providers count reasoning only here, and not in the output."""
    is_cache_inside: bool = True
    """Whether the input includes what was read from a cache or written to one."""

    @property
    def fields(self) -> frozenset[str]:
        """The fields of a usage object by which this API is recognized."""
        places = (*self.cache_read, *self.cache_write, *self.reasoning)
        return frozenset((self.input, self.output, *(field for place in places for field, _ in place)))


OPENAI_CHAT = UsageNames(
    "prompt_tokens",
    "completion_tokens",
    _at("prompt_tokens_details.cached_tokens", "prompt_cache_hit_tokens"),
    _at("prompt_tokens_details.cache_write_tokens"),
    _at("completion_tokens_details.reasoning_tokens"),
    total="total_tokens",
)

OPENAI_RESPONSES = UsageNames(
    "input_tokens",
    "output_tokens",
    _at("input_tokens_details.cached_tokens"),
    _at("input_tokens_details.cache_write_tokens"),
    _at("output_tokens_details.reasoning_tokens"),
)

ANTHROPIC = UsageNames(
    "input_tokens",
    "output_tokens",
    _at("cache_read_input_tokens"),
    _at("cache_creation_input_tokens"),
    _at("output_tokens_details.thinking_tokens"),
    is_cache_inside=False,
)

PYDANTIC_AI = UsageNames(
    "input_tokens",
    "output_tokens",
    _at("cache_read_tokens"),
    _at("cache_write_tokens"),
    _at("details.reasoning_tokens"),
)

_DETAILS = "input_token_details"

LANGCHAIN = UsageNames(
    "input_tokens",
    "output_tokens",
    _at(f"{_DETAILS}.cache_read"),
    # It counts what is written to a cache once: in all, or by how long it is kept.
    _at(
        f"{_DETAILS}.cache_creation",
        f"{_DETAILS}.ephemeral_5m_input_tokens+{_DETAILS}.ephemeral_1h_input_tokens",
    ),
    _at("output_token_details.reasoning"),
)

OWN = UsageNames(
    "input", "output", _at("cache_read"), _at("cache_write"), _at("reasoning"), is_cache_inside=False
)
"""The names of `Usage` itself."""

KNOWN = (OWN, OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, PYDANTIC_AI, LANGCHAIN)


def counts_in(sent: Mapping[str, object], names: UsageNames) -> Usage:
    """The tokens of one request, by these names; NoCount if they are missing or cannot be right."""
    prompt = _tokens(sent.get(names.input), names.input)
    total = _tokens(sent.get(names.total) or 0, names.total) if names.total else 0
    written = sent.get(names.output)
    written = 0 if written is None and total else _tokens(written, names.output)
    read, stored = _sum_at(sent, names.cache_read), _sum_at(sent, names.cache_write)
    fresh = prompt - read - stored if names.is_cache_inside else prompt
    if fresh < 0:
        raise NoCount(f"expected at least {read + stored} tokens, those of the cache, in `{names.input}`")
    extra = max(0, total - prompt - written)
    return Usage(
        "",
        input=fresh,
        cache_read=read,
        cache_write=stored,
        output=written + extra,
        reasoning=min(written + extra, _sum_at(sent, names.reasoning) or extra),
    )


def tokens(found: object) -> int:
    """A number of tokens, also as 12.0 or "12"; anything else is NoCount."""
    if isinstance(found, float) and found.is_integer():
        found = int(found)
    if isinstance(found, str) and found.isdecimal() and len(found) < 12:
        found = int(found)
    if type(found) is not int or not 0 <= found <= MOST_TOKENS:
        raise NoCount(f"expected a whole number of tokens from 0 to {MOST_TOKENS:,}")
    return found


def part_of(whole: object, name: str) -> object:
    """What a usage object or mapping has under this name; None if it has no such part."""
    if isinstance(whole, dict) or isinstance(whole, Mapping):  # noqa: SIM101 - the first is fast.
        return whole.get(name)
    return getattr(whole, name, None)


def cost_in(sent: object) -> float | None:
    """Dollars that a request cost in all, as OpenRouter reports them; None if they cannot be right.

    With the user's own keys, `cost` is its fee alone, and the model's provider charges the upstream cost
    besides. Without, the upstream cost is a part of `cost`, or equal to it.
    """
    cost = _dollars(part_of(sent, "cost"))
    upstream = _dollars(part_of(part_of(sent, "cost_details"), "upstream_inference_cost"))
    if cost is None or upstream is None:
        return upstream if cost is None else cost
    is_byok = part_of(sent, "is_byok")
    has_own_keys = is_byok if isinstance(is_byok, bool) else upstream > cost
    return cost + upstream if has_own_keys else max(cost, upstream)


def _tokens(found: object, place: str) -> int:
    if type(found) is int and 0 <= found <= MOST_TOKENS:
        return found
    try:
        return tokens(found)
    except NoCount as error:
        raise NoCount(f"{error} in `{place}`") from None


def _sum_at(sent: Mapping[str, object], places: Places) -> int:
    """The first of the sums in these places that is not zero."""
    for place in places:
        number = 0
        for field, part in place:
            found = sent.get(field)
            if part and found is not None:
                found = part_of(found, part)
            if found is not None:
                number += _tokens(found, f"{field}.{part}" if part else field)
        if number:
            return number
    return 0


def _dollars(found: object) -> float | None:
    """A cost, also as text; None if it is missing or cannot be right."""
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return None
    try:
        cost = float(found)
    except (ValueError, OverflowError):
        return None
    return cost if math.isfinite(cost) and 0 <= cost <= MOST_DOLLARS else None
