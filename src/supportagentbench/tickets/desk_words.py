"""Desk words: short values such as tags and keys, of which every word is common or nothing stays."""

import re
from collections.abc import Container
from itertools import pairwise

from supportagentbench.tickets.folding import folded
from supportagentbench.tickets.known_words import KnownWords
from supportagentbench.tickets.word_lists import LISTS, words

NAMES = words(LISTS.also_names) - words("price page field fields day long")
"""Common words that are names as well, but for those that every desk has in its fields."""
MOST_DIGITS = 3
_SPLIT = re.compile(r"[ _.\-]+")
_CASES = re.compile(r"[A-Z]+(?![a-z])|[A-Z]?[^\W\d_A-Z]+|\d+|[^\W\d_]+")


def parts_of(value: str) -> list[str]:
    """Its words, folded: split at spaces, `_`, `-`, `.` and where the case changes."""
    return [folded(word) for part in _SPLIT.split(value) for word in _CASES.findall(part)]


def key_parts(key: str) -> frozenset[str]:
    """The words of a key, and what two neighbours make together, so that `post_code` is `postcode`."""
    found = parts_of(key)
    return frozenset((*found, *(first + second for first, second in pairwise(found))))


def is_plain(value: str, known: KnownWords, own: Container[str]) -> bool:
    """Whether every word of it is common and no word is a name. `own`: the names of this ticket."""
    wholes = [folded(one) for one in _SPLIT.split(value) if one]
    found = parts_of(value)
    if "".join(found) != "".join(wholes) or sum(len(one) == 1 and one.isalpha() for one in found) > 1:
        return False  # Other signs, or letters one by one.
    if sum(map(str.isdecimal, value)) > MOST_DIGITS:
        return False  # A number in pieces.
    if any(one in known.names or one in own or one in NAMES for one in wholes):
        return False
    return all(_is_common(one, known, own) for one in found)


def _is_common(word: str, known: KnownWords, own: Container[str]) -> bool:
    if word.isdecimal():
        return len(word) < 3 and word not in own
    return known.is_common(word) and not (word in known.names or word in own or word in NAMES)
