"""Shadow data: a shadow week as its page shows it, with every talk of an agent and its ticket."""

from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

from supportagentbench.records.shadow import AgentTry, Ground, ShadowTicket, ShadowWeek, plain_act
from supportagentbench.site.about import About
from supportagentbench.site.data.opened_set import OpenedSet, OpenedSets
from supportagentbench.site.naming import spaced

SOURCES = {
    "abcd": "ABCD",
    "atif": "ATIF",
    "csv": "CSV",
    "jsonl": "JSON lines",
    "openai-chat": "OpenAI chat",
    "help-scout": "Help Scout",
    "mail": "mail",
}
"""How formats are written that are not just capitalised."""


class TriedTicket(NamedTuple):
    """One talk of an agent, with the ticket that it is about."""

    ticket: ShadowTicket
    tried: AgentTry

    @property
    def key(self) -> str:
        """A unique name for this talk."""
        return f"{self.ticket.ticket} {self.tried.run} {self.tried.agent}"

    @property
    def is_known(self) -> bool:
        """Whether it can be said what the agent would have done."""
        return self.tried.difference != "unknown"

    @property
    def is_ruled(self) -> bool:
        """Whether the policy says of both sides if they are right."""
        return self.ticket.judged.right is not None and self.tried.judged.right is not None

    @property
    def open_ground(self) -> Ground:
        """Why it does not; that of the people first."""
        sides = (self.ticket.judged, self.tried.judged)
        return next(one.ground for one in sides if one.right is None)


class ShadowData:
    """A week with the sets that its numbers open."""

    def __init__(self, week: ShadowWeek) -> None:
        self.week = week
        self.sets = OpenedSets([one.ticket for one in week.resumed])
        self._tried: dict[str, list[TriedTicket]] = defaultdict(list)
        for ticket in week.resumed:
            for one in ticket.tries:
                self._tried[one.agent].append(TriedTicket(ticket, one))

    @property
    def agents(self) -> tuple[str, ...]:
        """By their recorded names."""
        return tuple(self._tried)

    @cached_property
    def names(self) -> dict[str, str]:
        """Agents as pages call them."""
        return {agent: About().shown_name(agent) for agent in self.agents}

    def tried(self, agent: str) -> Sequence[TriedTicket]:
        """Everything that an agent did."""
        return self._tried[agent]

    def known(self, agent: str) -> list[TriedTicket]:
        """What it did where that is known."""
        return [one for one in self.tried(agent) if one.is_known]

    def ruled(self, agent: str) -> list[TriedTicket]:
        """Where the policy says of both sides if they are right."""
        return [one for one in self.tried(agent) if one.is_ruled]

    @cached_property
    def is_repeated(self) -> bool:
        """Whether agents tried tickets more than once, so that talks are counted and not tickets."""
        return any(len(tried) > len({one.ticket.ticket for one in tried}) for tried in self._tried.values())

    @property
    def unit(self) -> str:
        """What is counted."""
        return "talk" if self.is_repeated else "ticket"

    def talks(self, words: str, some: Iterable[TriedTicket]) -> OpenedSet:
        """The set of these talks."""
        return self.sets.of_talks(words, {one.key: one.ticket.ticket for one in some})

    def tickets(self, words: str, chosen: Callable[[ShadowTicket], bool]) -> OpenedSet:
        """The set of the tickets for which this holds."""
        return self.sets.of_tickets(words, (one.ticket for one in self.week.resumed if chosen(one)))

    @property
    def source(self) -> str:
        """The desk or the format that the tickets are from, as people write it."""
        return source_title(self.week.source)

    def acts(self, acts: Iterable[str]) -> tuple[str, ...]:
        """Acts in plain words."""
        return tuple(plain_act(act, self.week.titles) for act in acts)


def source_title(source: str) -> str:
    """A desk or a format as people write it."""
    return SOURCES.get(source, source.replace("-", " ").title())


def kind_of(ticket: ShadowTicket) -> str:
    """The kind of ticket: what its customer asks for. A desk's own types are often the same for all."""
    return ticket.request


def kind_title(ticket: ShadowTicket) -> str:
    """The same for people."""
    return spaced(kind_of(ticket)).capitalize()
