"""Insight: one thing that the conversations taught, with its counts, its picture and its test."""

from collections.abc import Sequence
from typing import NamedTuple

from supportagentbench.records.claim import Claim
from supportagentbench.site.answers.headline import in_words
from supportagentbench.site.answers.insight_tests import Effect, InsightTests
from supportagentbench.site.answers.prose.words import listed
from supportagentbench.site.data.conversation_fact import ConversationFact
from supportagentbench.site.data.counted import Place
from supportagentbench.site.naming import where
from supportagentbench.site.number import chance, whole

NAMED = 3
"""The most agents that a sentence names."""


class Opened(NamedTuple):
    """A number in a sentence, and the conversations it counts."""

    text: str
    about: str
    """What it counts: the heading of these conversations where they are listed."""
    group: str
    """The name of these conversations in links."""
    places: tuple[Place, ...]

    @property
    def of(self) -> int:
        """Of how many it is told; 0: of none."""
        return int(self.text.partition(" of ")[2].replace(",", "") or 0)

    @property
    def href(self) -> str:
        return where(habit=self.group)

    @property
    def label(self) -> str:
        """What it counts, for readers who do not see the text around it."""
        return f"{self.about}, {self.text if ' of ' in self.text else f'all {self.text}'} conversations"


Part = str | Opened
"""A part of a sentence."""


class SplitColumn(NamedTuple):
    """A column of a histogram in two parts."""

    label: str
    first: int
    second: int


class SplitHistogram(NamedTuple):
    """Counts in two parts, in columns."""

    title: str
    keys: tuple[str, str]
    columns: tuple[SplitColumn, ...]

    @property
    def most(self) -> int:
        """The height of the tallest column."""
        return max(one.first + one.second for one in self.columns)


class SidesRow(NamedTuple):
    """An agent's counts on both sides."""

    agent: str
    left: Part
    right: Part
    shares: tuple[float, float]
    """Lengths of both bars, in percent of the longest of all."""


class SidesPicture(NamedTuple):
    """Two opposite mistakes of each agent."""

    keys: tuple[str, str]
    rows: tuple[SidesRow, ...]
    others: int = 0
    """Agents without a row, because they made hardly any."""


class RunsGroup(NamedTuple):
    """One case of one agent, one mark a run; true: it went wrong."""

    agent: str
    title: str
    """The case."""
    runs: tuple[bool, ...]


class RunsPicture(NamedTuple):
    """Cases that went wrong in some runs, a group each."""

    title: str
    keys: tuple[str, str]
    groups: tuple[RunsGroup, ...]


class PricedRow(NamedTuple):
    """What an agent costs, and the share of tickets that it handled right with its count."""

    agent: str
    cost: str
    right: str


class PriceTable(NamedTuple):
    """What agents cost and how many tickets they handled right, the cheapest first."""

    rows: tuple[PricedRow, ...]


Picture = SplitHistogram | SidesPicture | RunsPicture | PriceTable


class Insight(NamedTuple):
    """A sentence, what it is based on, and how it was tested."""

    name: str
    title: str
    parts: tuple[Part, ...]
    test: str
    """What was tested and how it came out; or why there was nothing to test."""
    picture: Picture | None = None
    claim: Claim | None = None
    """Supports a title that compares agents."""

    @property
    def shape(self) -> str:
        """The kind of its picture; empty: it has none."""
        return type(self.picture).__name__ if self.picture else ""

    @property
    def opened(self) -> list[Opened]:
        """Every number in it that counts conversations."""
        drawn = self.picture.rows if isinstance(self.picture, SidesPicture) else ()
        parts = (*self.parts, *(side for row in drawn for side in (row.left, row.right)))
        return [part for part in parts if isinstance(part, Opened)]


def opened_of(group: str, about: str, facts: Sequence[ConversationFact], chances: int) -> Opened:
    """Hits of chances, as a link to the hits."""
    text = f"{whole(len(facts))} of {whole(chances)}"
    return Opened(text, about, group, tuple(one.place for one in facts))


def opened_count(group: str, about: str, facts: Sequence[ConversationFact]) -> Opened:
    """A count, as a link to what it counts."""
    return Opened(whole(len(facts)), about, group, tuple(one.place for one in facts))


def names_of(agents: Sequence[str]) -> str:
    """A few agents by name, the others by their number."""
    if len(agents) <= NAMED:
        return listed(agents)
    return f"{', '.join(agents[: NAMED - 1])} and {in_words(len(agents) - NAMED + 1)} more"


def tested(tests: InsightTests, effect: Effect, question: str) -> str:
    """What was asked, and how it came out."""
    return f"{question}: {chance(effect.p)}, corrected for {tests.number} tests."
