r"""Notation: how wordings are written down, in a grammar of this package as in the vocabulary of a world.

One wording per line: a regular expression for plain lower-case text, in English with its contractions undone.

    (a|b)              only groups
    @(a|b)             the word that carries an act; its form and what comes before it give the mood
    ~cancel            every regular form of a verb, American and British
    <gap> <near>       some words of the same sentence; of the same clause
    <few>              up to four words after a word, none of them a no
    <cannot>           how an agent says that it cannot or does not do something
    \                  at the end of a line: the wording continues in the next
    done: will:        at the start of a wording: it says by itself that the act is done, or promised
    maybe:             a person understands it so, but it never counts against an agent
    claim:             it may be counted, but no person takes it for the act: “our team will write to you”
    loose:             it names the act only where a go-ahead is asked for or given: “shall I send it?”
"""

import re
from collections.abc import Iterable
from typing import Literal, NamedTuple, get_args

from supportagentbench.language.spelling import sentences

Mark = Literal["", "done", "will", "maybe", "claim", "loose"]

_SHORTHAND = {
    "<gap>": "[^.?!;]{0,60}?",
    "<near>": "[^.?!;,]{0,40}?",
    "<few>": r"( (?!not\b|no\b|never\b)[^\s,;:]+){0,4}?",
    "<cannot>": "(can ?not|can no longer|could not|(will |would )?not be able to|do not|does not"
    "|(am|are|is) (not able|unable) to|not possible( for (me|us))? to|not in a position to"
    "|no way (for (me|us) )?to)",
}
"""Bounded, so that matching stays linear."""
_VERB = re.compile(r"~([a-z]+)")
_GROUP = re.compile(r"(?<![\\@])\((?!\?)")


class Wording(NamedTuple):
    """One line of a table."""

    pattern: str
    mark: Mark = ""


def wordings(tables: Iterable[str]) -> list[Wording]:
    """The wordings of these tables, ready to be compiled."""
    return [_wording(line) for line in lines(tables)]


def lines(tables: Iterable[str]) -> list[str]:
    """The lines of these tables, each with its continuations."""
    joined = re.sub(r"\\\n\s*", "", "\n".join(tables))
    return [line.strip() for line in joined.splitlines() if line.strip()]


def patterns(*tables: str) -> list[str]:
    """The same for tables whose wordings carry no marks."""
    return [wording.pattern for wording in wordings(tables)]


def literally(text: str) -> str:
    """A wording for exactly these words: a name, a number, a price."""
    return re.escape(" ".join(piece for piece, _, _ in sentences(text)))


def _wording(line: str) -> Wording:
    for mark in get_args(Mark):
        if mark and line.startswith(f"{mark}: "):
            return Wording(_expanded(line.removeprefix(f"{mark}: ")), mark)
    return Wording(_expanded(line))


def _expanded(line: str) -> str:
    for short, pattern in _SHORTHAND.items():
        line = line.replace(short, pattern)
    grouped = _GROUP.sub("(?:", line).replace("@(", "(")
    return _VERB.sub(lambda verb: _forms(verb[1]), grouped)


def _forms(verb: str) -> str:
    """A pattern for all regular forms of a verb."""
    if verb.endswith("e"):
        return f"{verb[:-1]}(?:e[sd]?|ing)"
    if verb.endswith("fy"):
        return f"{verb[:-1]}(?:y|ies|ied|ying)"
    return f"{verb}(?:e?s|{verb[-1]}?(?:ed|ing))?"
