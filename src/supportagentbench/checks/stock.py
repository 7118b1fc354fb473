"""Stock: what an agent said about stock that no look-up shows: in stock, sold out, or a number left."""

import re
from collections.abc import Iterator

from supportagentbench.checks.evidence import KnownFacts, Words, clause_around, holds_any
from supportagentbench.checks.times import NUMBERS
from supportagentbench.records.view import GoodsShown

STOCK_SIGNS = ("stock", "sold out", " left", "remaining")
"""A text without one of these says nothing about stock."""

_SENTENCE_END = re.compile(r"(?<=[.!?;])\s+|\n")
_COUNT = rf"(\d{{1,3}}|{'|'.join(word for word in NUMBERS if len(word) > 2)})"
_PIECES = r"(?: more)?(?: (?:pairs?|pieces?|units?|items?))?(?: of (?:the |these |those )?\w+)?"
_LEFT = re.compile(
    rf"(?i)\b{_COUNT}{_PIECES} (?:left|remaining)\b|\b(?:have|are|only|just) {_COUNT}{_PIECES} in stock\b"
)
_GONE = re.compile(
    r"(?i)\b(?:out of stock|sold out|no longer in stock|not (?:\w+ )?in stock)\b|n't in stock\b"
)
_THERE = re.compile(r"(?i)\bin stock\b")
_UNSURE = re.compile(
    r"(?i)\?|\b(?:if|whether|when|once|check|unless|until|make sure|ensure|as far as|can't|cannot|would"
    r"|should|you (?:say|said))\b"
)


def ungrounded_stock(words: Words, evidence: KnownFacts) -> Iterator[str]:
    """Statements about stock that no look-up confirms."""
    if not holds_any(words.low, STOCK_SIGNS):
        return
    for sentence in _SENTENCE_END.split(words.text):
        found = _LEFT.search(sentence) or _GONE.search(sentence) or _THERE.search(sentence)
        if found and not _UNSURE.search(sentence):
            before, after = clause_around(sentence, *found.span())
            if not _is_so(found, before + found[0] + after, evidence):
                yield sentence


def _is_so(found: re.Match[str], clause: str, evidence: KnownFacts) -> bool:
    if any(evidence.said(word) for word in ("stock", "sold out")):
        return True
    counts = {shelf.in_stock for shelf in _meant(clause, evidence.goods())}
    if found.re is _LEFT:
        count = (found[1] or found[2]).casefold()
        return int(NUMBERS.get(count, count)) in {*counts, sum(counts)}
    if found.re is _GONE:
        return 0 in counts or any("in stock" in text for text in evidence.refusals)
    return any(counts) or not evidence.done.isdisjoint(evidence.moving_goods)


def _meant(clause: str, shelves: set[GoodsShown]) -> set[GoodsShown]:
    """The goods that a clause means, narrowed down by the names and traits it mentions."""
    named = {shelf for shelf in shelves if _names(clause, shelf.name.partition(" ")[0])}
    shelves = named or shelves
    for at in range(max((len(shelf.traits) for shelf in shelves), default=0)):
        named = {shelf for shelf in shelves if _names(clause, shelf.traits[at].rpartition(" ")[2])}
        shelves = named or shelves
    return shelves


def _names(clause: str, word: str) -> bool:
    """Whether a clause has this word: the first of a name or last of a trait (a size without its unit)."""
    case = "" if len(word) < 3 else "(?i)"
    return bool(word) and re.search(rf"{case}(?<![\w'-]){re.escape(word)}(?![\w'-])", clause) is not None
