"""Sentence: a piece of a message, searched only for what it can say, and only where it can say it.

Most tables of wordings have nothing to find in most sentences. The beginnings of their wordings are known in
advance, so the first letters of a word tell which tables to search there. Each table of an index has a bit:
one `&` skips all tables without a match.
"""

import re
import sys
from collections.abc import Iterable, Mapping
from functools import cached_property, lru_cache
from itertools import count
from re import Match, Pattern
from typing import Generic, TypeVar

from supportagentbench.language.pattern import refuse_unsafe

Name = TypeVar("Name")

HEAD = 8
"""Letters that are looked at, from the start of a word."""

ENDLESS = sys.maxsize

MOST_KEPT = 16_384
"""Starts of words that an index remembers."""
HEADS_KEPT = 1_024
"""Tables whose heads are remembered: the same wordings are in several of a reader's tables."""

WORD = re.compile("[a-z0-9_]+")
"""Where a wording can begin: all of them begin with a plain letter or digit, and a set is looked up fast."""
WORDLIKE = re.compile(r"\w")
DIGITS = str.maketrans("123456789", "000000000")
LETTERS = str.maketrans("abcdefghijklmnopqrstuvwxyz", "A" * 26)


class WordingTable:
    """Wordings that count for the same, each matched as whole words of plain lower-case text."""

    def __init__(self, patterns: Iterable[str], bit: int, is_shops: bool = False) -> None:
        self._patterns = tuple(patterns)
        self._is_shops = is_shops
        self._joined = "|".join(self._patterns)
        self.bit = bit
        self.heads = heads(self._joined)
        self.begins_anyhow = "" in self.heads

    @cached_property
    def pattern(self) -> Pattern[str]:
        """Compiled when a sentence first has a word with which a wording can begin: few ever do.

        A Problem, if a shop's wording may not be used.
        """
        if self._is_shops:
            refuse_unsafe(self._patterns)
        return re.compile(rf"\b(?:{self._joined})(?!\w)")


class TableIndex:
    """The tables of one reader, and which of them can begin where a word starts in a certain way."""

    def __init__(self) -> None:
        self._numbers = count()
        self._begun_by: dict[str, int] = {}
        """The tables with a wording that begins so: digits as 0, and A for any letter."""
        self.signed: list[tuple[str, int]] = []
        """Letters that a table needs to match, each with the bits that remain without it."""
        self.anyhow = 0
        """The tables with a wording that can begin anyhow."""
        self.worth_a_look = _WorthALook(self._begun_by)

    def table(self, patterns: Iterable[str], sign: str = "", *, is_shops: bool = False) -> WordingTable:
        """A new table; `sign`: letters that are in every match; `is_shops`: a shop's words, not our own."""
        table = WordingTable(patterns, 1 << next(self._numbers), is_shops)
        if sign:
            self.signed.append((sign, ~table.bit))
        for head in table.heads:
            self._begun_by[head] = self._begun_by.get(head, 0) | table.bit
        self.anyhow = self._begun_by.get("", 0)
        self.worth_a_look.clear()
        return table

    def sentence(self, text: str) -> "Sentence":
        return Sentence(text, self)


class TableShelf(Generic[Name]):
    """Tables by what their wordings mean, in the order they were made."""

    def __init__(self, tables: Mapping[Name, Iterable[WordingTable]]) -> None:
        self.tables = [(name, table) for name, group in tables.items() for table in group]
        self._at = {table.bit: (name, table) for name, table in self.tables}
        self._bits = sum(self._at)

    def among(self, bits: int) -> list[tuple[Name, WordingTable]]:
        """Those of its tables that have their bit there."""
        found = []
        left = bits & self._bits
        while left:
            lowest = left & -left
            found.append(self._at[lowest])
            left ^= lowest
        return found


class Sentence:
    """A sentence in plain lower case."""

    __slots__ = ("_begun", "_words", "text")

    def __init__(self, text: str, index: TableIndex) -> None:
        self.text = text
        begun, worth_a_look = index.anyhow, index.worth_a_look
        words: list[tuple[int, int]] = []
        for at in _starts(text):
            if tables := worth_a_look[text[at : at + HEAD]]:
                words.append((at, tables))
                begun |= tables
        for sign, others in index.signed:
            if sign not in text:
                begun &= others
        self._begun = begun
        """The tables that are worth a look."""
        self._words = words
        """Where words start at which one of their wordings can begin, and which tables these are."""

    def says(self, table: WordingTable) -> bool:
        """Whether one of these wordings is in it."""
        bit = table.bit
        if not self._begun & bit:
            return False
        if table.begins_anyhow:
            return table.pattern.search(self.text) is not None
        text, match = self.text, table.pattern.match
        for at, tables in self._words:  # noqa: SIM110 - a generator costs more than what it looks at.
            if tables & bit and match(text, at):
                return True
        return False

    def said(self, shelf: TableShelf[Name]) -> set[Name]:
        """Which wordings of a shelf are in it."""
        return {name for name, table in shelf.among(self._begun) if self.says(table)}

    def places(self, shelf: TableShelf[Name]) -> list[tuple[Name, Match[str]]]:
        """Where the wordings on a shelf are, table by table."""
        among = shelf.among(self._begun)
        return [(name, place) for name, table in among for place in self.between(table)] if among else []

    def between(self, table: WordingTable, begin: int = 0, end: int = ENDLESS) -> list[Match[str]]:
        """The matches that `finditer` finds from word to word, with fewer places to look at."""
        if table.begins_anyhow:
            return list(table.pattern.finditer(self.text, begin, end))
        text, bit, match = self.text, table.bit, table.pattern.match
        found = []
        for at, tables in self._words:
            if tables & bit and begin <= at < end and (place := match(text, at, end)):
                begin = place.end()
                found.append(place)
        return found


