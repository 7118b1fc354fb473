"""Forked cases: one case that begins where a recorded conversation is forked."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.forks.prefix import Prefix, refuse_different_start
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Case
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import Turn
from supportagentbench.world.cases import Cases
from supportagentbench.world.desk import DeskSetup
from supportagentbench.world.folder import World


class ForkedCases(NamedTuple):
    """The case of one fork, with the turns before its decision."""

    drawn: Cases
    """With the case as it is at the fork."""
    case: str
    prefix: Prefix
    """As it was recorded."""
    keeps_record: bool = True
    """Whether the books must open as recorded."""

    @property
    def world(self) -> World:
        return self.drawn.world

    @property
    def cases(self) -> Mapping[str, Case]:
        return {self.case: self.drawn.cases[self.case]}

    @property
    def reader(self) -> Reader:
        return self.drawn.reader

    def desk_for(self, case: Case, channel: Channel = "email", desk: DeskKind = "prompt") -> DeskSetup:
        return self.drawn.desk_for(case, channel, desk)

    def start_of(self, case: Case) -> str:
        """Digest of the books; a Problem if they must open as recorded and do not."""
        start = self.drawn.start_of(case)
        if self.keeps_record:
            refuse_different_start(case.id, self.prefix.start, start)
        return start

    def history_of(self, case: Case) -> tuple[Turn, ...]:
        """The prefix, without what it cost."""
        return self.prefix.had
