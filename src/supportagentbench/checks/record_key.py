"""Record key: the number by which a record is known, however somebody writes it."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

LONGEST_KEY = 60
"""Characters of a key from which words are searched for others like it."""

SHORTEST_NUMBER = 3
"""Digits from which on a number in a text is taken for that of a record, where records have longer ones."""

DIGITS = re.compile(r"\d+")


def number_of(key: str) -> str:
    """The longest run of digits in a key, or the key itself if it has none."""
    return max(DIGITS.findall(key), key=len, default=key.casefold())


def numbers_like(key: str, words: str) -> set[str]:
    """The numbers in a text that are long enough to be of such a key."""
    least = min(len(number_of(key)), SHORTEST_NUMBER)
    return {number for number in DIGITS.findall(words) if len(number) >= least}


def keys_in(words: str, known: Iterable[str]) -> Iterator[str]:
    """Whatever in a text is written like one of these keys; plain digits may be anything."""
    for pattern in dict.fromkeys(_pattern(key) for key in known if not key.isdigit()):
        yield from pattern.findall(words)


@lru_cache(maxsize=1024)
def _pattern(key: str) -> re.Pattern[str]:
    """Like `#1101`: the same signs and letters, with about as many digits."""
    if len(key) > LONGEST_KEY or not DIGITS.search(key):
        return re.compile(rf"(?<!\w){re.escape(key[:LONGEST_KEY])}(?!\w)")
    shape = DIGITS.sub(lambda run: rf"\d{{{max(len(run[0]) - 1, 1)},}}", re.escape(key))
    return re.compile(rf"(?i)(?<![\w$]){shape}")
