"""Did you mean: the known name that a mistyped one is closest to."""

from collections.abc import Iterable
from difflib import get_close_matches

CLOSE = 0.75
"""How similar two names must be, from 0 to 1; a bad suggestion is worse than none."""


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """` Did you mean …?`, to follow a sentence; empty if nothing is close."""
    names = {name.casefold(): name for name in known}
    found = get_close_matches(word.casefold(), names, n=1, cutoff=CLOSE)
    return f" Did you mean {names[found[0]]}?" if found else ""
