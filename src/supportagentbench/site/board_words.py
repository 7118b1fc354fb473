"""Board words: what only the board itself says. A publisher's names and titles must not look like it."""

import re
from unicodedata import name as letter_name
from unicodedata import normalize

BENCHMARK = "supportagentbench"

_MARKS = re.compile(
    r"\b(?:(?:un)?verified|certified|dummy|replayed)\b|[✓✔☑✅★⚠]|\d\s*[/⁄∕]\s*\d|\d\s*%", re.IGNORECASE
)
"""The marks and figures of a row."""

_ALPHABETS = frozenset(("LATIN", "GREEK", "CYRILLIC"))
"""Alphabets with letters that look the same."""


def as_read(name: str) -> str:
    """A name without what readers overlook: case, width of letters, spaces and dashes."""
    return "".join(letter for letter in normalize("NFKC", name).casefold() if letter.isalnum())


def board_mark(words: str) -> str:
    """A mark or figure of the board in these words; empty if there is none."""
    found = _MARKS.search(words) or _MARKS.search(normalize("NFKC", words))
    return found[0] if found else ""


def mixes_alphabets(name: str) -> bool:
    """Whether letters of alphabets that look alike stand side by side, as in a name made to deceive."""
    used = {letter_name(letter, "").partition(" ")[0] for letter in name if letter.isalpha()}
    return len(used & _ALPHABETS) > 1


def is_benchmark(name: str) -> bool:
    """Whether readers would take a name for that of this benchmark."""
    return BENCHMARK in as_read(name)
