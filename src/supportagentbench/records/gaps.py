"""Gaps: the numbers that are missing from a count that begins at 1."""

from collections.abc import Iterable


def gaps(numbers: Iterable[int]) -> str:
    """The numbers below the highest that are not among these, such as `1, 4–6`; empty: none is missing."""
    found, before = [], 0
    for number in sorted({*numbers}):
        first, last = before + 1, number - 1
        if first <= last:
            found.append(f"{first}" if first == last else f"{first}–{last}")
        before = number
    return ", ".join(found)


def not_here(noun: str, missing: str) -> str:
    """Which numbered things are missing, as a clause; empty: none is."""
    if not missing:
        return ""
    return f"{noun} {missing} is not here" if missing.isdecimal() else f"{noun}s {missing} are not here"
