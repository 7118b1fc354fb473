"""Replay data: openings that several agents answered, as their page shows them."""

from collections.abc import Iterable
from functools import cached_property
from typing import NamedTuple

from supportagentbench.records.replay import Replay, ReplayedTicket, ReplayTalk
from supportagentbench.site.about import About
from supportagentbench.site.data.opened_set import OpenedSet, OpenedSets
from supportagentbench.site.data.shadow_data import source_title


class ReplayedTalk(NamedTuple):
    """One agent's talk, with the ticket that it is about."""

    ticket: ReplayedTicket
    talk: ReplayTalk

    @property
    def key(self) -> str:
        """A unique name for this talk."""
        return f"{self.ticket.ticket} {self.talk.agent}"


class ReplayData:
    """A replay with the sets that its numbers open."""

    def __init__(self, replay: Replay) -> None:
        self.replay = replay
        self.sets = OpenedSets([one.ticket for one in replay.replayed])

    @cached_property
    def names(self) -> dict[str, str]:
        """Agents as pages call them."""
        return {agent: About().shown_name(agent) for agent in self.replay.agents}

    @cached_property
    def compared(self) -> list[ReplayedTicket]:
        """Tickets of which at least two talks can be compared."""
        return [one for one in self.replay.replayed if one.difference]

    def talks_of(self, agent: str) -> list[ReplayedTalk]:
        """Everything that an agent answered."""
        return [
            ReplayedTalk(one, talk)
            for one in self.replay.replayed
            for talk in one.talks
            if talk.agent == agent
        ]

    def talks(self, words: str, some: Iterable[ReplayedTalk]) -> OpenedSet:
        """The set of these talks."""
        return self.sets.of_talks(words, {one.key: one.ticket.ticket for one in some})

    @cached_property
    def acts(self) -> dict[str, str]:
        """Titles of the acts that any agent carried out or tried, and of no look-up."""
        talks = (talk for one in self.replay.replayed for talk in one.talks)
        found = {act.act for talk in talks for act in (*talk.acts, *talk.tried)}
        return {act: self.replay.titles.get(act, act.replace("_", " ")) for act in sorted(found)}

    @property
    def source(self) -> str:
        """The desk or the format that the tickets are from, as people write it."""
        return source_title(self.replay.source)