def _starts(text: str) -> list[int]:
    """Where words start; a plain word, with at most a stop behind it, needs no pattern to be found."""
    starts, at = [], 0
    for word in text.split(" "):
        if word.isalnum() or word[:-1].isalnum():
            starts.append(at)
        elif word:
            starts += [at + inside.start() for inside in WORD.finditer(word)]
        at += len(word) + 1
    return starts


class _WorthALook(dict[str, int]):
    """The tables with a wording that can be where a word starts so, as far as it was asked before."""

    def __init__(self, begun_by: Mapping[str, int]) -> None:
        super().__init__()
        self._begun_by = begun_by

    def __missing__(self, start: str) -> int:
        plain = start.translate(DIGITS)
        found = 0
        for way in (plain, plain.translate(LETTERS)):
            for length in range(1, len(way) + 1):
                found |= self._begun_by.get(way[:length], 0)
                if length < HEAD and not WORDLIKE.match(way, length):
                    found |= self._begun_by.get(way[:length] + END, 0)
        if len(self) >= MOST_KEPT:
            self.clear()
        self[start] = found
        return found


# What follows takes a pattern apart as far as its first letters. Where it is at a loss it leaves the head
# as short as it is: a table may then be searched without need, but is never skipped.

PART = re.compile(
    r"(?P<nothing>\\b|[$^])|(?P<digit>\\d)|(?P<any>\[a-z\])|\[(?P<one_of>[a-z]+)\]|(?:\\(?=\W)|(?![\\()\[.|]))(?P<letter>.)"
)
LETTERS_ALONE = re.compile(r"(?:[a-z ](?![?*+{]))+")
"""Plain letters, each of which is there once."""
BRANCH = re.compile(r"\\.|\[\^?\]?(?:\\.|[^\]\\])*\]|(?P<mark>[(|)])", re.DOTALL)
"""Where alternatives begin and end; what is escaped or in brackets is neither."""
TIMES = re.compile(r"(?:(?P<or_none>[?*]|\{0?,\d*\})|\+|\{[^}]*\})[?+]?")
LONGEST_TABLE, MOST_HEADS = 20_000, 10_000
"""Letters of a table, and ways in which its wordings begin, that are taken apart."""
OPEN = "."
END = "$"


@lru_cache(HEADS_KEPT)
def heads(wordings: str) -> frozenset[str]:
    """How matches of a pattern begin, up to eight letters each, digits as 0; empty: in any way.

    Where a word has to end with the head, that is marked. With a letter left open, a head is all A: what is
    looked up is either the letters, or that they are some.
    """
    if len(wordings) > LONGEST_TABLE:
        return frozenset(("",))
    try:
        grown = [head.translate(LETTERS) if "A" in head else head for head in _grown(f"({wordings})")]
    except ValueError:
        return frozenset(("",))
    return frozenset(head if head[:1].isalnum() else "" for head in grown)


def _grown(pattern: str) -> set[str]:
    """How matches begin, from every head with what may follow it, letter by letter.

    A ValueError means that it cannot be told, or in too many ways.
    """
    found: set[str] = set()
    todo = {("", pattern)}
    while todo:
        if len(todo) + len(found) > MOST_HEADS:
            raise ValueError(f"the wordings can begin in more than {MOST_HEADS:,} ways")
        head, rest = todo.pop()
        if plain := LETTERS_ALONE.match(rest):
            head, rest = (head + plain[0])[:HEAD], rest[plain.end() :]
        part = PART.match(rest)
        if len(head) == HEAD:
            found.add(head)
        elif WORDLIKE.match(head[-1:]) and (not rest or rest.startswith(r"\b")):
            found.add(head + END)
        elif not (part or rest.startswith("(")):
            found.add(head)
        else:
            if part:
                fixed = part["one_of"] or (part["letter"] or "").translate(DIGITS)
                letters = "0" if part["digit"] else "A" if part["any"] else fixed
                ways, after = [(head + letter, "") for letter in letters or [""]], rest[part.end() :]
            else:
                inside, after = _group(rest)
                ways = [(head, way) for way in inside]
            times = TIMES.match(after)
            after = after[times.end() :] if times else after
            if times and times["or_none"]:
                todo.add((head, after))
            more = OPEN if times and times[0] != "?" else after
            todo.update((begun, way + more) for begun, way in ways)
    return found


def _group(pattern: str) -> tuple[list[str], str]:
    """The alternatives in the group that a pattern begins with, and what comes after it."""
    ways, depth, begin = list[str](), 0, 1
    for found in BRANCH.finditer(pattern):
        if not found["mark"]:
            continue
        depth += (found[0] == "(") - (found[0] == ")")
        if depth == 0 or (found[0] == "|" and depth == 1):
            ways.append(pattern[begin : found.start()])
            begin = found.end()
        if not depth:
            looks_around = re.match(r"\?<?[=!]", ways[0])
            ways[0] = re.sub(r"^\?(?::|P<\w+>)", "", ways[0])
            return [""] if looks_around else ways, pattern[begin:]
    raise ValueError(f"a parenthesis is not closed in {pattern!r}")
