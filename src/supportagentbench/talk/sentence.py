"""Sentence: a piece of a message, searched only for what it can say, and only where it can say it.

Most tables of wordings have no business with most sentences. How their wordings begin is known
beforehand, so the first letters of a word tell which tables are worth a look there.
"""

import re
from collections.abc import Iterable, Iterator, Mapping
from re import Match
from typing import TypeVar

Name = TypeVar("Name")

HEAD = 6
"""Letters that are looked at, from the start of a word on."""

MOST_KEPT = 16_384
"""Starts of words that are kept in mind."""

WORD = re.compile("[a-z0-9_]+")
"""Where a wording can begin: all of them begin with a plain letter or digit, and a set is looked up fast."""
DIGITS = str.maketrans("123456789", "000000000")

_begun_by: dict[str, list["Table"]] = {}
"""The tables with a wording that begins so."""


class Table:
    """Wordings that count for the same, each matched as whole words of plain lower-case text."""

    def __init__(self, wordings: Iterable[str]) -> None:
        table = "|".join(wordings)
        self.pattern = re.compile(rf"\b(?:{table})(?!\w)")
        begins = heads(table)
        self.begins_anyhow = "" in begins
        for head in [""] if self.begins_anyhow else begins:
            _begun_by.setdefault(head, []).append(self)
        _worth_a_look.clear()


class Sentence:
    """A sentence in plain lower case."""

    def __init__(self, text: str) -> None:
        self.text = text
        starts: dict[Table, list[int]] = {table: [] for table in _begun_by.get("", ())}
        for word in WORD.finditer(text):
            at = word.start()
            for table in _worth_a_look[text[at : at + HEAD]]:
                if table in starts:
                    starts[table].append(at)
                else:
                    starts[table] = [at]
        self._starts = starts
        """Where a wording can begin, for every table worth a look; none is named where all will do."""

    def says(self, table: Table) -> bool:
        """Whether one of these wordings stands in it."""
        if table not in self._starts:
            return False
        if table.begins_anyhow:
            return table.pattern.search(self.text) is not None
        match = table.pattern.match
        for at in self._starts[table]:  # noqa: SIM110 - a generator costs more than what it looks at.
            if match(self.text, at):
                return True
        return False

    def said(self, tables: Mapping[Name, Table]) -> set[Name]:
        """The tables of which one stands in it."""
        return {name for name, table in tables.items() if self.says(table)}

    def places(self, tables: Mapping[Name, Iterable[Table]]) -> list[tuple[Name, Match[str]]]:
        """Where their wordings stand, name by name."""
        begun = self._starts
        known = [(name, table) for name, group in tables.items() for table in group if table in begun]
        return [(name, place) for name, table in known for place in self.between(table)]

    def between(self, table: Table, begin: int = 0, end: int | None = None) -> Iterator[Match[str]]:
        """The matches that `finditer` finds from word to word, with fewer places to look at."""
        end = len(self.text) if end is None else end
        if table.begins_anyhow:
            yield from table.pattern.finditer(self.text, begin, end)
            return
        for at in self._starts.get(table, ()):
            if begin <= at < end and (place := table.pattern.match(self.text, at, end)):
                begin = place.end()
                yield place


class _WorthALook(dict[str, tuple[Table, ...]]):
    """The tables with a wording that can stand where a word starts so, as far as it was asked before."""

    def __missing__(self, start: str) -> tuple[Table, ...]:
        plain = start.translate(DIGITS)
        known = (_begun_by.get(plain[:length], ()) for length in range(1, HEAD + 1))
        found = tuple(dict.fromkeys(table for tables in known for table in tables))
        if len(self) >= MOST_KEPT:
            self.clear()
        self[start] = found
        return found


_worth_a_look = _WorthALook()


# What follows takes a pattern apart as far as its first letters. Where it is at a loss it leaves the head
# as short as it is: a table is then searched in vain, but never passed over.

PART = re.compile(
    r"(?P<nothing>\\b|[$^])|(?P<digit>\\d)|\[(?P<one_of>[a-z]+)\]|(?:\\(?=\W)|(?![\\()\[.|]))(?P<letter>.)"
)
TIMES = re.compile(r"(?:(?P<or_none>[?*]|\{0?,\d*\})|\+|\{[^}]*\})[?+]?")
OPEN = "."


def heads(wordings: str) -> set[str]:
    """How matches of a pattern begin, up to six letters each, digits as 0; empty: in any way."""
    return {head if head[:1].isalnum() else "" for head in _grown("", f"({wordings})")}


def _grown(head: str, rest: str) -> set[str]:
    """What becomes of a head when this follows."""
    part = PART.match(rest)
    if len(head) == HEAD or not (part or rest.startswith("(")):
        return {head}
    if part:
        letters = "0" if part["digit"] else part["one_of"] or (part["letter"] or "").translate(DIGITS)
        ways, after = [(head + letter, "") for letter in letters or [""]], rest[part.end() :]
    else:
        inside, after = _group(rest)
        ways = [(head, way) for way in inside]
    times = TIMES.match(after)
    after = after[times.end() :] if times else after
    none = _grown(head, after) if times and times["or_none"] else set()
    more = OPEN if times and times[0] != "?" else after
    return none.union(*(_grown(begun, way + more) for begun, way in ways))


def _group(pattern: str) -> tuple[list[str], str]:
    """The alternatives in the group that a pattern begins with, and what comes after it."""
    ways, depth = [""], 0
    for at, letter in enumerate(pattern):
        depth += (letter == "(") - (letter == ")")
        if not depth:
            looks_around = re.match(r"\?<?[=!]", ways[0])
            ways[0] = re.sub(r"^\?(?::|P<\w+>)", "", ways[0])
            return [""] if looks_around else ways, pattern[at + 1 :]
        if letter == "|" and depth == 1:
            ways.append("")
        elif at:
            ways[-1] += letter
    raise ValueError(f"a parenthesis is not closed in {pattern!r}")
