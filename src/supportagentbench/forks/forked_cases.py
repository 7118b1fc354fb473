"""Forked cases: one case that begins where a recorded conversation is forked."""

from collections.abc import Mapping
from typing import NamedTuple

from supportagentbench.forks.prefix import Prefix, refuse_different_call, refuse_different_start, refuse_ended
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Case
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.transcript import ToolCall, Turn
from supportagentbench.world.cases import Cases
from supportagentbench.world.desk import DeskSession
from supportagentbench.world.folder import World


class ForkedCases(NamedTuple):
    """The case of one fork. Its desk is brought to the decision call by call, as the record has them."""

    drawn: Cases
    """With the case as it is at the fork."""
    case: str
    prefix: Prefix
    keeps_record: bool = True
    """Whether the books have to open as they did."""

    @property
    def world(self) -> World:
        return self.drawn.world

    @property
    def cases(self) -> Mapping[str, Case]:
        return {self.case: self.drawn.cases[self.case]}

    @property
    def reader(self) -> Reader:
        return self.drawn.reader

    def start_of(self, case: Case) -> str:
        start = self.drawn.start_of(case)
        if self.keeps_record:
            refuse_different_start(case.id, self.prefix.start, start)
        return start

    def history_of(self, case: Case) -> tuple[Turn, ...]:
        """The prefix; what it cost is no part of it."""
        return self.prefix.had

    def session_for(self, case: Case, channel: Channel = "email", desk: DeskKind = "prompt") -> DeskSession:
        """The desk at the decision; the calls of the reply that are kept belong to the turn that comes."""
        session = self.drawn.session_for(case, channel, desk)
        for place, turn in enumerate(self.prefix.turns):
            session.receive(turn.attachments)
            self._repeat(session, place, turn.calls)
            if session.ticket != "open":
                refuse_ended(case.id, self.prefix)
            session.clear()
        self._repeat(session, len(self.prefix.turns), self.prefix.begun)
        return session

    def _repeat(self, session: DeskSession, place: int, calls: tuple[ToolCall, ...]) -> None:
        for call in calls:
            made = ToolCall(call.tool, call.arguments, session.call(call.tool, call.arguments))
            refuse_different_call(self.case, place, call, made)
