"""Imported cases: the tickets of an import as cases of a world, and why some of them are left out."""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import cached_property
from typing import ClassVar

from supportagentbench.records.case import Case
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.ticket import SupportTicket
from supportagentbench.world.fixture import Fixture, FixtureCases
from supportagentbench.world.folder import World
from supportagentbench.world.seed import Seed


class ImportedCases(FixtureCases):
    """Tickets by id; each kind of them says in `_take` how a ticket becomes a case."""

    set_name: ClassVar[str]
    """What runs on them are called instead of a set."""
    use: ClassVar[str]
    """What is done with the tickets, in a word."""

    def __init__(self, world: World) -> None:
        super().__init__(world, ())
        self.tickets = 0
        """In the import."""
        self.left_out: Counter[str] = Counter()
        """Tickets that are not used, by reason."""
        self._labelled: dict[str, Case] = {}

    def _take_all(self, tickets: Iterable[SupportTicket]) -> None:
        for ticket in tickets:
            self.tickets += 1
            try:
                self._take(ticket)
            except Problem as problem:
                self.left_out[problem.sentence.removeprefix(f"{ticket.id}: ")] += 1

    def _take(self, ticket: SupportTicket) -> None:
        """Make a case of a ticket and `_enter` it; a Problem says why there is none."""
        raise NotImplementedError

    def _enter(self, fixture: Fixture) -> None:
        """Have this case, if it can be labelled."""
        self.fixtures[fixture.id] = fixture
        try:
            self._labelled[fixture.id] = self._case(fixture)
        except Problem:
            del self.fixtures[fixture.id]
            raise

    @property
    def cases(self) -> Mapping[str, Case]:
        """By id, in the order of the import."""
        return self._labelled

    @cached_property
    def seed(self) -> Seed:
        """A name for what these cases are made of: other facts or tickets have another one."""
        name = f"{self.set_name}:{digest([*self.fixtures.values()])}"
        return Seed(name, name)

    def names(self, name: str) -> tuple[str, ...]:
        """All tickets, or those that are named, joined by commas."""
        if name == self.set_name:
            return tuple(self.fixtures)
        names = tuple(name.split(","))
        for one in names:
            if one not in self.fixtures:
                near = did_you_mean(one, self.fixtures)
                raise Problem(f"no ticket that can be {self.use} is called {one[:80]!r}.{near}")
        return names

    def named(self, name: str) -> tuple[Case, ...]:
        """These tickets as cases."""
        return tuple(self.cases[one] for one in self.names(name))
