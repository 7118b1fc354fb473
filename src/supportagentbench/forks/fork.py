"""Fork: a decision with the record it is taken from, and how it is played: the prefix, then any agent."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.customer.recorded_voice import RecordedVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.desk import AgentSeat
from supportagentbench.desk.session import DeskSession
from supportagentbench.forks.fork_edit import ForkEdit, edit_of
from supportagentbench.forks.grafted_agent import GraftedAgent
from supportagentbench.forks.prefix import Prefix, prefix_of, refuse_different_start
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import converse
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.world.drawn_cases import CaseSet


class Fork(NamedTuple):
    """A decision, and the recorded conversation that leads to it."""

    point: ForkPoint
    transcript: Transcript
    customer: str
    """Whose voice the recorded customer had."""
    edit: ForkEdit | None = None
    """What is different at the fork, if anything."""

    @property
    def prefix(self) -> Prefix:
        """What comes before the decision."""
        found = prefix_of(self.transcript, self.point.turn, self.point.call)
        *before, last = found.turns
        return found._replace(turns=(*before, self.amended(len(before), last)))

    def amended(self, number: int, turn: Turn) -> Turn:
        """A turn of the customer, with what it adds in its last before the decision."""
        return self.edit.amended(turn) if self.edit and number == self.point.place - 1 else turn

    def having(self, cases: CaseSet, facts: dict[str, str]) -> "Fork":
        """The same decision with facts made different."""
        name = f"{self.point.id}.{digest(facts)[:4]}"
        made = self._replace(edit=edit_of(cases, self.point.case, facts))
        lifted = made.edit.cases.cases[self.point.case].label.temptation is None if made.edit else False
        point = replace(self.point, id=name, facts=facts, prefix=made.prefix.digest, lifted=lifted)
        return made._replace(point=point)


class ForkPlay(NamedTuple):
    """Plays forks: store and customer are drawn again, the prefix is replayed, and the agent goes on."""

    cases: CaseSet
    forks: Mapping[str, Fork]
    """By id."""

    async def __call__(
        self,
        header: Run,
        name: str,
        agent: AgentSeat,
        voice: Voice,
        hear: Callable[[Turn], None] | None,
        stopwatch: Stopwatch,
    ) -> Transcript:
        fork = self.forks[name]
        cases = fork.edit.cases if fork.edit else self.cases
        case, recorded, prefix = cases.cases[fork.point.case], fork.transcript, fork.prefix
        start = cases.start_of(case)
        if not (fork.edit and fork.edit.changes_record):
            refuse_different_start(case.id, recorded.start, start)
        grafted = GraftedAgent(case.id, prefix, agent)

        def hear_both(turn: Turn) -> None:
            grafted.hear(turn)
            if hear:
                hear(turn)

        if (fork.customer, voice.name) != (ScriptedVoice.name,) * 2:
            voice = RecordedVoice(prefix.answers, voice, f"{header.seed}/{header.run}/{name}")
        made = await converse(
            case,
            grafted,
            DeskSession(cases.desk_for(case, header.channel, header.desk)),
            voice,
            run=recorded.run,
            seed=recorded.seed,
            start=start,
            reader=cases.reader,
            channel=header.channel,
            hear=hear_both,
            amend=fork.amended,
            stopwatch=stopwatch,
        )
        return replace(made, case=name, run=header.run, seed=header.seed)
