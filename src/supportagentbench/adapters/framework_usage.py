"""Framework usage: what a framework says that a model call used, in buckets that do not overlap."""

from collections.abc import Mapping
from typing import Any

from supportagentbench.records.usage import Usage

CACHE_READ = ("input_tokens_details.cached_tokens", "cache_read_tokens", "input_token_details.cache_read")
CACHE_WRITTEN = (
    "input_tokens_details.cache_write_tokens",
    "cache_write_tokens",
    "input_token_details.cache_creation",
)
REASONING = (
    "output_tokens_details.reasoning_tokens",
    "output_tokens_details.thinking_tokens",
    "details.reasoning_tokens",
    "output_token_details.reasoning",
)
"""Where openai-agents, pydantic-ai, LangChain and Anthropic have them; their input includes these caches."""

BESIDE = ("cache_read_input_tokens", "cache_creation_input_tokens")
"""Where Anthropic has what was read from the cache and written to it, beside its input."""


def usage_of(counts: object, model: str) -> Usage:
    """The usage in a framework's object or mapping; counts that it does not have are zero."""
    read, written = (_count(counts, path) for path in BESIDE)
    inside = _first(counts, CACHE_READ), _first(counts, CACHE_WRITTEN)
    return Usage(
        model,
        input=max(0, _count(counts, "input_tokens") - sum(inside)),
        cache_read=read + inside[0],
        cache_write=written + inside[1],
        output=_count(counts, "output_tokens"),
        reasoning=_first(counts, REASONING),
    )


def _first(counts: object, paths: tuple[str, ...]) -> int:
    return next((found for path in paths if (found := _count(counts, path))), 0)


def _count(counts: object, path: str) -> int:
    found: Any = counts
    for name in path.split("."):
        found = found.get(name) if isinstance(found, Mapping) else getattr(found, name, None)
    return found if isinstance(found, int) else 0
