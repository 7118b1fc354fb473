"""Arguments: what an agent passed to a tool, in a form that can be recorded."""

from typing import Any

import msgspec

DEEPEST = 50
"""Levels of nested arguments; anything deeper is stored as text, which every reader can handle."""

LONGEST_TEXT = 2_000
"""Characters of arguments that are kept as text."""


def as_arguments(given: object) -> dict[str, Any] | str:
    """A copy of the arguments that can be recorded; as text if they are not a JSON object."""
    try:
        written = msgspec.json.encode(given)
        plain = msgspec.json.decode(written)
        if isinstance(plain, str):
            return plain
        brackets = written.count(b"{") + written.count(b"[")  # Few brackets cannot be nested deeply.
        if isinstance(plain, dict) and (brackets <= DEEPEST or not _is_deep(plain, DEEPEST)):
            return plain
        return repr(given)[:LONGEST_TEXT]
    except (TypeError, ValueError, OverflowError):
        return repr(given)[:LONGEST_TEXT]
    except RecursionError:
        return "(nested too deeply)"


def short_arguments(given: object) -> dict[str, Any] | str:
    """The same for calls that are only noted: long arguments become truncated text."""
    plain = as_arguments(given)
    written = msgspec.json.encode(plain)
    if len(written) <= LONGEST_TEXT:
        return plain
    return written[:LONGEST_TEXT].decode(errors="replace")


def _is_deep(plain: Any, levels: int) -> bool:
    """Whether plain data has more levels than this."""
    if not isinstance(plain, dict | list):
        return False
    parts = plain.values() if isinstance(plain, dict) else plain
    return not levels or any(_is_deep(part, levels - 1) for part in parts)
