"""Words: the words and numbers that checks of texts count."""

import re

import msgspec

from supportagentbench.records.record import Record

NUMBER = re.compile(
    r"\b[A-Z]?\d[\d.,]*\b"
    r"|\b(?:two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|(?:thir|four|fif|six|seven|eigh|nine)teen"
    r"|(?:twen|thir|for|fif|six|seven|eigh|nine)ty|hundred|thousand|dozen|twice|thrice"
    r"|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth)\b"
    r"|\bone (?:\w+ )?(?:minute|hour|day|week|month|year)\b",
    re.IGNORECASE,
)
"""Digits and number words, except "one", "first" and "second", which often do not mean a number."""


def words_of(text: str) -> list[str]:
    """The words of a text; in languages without spaces, two characters count as one word."""
    return re.findall(r"[\u3040-\u30ff\u4e00-\u9fff]{1,2}|[^\W_\u3040-\u9fff]+(?:['’-]\w+)*", text.casefold())


def numbers_in(text: str, rules: set[str], measures: Record) -> list[str]:
    """The numbers that are typed into a text, and the names that are in lists of the measures."""
    bare = re.sub(r"\{[^}]*\}", "…", text)
    lists = [value for value in msgspec.structs.asdict(measures).values() if isinstance(value, dict)]
    names = [name for one in lists for name in one.values() if name in bare]
    return [*(one[0] for one in NUMBER.finditer(bare) if one[0] not in rules), *names]
