"""Opened set: what a number on a page of tickets counts, so that it opens exactly that, without a script."""

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple


class OpenedSet(NamedTuple):
    """What one number counts: tickets, or talks of agents on them."""

    id: str
    """In links, and the class of everything that is in it; empty: there is nothing to open."""
    words: str
    """What it counts."""
    tickets: tuple[str, ...]
    """In the order of the page."""
    talks: tuple[str, ...] | None = None
    """Of these tickets, the talks that are counted; None: the tickets are."""
    of: int = 0
    """How many tickets there are in all, if the page has only some of them."""

    @property
    def size(self) -> int:
        """The number that is printed."""
        return len(self.tickets if self.talks is None else self.talks)


class Phrase(NamedTuple):
    """A part of a sentence: words, or a number that opens what it counts."""

    text: str
    opened: OpenedSet | None = None


Sentence = tuple[Phrase, ...]


def sentence(*parts: str | OpenedSet) -> Sentence:
    """A sentence of words and of numbers."""
    return tuple(Phrase(one) if isinstance(one, str) else Phrase(f"{one.size:,}", one) for one in parts)


def plain_text(said: Sentence) -> str:
    """The same without links."""
    return "".join(one.text for one in said)


class OpenedSets:
    """The sets of one page. Numbers that count the same in the same words open the same set."""

    def __init__(self, order: Sequence[str]) -> None:
        """`order`: the ids of all tickets of the page."""
        self.order = tuple(order)
        self._found: dict[tuple[str, tuple[str, ...], tuple[str, ...] | None], OpenedSet] = {}

    @property
    def all(self) -> tuple[OpenedSet, ...]:
        """Every set that a number opens."""
        return tuple(self._found.values())

    def of_tickets(self, words: str, tickets: Iterable[str]) -> OpenedSet:
        """These tickets, with all talks on them."""
        return self._of(words, {*tickets}, None)

    def of_talks(self, words: str, talks: Mapping[str, str], of: int = 0) -> OpenedSet:
        """These talks, each with its ticket. `of`: how many tickets there are in all."""
        return self._of(words, {*talks.values()}, tuple(talks), of)

    def _of(self, words: str, tickets: set[str], talks: tuple[str, ...] | None, of: int = 0) -> OpenedSet:
        ordered = tuple(ticket for ticket in self.order if ticket in tickets)
        of = of if of > len(ordered) else 0
        if not ordered:
            return OpenedSet("", words, ordered, talks, of)
        key = (words, ordered, talks)
        return self._found.setdefault(key, OpenedSet(f"s{len(self._found) + 1}", words, ordered, talks, of))

    def classes(self) -> dict[str, str]:
        """By ticket and by talk, the ids of the sets that it is in; sets of tickets show all their talks."""
        found: dict[str, list[str]] = defaultdict(list)
        for one in self.all:
            for name in (*one.tickets, *(one.talks or ())):
                found[name].append(one.id)
        return {name: " ".join(ids) for name, ids in found.items()}

    @property
    def rules(self) -> str:
        """Styles that hide everything outside the opened set."""
        return "\n".join(
            f"#{one.id}:target ~ .tickets > :not(.{one.id}){_of_talks(one)} {{ display: none; }}"
            for one in self.all
        )


def _of_talks(one: OpenedSet) -> str:
    """What hides the talks that are not counted."""
    return "" if one.talks is None else f", #{one.id}:target ~ .tickets .talk:not(.{one.id})"
