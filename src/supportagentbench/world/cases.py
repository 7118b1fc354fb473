"""Cases: where conversations come from.

Drawn from a seed (`drawn_cases.py`), continued from a record (`forks/forked_cases.py`), or given as data
(`fixture.py`).
"""

from collections.abc import Mapping
from typing import Protocol

from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Case
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import DeskSetup
from supportagentbench.world.folder import World
from supportagentbench.world.seed import Seed


class Cases(Protocol):
    """Cases of one world, each with a desk to sit at."""

    @property
    def world(self) -> World:
        """The shop."""
        ...

    @property
    def cases(self) -> Mapping[str, Case]:
        """By id, in order."""
        ...

    @property
    def reader(self) -> Reader:
        """How the world's customers understand messages."""
        ...

    def desk_for(self, case: Case, channel: Channel = "email", desk: DeskKind = "prompt") -> DeskSetup:
        """What the desk of a conversation on this case is set up with, before its first turn."""
        ...

    def start_of(self, case: Case) -> str:
        """Digest of the books as the desk opens; the same in every conversation on this case."""
        ...

    def history_of(self, case: Case) -> tuple[Turn, ...]:
        """The turns already had; none, if the customer opens. Calls among them are repeated at the desk."""
        ...


class PlannedCases(Cases, Protocol):
    """Cases that a job can run: they have a source that can be named, and sets."""

    @property
    def seed(self) -> Seed:
        """What they were drawn from, or a name for what they were made of."""
        ...

    def names(self, name: str) -> tuple[str, ...]:
        """The ids of the cases in a set, in order; several sets are joined by commas."""
        ...

    def named(self, name: str) -> tuple[Case, ...]:
        """These cases."""
        ...
