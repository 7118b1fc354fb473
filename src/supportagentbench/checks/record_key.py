"""Record key: the number that identifies a record, in whatever form it is written."""

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

LONGEST_KEY = 60
"""The longest key, in characters, for which texts are searched for keys of the same form."""

SHORTEST_NUMBER = 3
"""The fewest digits of a number that can be a record's, where records have longer numbers."""

DIGITS = re.compile(r"\d+")


def number_of(key: str) -> str:
    """The longest run of digits in a key, or the key itself if it has none."""
    return max(DIGITS.findall(key), key=len, default=key.casefold())


def numbers_like(key: str, words: str) -> set[str]:
    """The numbers in a text that are long enough to belong to such a key."""
    least = min(len(number_of(key)), SHORTEST_NUMBER)
    return {number for number in DIGITS.findall(words) if len(number) >= least}


def keys_in(words: str, known: Iterable[str]) -> Iterator[str]:
    """Everything in a text that has the form of one of these keys; plain digits could be anything."""
    for pattern in dict.fromkeys(_pattern(key) for key in known if not key.isdigit()):
        yield from pattern.findall(words)


@lru_cache(maxsize=1024)
def _pattern(key: str) -> re.Pattern[str]:
    """For a key like `#1101`: the same signs and letters, with about as many digits."""
    if len(key) > LONGEST_KEY or not DIGITS.search(key):
        return re.compile(rf"(?<!\w){re.escape(key[:LONGEST_KEY])}(?!\w)")
    shape = DIGITS.sub(lambda run: rf"\d{{{max(len(run[0]) - 1, 1)},}}", re.escape(key))
    return re.compile(rf"(?i)(?<![\w$]){shape}")
