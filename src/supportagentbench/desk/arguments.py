"""Arguments: what an agent passed to a tool, in a form and of a size that can be recorded."""

from typing import Any, Self

import msgspec

DEEPEST = 50
"""Levels of nested arguments; anything deeper is stored as text, which every reader can handle."""

MOST_VALUES = 1_000
"""Values in a call's arguments; more are stored as text."""

LONGEST_TEXT = 2_000
"""Characters of arguments that are kept as text."""

LARGEST = 200_000
"""Bytes of a call's arguments in JSON; larger ones are refused, and their start is kept."""

LARGEST_TURN = 600_000
"""Bytes of the arguments of all calls in one turn."""


class CutArguments(str):
    """The start of arguments that another process did not send as a whole, with the size that they have."""

    __slots__ = ("size",)

    def __new__(cls, start: str, size: int) -> Self:
        made = super().__new__(cls, start[:LONGEST_TEXT])
        made.size = size
        return made

    size: int


def as_arguments(given: object, most: int = LARGEST) -> tuple[dict[str, Any] | str, int]:
    """A copy of the arguments that can be recorded, and their size in bytes.

    They are text if they are not a JSON object, and the start of it if they are larger than this.
    """
    if isinstance(given, CutArguments):
        return str(given), given.size
    try:
        written = msgspec.json.encode(given)
        if len(written) > most:
            return written[:LONGEST_TEXT].decode(errors="replace"), len(written)
        plain = msgspec.json.decode(written)
        if isinstance(plain, str):
            return plain, len(written)
        brackets = written.count(b"{") + written.count(b"[")  # Few brackets cannot be nested deeply.
        is_flat = brackets <= DEEPEST or not is_deep(plain, DEEPEST)
        is_small = brackets + written.count(b",") < MOST_VALUES or _values(plain) <= MOST_VALUES
        if isinstance(plain, dict) and is_flat and is_small:
            return plain, len(written)
        return repr(given)[:LONGEST_TEXT], len(written)
    except (TypeError, ValueError, OverflowError):
        return repr(given)[:LONGEST_TEXT], LONGEST_TEXT
    except RecursionError:
        return "(nested too deeply)", LONGEST_TEXT


def short_arguments(given: object) -> dict[str, Any] | str:
    """The same for calls that are only noted: long arguments become truncated text."""
    return as_arguments(given, LONGEST_TEXT)[0]


def is_deep(plain: Any, levels: int) -> bool:
    """Whether plain data has more levels than this."""
    if not isinstance(plain, dict | list):
        return False
    parts = plain.values() if isinstance(plain, dict) else plain
    return not levels or any(is_deep(part, levels - 1) for part in parts)


def _values(plain: Any) -> int:
    """How many values plain data has, itself included; it is not deep."""
    if not isinstance(plain, dict | list):
        return 1
    return 1 + sum(map(_values, plain.values() if isinstance(plain, dict) else plain))
