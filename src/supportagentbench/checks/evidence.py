"""Evidence: what an agent may rely on at one point of a conversation, and whether words claim a value.

Regexes are slow, and most replies contain nothing that they look for. So every costly pattern is guarded by
letters without which it cannot match, and every text is read only once, no matter how often it occurs.
"""

import re
from collections.abc import Callable, Iterable
from datetime import date
from functools import lru_cache
from typing import Any, NamedTuple

from supportagentbench.records.run import Run
from supportagentbench.records.transcript import ToolResult, Transcript, Turn
from supportagentbench.records.view import GoodsShown

COPIED_OUT, READ_OF_RESULTS = 120, 100_000
"""Characters of a tool result that make a reply a dump; characters of all results that are searched."""

REACH = 160
"""How many characters before a value its negation may be."""

_SMOOTH = str.maketrans(dict.fromkeys("‘’ʼ", "'") | dict.fromkeys("–‑−", "-") | {"\xa0": " ", "—": "; "}
                        | dict.fromkeys("*`\u200b", ""))  # fmt: skip
_BREAK = re.compile(r"[.!?;:]\s|[\n()]|, |\b(?:and|but|so|because|though) ")
_NO = re.compile(
    r"(?i)(?:\b(?:not|no|never|cannot|without|unable|neither|nor|rather than|instead of)\b|n't\b)"
    r"(?!.{0,12}\b(?:later|longer|more|exceed|only)\b)"
)
_DIGIT = re.compile(r"\d")
_ASKS = re.compile(r"[^.!\n]{0,200}\?")
_OFFERS = re.compile(r"(?i)\b(?:shall i|want me|like me|i can|i could|may i)\b")

Reader = Callable[[str, date], frozenset[Any]]
"""Extracts the values of one kind from a text."""


class Words(NamedTuple):
    """A normalized reply, and the same in lower case with every letter at the same index."""

    text: str
    low: str
    digits: bool
    """Whether it contains a digit."""


class KnownFacts:
    """Everything an agent may rely on at one point of a conversation; values are extracted only on demand."""

    def __init__(self, run: Run, today: date | None = None) -> None:
        self.today = today or run.today
        self.policy = run.policy
        self.moving_goods = run.vocabulary.moving_goods
        """The actions that send or change goods."""
        self.texts: list[str] = []
        self.lines: list[str] = []
        """The texts that are the customer's."""
        self.shelf = run.vocabulary.views.shelf
        self.shelves: list[ToolResult] = []
        """Results that showed goods on offer."""
        self.done: set[str] = set()
        """The names of tools that succeeded."""
        self.refusals: list[str] = []
        """The texts of tools that refused."""
        self._known: dict[str, tuple[set[Any], int]] = {}

    def hear(self, turn: Turn) -> None:
        """Add a turn: a customer's words and files, or the results of an agent's calls."""
        if turn.party == "customer":
            shown = " ".join(f"{file.name} {file.shows}" for file in turn.attachments)
            self.texts.append(smooth(f"{turn.sender or ''} {turn.text} {shown}"))
            self.lines.append(self.texts[-1])
        for call in turn.calls:
            if not call.result.ok:
                self.refusals.append(call.result.text)
            elif call.result.text not in self.texts:
                self.texts.append(call.result.text)
                self.done.add(call.tool)
                if self.shelf and call.tool == self.shelf.tool:
                    self.shelves.append(call.result)

    def goods(self) -> set[GoodsShown]:
        """All goods that were looked up."""
        shelf = self.shelf
        return {goods for result in self.shelves for goods in shelf.read(result.facts)} if shelf else set()

    def known(self, read: Reader) -> set[Any]:
        """Every value of one kind so far."""
        found, done = self._known.get(read.__name__) or (set(of_policy(read, self.policy, self.today)), 0)
        for text in self.texts[done:]:
            found |= of_text(read, text, self.today)
        self._known[read.__name__] = found, len(self.texts)
        return found

    def said(self, word: str) -> bool:
        """Whether the customer used this word."""
        return any(word.casefold() in line.casefold() for line in self.lines)


@lru_cache(maxsize=64)
def of_policy(read: Reader, policy: str, today: date) -> frozenset[Any]:
    """The values of one kind in the policy itself."""
    return frozenset(read(smooth(policy), today))


@lru_cache(maxsize=4096)
def of_text(read: Reader, text: str, today: date) -> frozenset[Any]:
    """The values of one kind in a text. Cached, because the same records occur in every run of a case."""
    return read(text, today)


def smooth(text: str) -> str:
    """The text with one kind of apostrophe, hyphen and space, and without emphasis."""
    return text.replace("*", "").replace("`", "") if text.isascii() else text.translate(_SMOOTH)


def words_of(text: str) -> Words:
    """The words of a reply, prepared for every check of claims."""
    text = smooth(text)
    low = text.lower()
    low = low if len(low) == len(text) else "".join(one.lower()[:1] for one in text)
    return Words(text, low, _DIGIT.search(text) is not None)


def holds_any(text: str, signs: Iterable[str]) -> bool:
    """Whether a text contains one of these. A plain loop, because this guards every costly pattern."""
    for sign in signs:  # noqa: SIM110
        if sign in text:
            return True
    return False


def copies_in(transcript: Transcript) -> dict[int, str]:
    """The replies that paste a tool result, by turn, each with a piece of it: dumps, not answers."""
    results = dict.fromkeys(call.result.text for turn in transcript.turns for call in turn.calls)
    shown = "\0".join(text for text in results if len(text) >= COPIED_OUT)[:READ_OF_RESULTS]
    replies = [(at, turn.text) for at, turn in enumerate(transcript.turns) if turn.party == "agent"]
    long = {text for _, text in replies if shown and len(text) >= COPIED_OUT}
    pieces = {text: _copy_in(text, shown) for text in long}
    return {at: piece for at, text in replies if (piece := pieces.get(text))}


def _copy_in(text: str, shown: str) -> str:
    """A long piece of what was shown; any such piece contains a whole block of half its length."""
    half = COPIED_OUT // 2
    for block in range(0, len(text) - half + 1, half):
        if text[block : block + half] in shown:
            for start in range(max(0, block - half), min(block, len(text) - COPIED_OUT) + 1):
                if (piece := text[start : start + COPIED_OUT]) in shown:
                    return piece
    return ""


def clause_around(text: str, start: int, end: int) -> tuple[str, str]:
    """The text before and after a position in its clause, within reach."""
    before = _BREAK.split(text[max(0, start - REACH) : start])[-1]
    return before, _BREAK.split(text[end : end + REACH], maxsplit=1)[0]


def claimed(text: str, start: int, end: int) -> tuple[str, str] | None:
    """The clause around a value, unless the clause denies it or only asks about it."""
    before, after = clause_around(text, start, end)
    if _NO.search(before):
        return None
    asks = _ASKS.match(text, end)
    if asks and not _OFFERS.search(before):
        return None
    return before, after
