"""Fork: a recorded decision, and how any agent continues from it."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.customer.recorded_voice import ContinuedVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.desk import AgentSeat
from supportagentbench.forks.fork_edit import ForkEdit, edit_of
from supportagentbench.forks.forked_cases import ForkedCases
from supportagentbench.forks.grafted_agent import GraftedAgent
from supportagentbench.forks.prefix import Prefix, prefix_of, refuse_different, refuse_ended
from supportagentbench.records.case import Case
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import (
    BegunConversation,
    Note,
    Sitting,
    Talk,
    begun,
    converse,
    is_over,
)
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.world.drawn_cases import DrawnCases


class Fork(NamedTuple):
    """A decision, and the recorded conversation that leads to it."""

    point: ForkPoint
    transcript: Transcript
    customer: str
    """Who wrote the messages of the recorded customer."""
    edit: ForkEdit | None = None
    """What is changed at the fork, if anything."""

    @property
    def recorded(self) -> Prefix:
        """Everything before the decision, as recorded."""
        return prefix_of(self.transcript, self.point.turn, self.point.call)

    @property
    def prefix(self) -> Prefix:
        """The same with the changes made at the fork."""
        found = self.recorded
        return found._replace(turns=self.amended(found.turns))

    def amended(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """The turns before the decision, with what the customer adds in the last one."""
        return (*turns[:-1], self.edit.amended(turns[-1])) if self.edit else turns

    def having(self, cases: DrawnCases, facts: dict[str, str]) -> "Fork":
        """The same decision with changed facts."""
        name = f"{self.point.id}.{digest(facts)[:4]}"
        made = self._replace(edit=edit_of(cases, self.point.case, facts))
        lifted = made.edit.cases.cases[self.point.case].label.temptation is None if made.edit else False
        point = replace(self.point, id=name, facts=facts, prefix=made.prefix.digest, lifted=lifted)
        return made._replace(point=point)


class AtDecision(NamedTuple):
    """A conversation brought to its decision."""

    case: Case
    start: str
    conversation: BegunConversation


class ForkPlay(NamedTuple):
    """Plays forks: store and customer are restored up to the decision, then the agent continues."""

    cases: DrawnCases
    forks: Mapping[str, Fork]
    """By id."""

    def draw(self, header: Run, name: str) -> Case:
        """The case as it is at the fork."""
        fork = self.forks[name]
        return self._drawn(fork).cases[fork.point.case]

    def _drawn(self, fork: Fork) -> DrawnCases:
        return fork.edit.cases if fork.edit else self.cases

    async def __call__(
        self,
        header: Run,
        name: str,
        agent: AgentSeat,
        voice: Voice,
        hear: Callable[[Turn], None] | None,
        stopwatch: Stopwatch,
        note: Note | None = None,
    ) -> Transcript:
        fork = self.forks[name]
        case, start, (session, customer, history) = await self.at_decision(header, name, voice)
        grafted = GraftedAgent(fork.point, fork.recorded.begun, agent)

        def recorded(talk: Talk) -> Transcript:
            return replace(talk.on(case, Sitting(header.run, header.seed), start), case=name)

        noted = (lambda talk: note(recorded(talk))) if note else None
        talk = await converse(
            case, grafted, session, customer, history, hear=hear, stopwatch=stopwatch, note=noted
        )
        return recorded(talk)

    async def at_decision(self, header: Run, name: str, voice: Voice) -> AtDecision:
        """A fork restored byte for byte; a Problem says where it differs from the record."""
        fork = self.forks[name]
        keeps_record = not (fork.edit and fork.edit.changes_record)
        cases = ForkedCases(self._drawn(fork), fork.point.case, fork.recorded, keeps_record)
        case, recorded = cases.cases[fork.point.case], fork.transcript
        start = cases.start_of(case)
        if (fork.customer, voice.name) != (ScriptedVoice.name,) * 2:
            voice = ContinuedVoice(voice, f"{header.seed}/{header.run}/{name}")
        sitting = Sitting(recorded.run, recorded.seed, header.channel, header.desk)
        found = await begun(cases, case, voice, sitting)
        if is_over(found.history) or found.session.ticket != "open":
            refuse_ended(case.id, fork.recorded)
        refuse_different(case.id, cases.history_of(case), found.history)
        if fork.edit:
            found.session.receive(fork.edit.shows)
        return AtDecision(case, start, found._replace(history=fork.amended(found.history)))
