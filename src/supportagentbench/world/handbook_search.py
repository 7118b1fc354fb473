"""Handbook search: the tool that opens a section by title or number, or finds passages by their words."""

import re
from collections import Counter
from collections.abc import Iterable
from functools import cached_property
from math import log
from typing import Annotated, Any, NamedTuple

from msgspec import Meta

from supportagentbench.records.record import Record
from supportagentbench.world.handbook import Handbook, HandbookSection
from supportagentbench.world.kit import Kit
from supportagentbench.world.tool import ToolRefusal, Work

MOST_PASSAGES = 5
MOST_OF_A_SECTION = 2
"""Passages of one section that a search of the whole handbook shows."""
LONGEST_QUERY = 400
"""Characters of a search that are read."""
FEWEST_LETTERS = 3
"""A shorter word says nothing about what is searched for."""
_SUFFIX = re.compile(r"(?<=\w{3})(?:ing|ed|es|s|e|ly)$")


class PolicyPassage(Record):
    """A paragraph of the handbook, and its section."""

    section: str
    text: str


class PolicyPassages(Record):
    """What a search found, best match first."""

    passages: tuple[PolicyPassage, ...]


class _Indexed(NamedTuple):
    """A passage with how often it has each word; those of its title count."""

    passage: PolicyPassage
    words: Counter[str]


class HandbookIndex:
    """The passages of a handbook by their words."""

    def __init__(self, handbook: Handbook) -> None:
        self.sections = handbook.sections

    @cached_property
    def _passages(self) -> tuple[_Indexed, ...]:
        return tuple(
            _Indexed(PolicyPassage(section.name, text), Counter(_words(f"{section.head.title} {text}")))
            for section in self.sections
            for text in passages_of(section)
        )

    @cached_property
    def _weights(self) -> dict[str, float]:
        """What each word is worth: the rarer, the more."""
        spread = Counter(word for one in self._passages for word in one.words)
        return {word: log(1 + len(self._passages) / count) for word, count in spread.items()}

    def best(self, asked: str, within: HandbookSection | None = None) -> tuple[PolicyPassage, ...]:
        """The few passages that have most of these words, best match first; not all from one section."""
        wanted = set(_words(asked[:LONGEST_QUERY]))
        places = [one for one in self._passages if within is None or one.passage.section == within.name]
        scored = [(self._score(wanted, one), number, one) for number, one in enumerate(places)]
        scored.sort(key=lambda found: (-found[0], found[1]))
        chosen: list[PolicyPassage] = []
        for score, _, one in scored:
            alike = sum(passage.section == one.passage.section for passage in chosen)
            if score and (within or alike < MOST_OF_A_SECTION):
                chosen.append(one.passage)
        return tuple(chosen[:MOST_PASSAGES])

    def _score(self, wanted: Iterable[str], one: _Indexed) -> float:
        """Rare words count most, and the same word again counts little."""
        counts = ((self._weights.get(word, 0.0), one.words[word]) for word in wanted)
        return sum(weight * count / (count + 1) for weight, count in counts if count)

    def named(self, asked: str) -> HandbookSection:
        """The section of this number or title, or whose title has these words in it."""
        plain = asked.strip().casefold()
        number = re.match(r"\d+", plain.removeprefix("section").strip(" #"))
        for section in self.sections:
            if plain in (section.head.title.casefold(), section.name.casefold()):
                return section
        for section in self.sections:
            if number and int(number[0][:6]) == section.number:
                return section
        for section in self.sections:
            if plain and plain in section.head.title.casefold():
                return section
        raise ToolRefusal(
            f"The handbook has no section {asked[:LONGEST_QUERY]!r}; leave `section` empty for its contents."
        )


def handbook_reader(kit: Kit, handbook: Handbook) -> Work:
    """`read_policy` over a handbook; what a world's own tool shows with a text comes with a section, too."""
    index = HandbookIndex(handbook)
    pages = {
        section.name: kit.policy_reader(section.page, {section.name: section.page})
        for section in handbook.sections
    }
    contents = kit.policy_reader(handbook.contents, {})

    def read_policy(
        store: Any,
        section: Annotated[
            str, Meta(description="Number or title of a section; empty for the contents.")
        ] = "",
        search: Annotated[str, Meta(description="Words to search the handbook, or this section, for.")] = "",
    ) -> Any:
        found = index.named(section) if section.strip() else None
        if not search.strip():
            return pages[found.name](store, found.name) if found else contents(store, "")
        passages = index.best(search, found)
        if not passages:
            raise ToolRefusal(f"No passage has any of these words: {search[:LONGEST_QUERY]!r}.")
        return PolicyPassages(passages)

    read_policy.__doc__ = (
        f"{contents.__doc__}\n\nOpens one section of the handbook, or searches it: at most {MOST_PASSAGES} "
        "passages, best match first, each with its section."
    )
    return read_policy


def passages_of(section: HandbookSection) -> list[str]:
    """The paragraphs of a section."""
    return [one.strip() for one in re.split(r"\n\s*\n", section.text) if one.strip()]


def _words(text: str) -> list[str]:
    found = re.findall(r"\w+", text.casefold())
    return [_SUFFIX.sub("", word) for word in found if len(word) >= FEWEST_LETTERS or word.isdigit()]
