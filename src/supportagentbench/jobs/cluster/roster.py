"""Roster: which place plays which conversation, and which conversations end the process that plays them.

Of a lost worker, any conversation may be to blame. One that was lost twice is played alone from then on; one
that is then lost twice more ends its process itself.
"""

import asyncio
from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

from supportagentbench.runner.play import PlayTask

SUSPECT, GUILTY, ALONE = 2, 3, 2
"""Losses from which a conversation is played alone; losses with which it is to blame, and of them alone."""


class PlayKey(NamedTuple):
    """One conversation of a job."""

    agent: str
    run: int
    name: str

    @classmethod
    def of(cls, task: PlayTask) -> "PlayKey":
        return cls(task.agent, task.run, task.name)


class Workplace:
    """Where one worker at a time plays."""

    def __init__(self) -> None:
        self.is_open = False
        self.plays: set[PlayKey] = set()


class Roster:
    """Gives each conversation to the place with the fewest."""

    def __init__(self, places: Sequence[Workplace]) -> None:
        self._places = places
        self._losses: Counter[PlayKey] = Counter()
        self._alone: Counter[PlayKey] = Counter()
        self._suspects: set[PlayKey] = set()
        """Those that wait to be played alone, or are."""
        self._waiting: list[asyncio.Future[None]] = []

    @property
    def is_open(self) -> bool:
        """Whether anybody can play."""
        return any(place.is_open for place in self._places)

    async def enter(self, key: PlayKey) -> Workplace:
        """Wait for a place that can play this conversation, and take it."""
        if self._losses[key] >= SUSPECT:
            self._suspects.add(key)
        while not (place := self._free(key)):
            change = asyncio.get_running_loop().create_future()
            self._waiting.append(change)
            await change
        place.plays.add(key)
        return place

    def leave(self, place: Workplace, key: PlayKey) -> None:
        """The conversation is over, or its worker lost."""
        place.plays.discard(key)
        self._suspects.discard(key)
        self.changed()

    def changed(self) -> None:
        """A place has more room than before."""
        waiting, self._waiting = self._waiting, []
        for one in waiting:
            if not one.done():
                one.set_result(None)

    def lose(self, place: Workplace) -> bool:
        """The worker of a place was lost, and not its machine; whether that shows who is to blame."""
        self._losses.update(place.plays)
        if len(place.plays) == 1:
            self._alone.update(place.plays)
        return any(map(self.is_guilty, place.plays))

    def is_guilty(self, key: PlayKey) -> bool:
        """Whether it ends its process whenever it is played."""
        return self._losses[key] >= GUILTY and self._alone[key] >= ALONE

    def _free(self, key: PlayKey) -> Workplace | None:
        opened = [place for place in self._places if place.is_open]
        cell = opened[:1] if self._suspects else []
        """Kept for those that are played alone."""
        if key in self._suspects:
            return next((place for place in cell if not place.plays), None)
        return min(opened[len(cell) :], key=lambda place: len(place.plays), default=None)
