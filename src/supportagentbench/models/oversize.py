"""Oversize: answers that are longer than anything a model has to say, cut as soon as they are read."""

from typing import Any

from msgspec.structs import replace

from supportagentbench.models import Completion

LONGEST_TEXT = 100_000
"""Characters that are kept of a text and of a reasoning."""

LONGEST_NATIVE = 1_000_000
"""Bytes of an answer up to which the provider's own message is kept to be sent back."""

MOST_REQUESTS = 100
"""Tool calls that are kept; fewer are carried out in a turn."""


def cut(completion: Completion, size: int) -> Completion:
    """The completion from an answer of `size` bytes; whatever of it waits for the next request is bounded."""
    if size <= LONGEST_TEXT:
        return completion
    calls = completion.calls[:MOST_REQUESTS]
    is_whole = size <= LONGEST_NATIVE and len(calls) == len(completion.calls)
    native: dict[str, Any] | None = completion.native if is_whole else None
    return replace(
        completion,
        text=_shortened(completion.text),
        reasoning=_shortened(completion.reasoning),
        calls=calls,
        native=native,
    )


def _shortened(text: str) -> str:
    return text if len(text) <= LONGEST_TEXT else text[:LONGEST_TEXT] + " […cut]"
