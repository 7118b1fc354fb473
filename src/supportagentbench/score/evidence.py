"""Evidence: what an agent may rely on at one point of a conversation, and whether words claim a value."""

import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache
from typing import Any

from supportagentbench.transcript import Run, Turn

REACH = 160
"""How many characters before a value its negation may stand."""

_SMOOTH = str.maketrans(dict.fromkeys("‘’ʼ", "'") | dict.fromkeys("–‑−", "-") | {"\xa0": " ", "—": "; "}
                        | dict.fromkeys("*`\u200b", ""))  # fmt: skip
_BREAK = re.compile(r"[.!?;:]\s|[\n()]|, |\b(?:and|but|so|because|though) ")
_NO = re.compile(
    r"(?i)(?:\b(?:not|no|never|cannot|without|unable|neither|nor|rather than|instead of)\b|n't\b)"
    r"(?!.{0,12}\b(?:later|longer|more|exceed|only)\b)"
)
_ASKS = re.compile(r"[^.!\n]{0,200}\?")
_OFFERS = re.compile(r"(?i)\b(?:shall i|want me|like me|i can|i could|may i)\b")

Reader = Callable[[str, date], frozenset[Any]]
"""Takes the values of one kind from a text."""


class Evidence:
    """All that an agent may rely on at one point of a conversation; read only as far as it is asked."""

    def __init__(self, run: Run) -> None:
        self.today = run.today
        self.policy = run.policy
        self.texts: list[str] = []
        self.lines: list[str] = []
        """Of the texts, those of the customer."""
        self._known: dict[str, tuple[set[Any], int]] = {}

    def hear(self, turn: Turn) -> None:
        """Take in a turn: a customer's words and files, or what an agent's calls gave back."""
        if turn.party == "customer":
            shown = " ".join(f"{file.name} {file.shows}" for file in turn.attachments)
            self.texts.append(smooth(f"{turn.text} {shown}"))
            self.lines.append(self.texts[-1].casefold())
        self.texts += [call.result.text for call in turn.calls if call.result.ok]

    def known(self, read: Reader) -> set[Any]:
        """Every value of one kind so far."""
        found, done = self._known.get(read.__name__) or (set(of_policy(read, self.policy, self.today)), 0)
        for text in self.texts[done:]:
            found |= read(text, self.today)
        self._known[read.__name__] = found, len(self.texts)
        return found

    def said(self, word: str) -> bool:
        """Whether the customer used this word."""
        return any(word.casefold() in line for line in self.lines)


@lru_cache(maxsize=64)
def of_policy(read: Reader, policy: str, today: date) -> frozenset[Any]:
    """What the policy itself holds of one kind."""
    return frozenset(read(smooth(policy), today))


def smooth(text: str) -> str:
    """The text with one kind of apostrophe, hyphen and blank, and without emphasis."""
    return text.translate(_SMOOTH)


def holds_any(text: str, signs: Iterable[str]) -> bool:
    """Whether one of these stands in a text; a loop, because this guards every costly pattern."""
    for sign in signs:  # noqa: SIM110
        if sign in text:
            return True
    return False


def clause_around(text: str, start: int, end: int) -> tuple[str, str]:
    """What stands before and after a place in its own clause, within reach."""
    before = _BREAK.split(text[max(0, start - REACH) : start])[-1]
    return before, _BREAK.split(text[end : end + REACH], maxsplit=1)[0]


def claimed(text: str, start: int, end: int) -> tuple[str, str] | None:
    """The clause around a value, unless it is denied there or only asked about."""
    before, after = clause_around(text, start, end)
    if _NO.search(before):
        return None
    asks = _ASKS.match(text, end)
    if asks and not _OFFERS.search(before):
        return None
    return before, after
