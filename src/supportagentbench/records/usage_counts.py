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


class UsageNames(NamedTuple):
    """What one API calls its counts: `details.cached` is a part of `details`, `a+b` a sum.

    Where there are several places, the first that is not zero counts.
    """

    input: str
    output: str
    cache_read: tuple[str, ...] = ()
    cache_write: tuple[str, ...] = ()
    reasoning: tuple[str, ...] = ()
    total: str = ""
    """Everything together: some providers count reasoning only here, and not in the output."""
    is_cache_inside: bool = True
    """Whether the input includes what was read from a cache or written to one."""

    @property
    def fields(self) -> frozenset[str]:
        """The fields of a usage object by which this API is recognized."""
        places = (self.input, self.output, *self.cache_read, *self.cache_write, *self.reasoning)
        return frozenset(path.partition(".")[0] for place in places for path in place.split("+"))


OPENAI_CHAT = UsageNames(
    "prompt_tokens",
    "completion_tokens",
    ("prompt_tokens_details.cached_tokens", "prompt_cache_hit_tokens"),
    ("prompt_tokens_details.cache_write_tokens",),
    ("completion_tokens_details.reasoning_tokens",),
    total="total_tokens",
)

OPENAI_RESPONSES = UsageNames(
    "input_tokens",
    "output_tokens",
    ("input_tokens_details.cached_tokens",),
    ("input_tokens_details.cache_write_tokens",),
    ("output_tokens_details.reasoning_tokens",),
)

ANTHROPIC = UsageNames(
    "input_tokens",
    "output_tokens",
    ("cache_read_input_tokens",),
    ("cache_creation_input_tokens",),
    ("output_tokens_details.thinking_tokens",),
    is_cache_inside=False,
)

PYDANTIC_AI = UsageNames(
    "input_tokens",
    "output_tokens",
    ("cache_read_tokens",),
    ("cache_write_tokens",),
    ("details.reasoning_tokens",),
)

_LANGCHAIN_WRITES = ("ephemeral_5m_input_tokens", "ephemeral_1h_input_tokens")

LANGCHAIN = UsageNames(
    "input_tokens",
    "output_tokens",
    ("input_token_details.cache_read",),
    (
        "input_token_details.cache_creation",
        "+".join(f"input_token_details.{kind}" for kind in _LANGCHAIN_WRITES),
    ),
    ("output_token_details.reasoning",),
)

OWN = UsageNames("input", "output", ("cache_read",), ("cache_write",), ("reasoning",), is_cache_inside=False)
"""The names of `Usage` itself."""

KNOWN = (OWN, OPENAI_CHAT, OPENAI_RESPONSES, ANTHROPIC, PYDANTIC_AI, LANGCHAIN)


def counts_in(sent: object, names: UsageNames) -> Usage:
    """The tokens of one request, by these names; NoCount if they are missing or cannot be right."""
    prompt = _tokens(sent, names.input)
    total = _tokens(sent, names.total, missing=0) if names.total else 0
    written = _tokens(sent, names.output, missing=0 if total else None)
    read, stored = _first(sent, names.cache_read), _first(sent, names.cache_write)
    fresh = prompt - read - stored if names.is_cache_inside else prompt
    if fresh < 0:
        raise NoCount(f"expected at least {read + stored} tokens, those of the cache, in `{names.input}`")
    extra = max(0, total - prompt - written)
    reasoning = _first(sent, names.reasoning) or extra
    written += extra
    return Usage(
        "",
        input=fresh,
        cache_read=read,
        cache_write=stored,
        output=written,
        reasoning=min(written, reasoning),
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


def found_at(sent: object, path: str) -> object:
    """What a usage object or mapping has in this place; None if it has no such place."""
    for name in path.split("."):
        sent = sent.get(name) if isinstance(sent, Mapping) else getattr(sent, name, None)
    return sent


def cost_in(sent: object) -> float | None:
    """Dollars that a request cost in all, as OpenRouter reports them; None if they cannot be right.

    With the user's own keys, `cost` is its fee alone, and the model's provider charges the upstream cost
    besides. Without, the upstream cost is a part of `cost`, or equal to it.
    """
    cost = _dollars(found_at(sent, "cost"))
    upstream = _dollars(found_at(sent, "cost_details.upstream_inference_cost"))
    if cost is None or upstream is None:
        return upstream if cost is None else cost
    is_byok = found_at(sent, "is_byok")
    has_own_keys = is_byok if isinstance(is_byok, bool) else upstream > cost
    return cost + upstream if has_own_keys else max(cost, upstream)


def _tokens(sent: object, path: str, missing: int | None = None) -> int:
    found = found_at(sent, path)
    if found is None and missing is not None:
        return missing
    try:
        return tokens(found)
    except NoCount as error:
        raise NoCount(f"{error} in `{path}`") from None


def _first(sent: object, places: tuple[str, ...]) -> int:
    """The first of these sums that is not zero."""
    sums = (sum(_tokens(sent, path, missing=0) for path in place.split("+")) for place in places)
    return next((number for number in sums if number), 0)


def _dollars(found: object) -> float | None:
    """A cost, also as text; None if it is missing or cannot be right."""
    if isinstance(found, bool) or not isinstance(found, int | float | str):
        return None
    try:
        cost = float(found)
    except (ValueError, OverflowError):
        return None
    return cost if math.isfinite(cost) and 0 <= cost <= MOST_DOLLARS else None
