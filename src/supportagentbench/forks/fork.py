"""Fork: a decision with the record it is taken from, and how it is played: from there on, by any agent."""

from collections.abc import Callable, Mapping
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.agents import Agent
from supportagentbench.customer.planner import Customer
from supportagentbench.customer.recorded_voice import ContinuedVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.forks.decisions import Decisions
from supportagentbench.forks.fork_edit import ForkEdit, edit_of
from supportagentbench.forks.forked_cases import ForkedCases
from supportagentbench.forks.grafted_agent import GraftedAgent
from supportagentbench.forks.prefix import Prefix, prefix_of, refuse_different, refuse_ended
from supportagentbench.records.case import Case
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import Sitting, converse, customer_of, is_over, resumed
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.world.desk import DeskSession
from supportagentbench.world.drawn_cases import DrawnCases


class Fork(NamedTuple):
    """A decision, and the recorded conversation that leads to it."""

    point: ForkPoint
    transcript: Transcript
    customer: str
    """Whose voice the recorded customer had."""
    edit: ForkEdit | None = None
    """What is different at the fork, if anything."""

    @property
    def recorded(self) -> Prefix:
        """What comes before the decision, as it was recorded."""
        return prefix_of(self.transcript, self.point.turn, self.point.call)

    @property
    def prefix(self) -> Prefix:
        """The same with what is different at the fork."""
        found = self.recorded
        return found._replace(turns=self.amended(found.turns))

    def amended(self, turns: tuple[Turn, ...]) -> tuple[Turn, ...]:
        """The turns before the decision, with what the customer adds in the last of them."""
        return (*turns[:-1], self.edit.amended(turns[-1])) if self.edit else turns

    def having(self, cases: DrawnCases, facts: dict[str, str]) -> "Fork":
        """The same decision with facts made different."""
        name = f"{self.point.id}.{digest(facts)[:4]}"
        made = self._replace(edit=edit_of(cases, self.point.case, facts))
        lifted = made.edit.cases.cases[self.point.case].label.temptation is None if made.edit else False
        point = replace(self.point, id=name, facts=facts, prefix=made.prefix.digest, lifted=lifted)
        return made._replace(point=point)


class AtDecision(NamedTuple):
    """Desk and customer of a fork, brought to its decision."""

    case: Case
    session: DeskSession
    customer: Customer
    history: tuple[Turn, ...]
    start: str


class ForkPlay(NamedTuple):
    """Plays forks: store and customer are drawn again and brought to the decision, and the agent goes on."""

    cases: DrawnCases
    forks: Mapping[str, Fork]
    """By id."""
    decisions: Decisions | None = None
    """Told of every replay, if replays end once a fork is decided."""

    async def __call__(
        self,
        header: Run,
        name: str,
        agent: Agent,
        voice: Voice,
        hear: Callable[[Turn], None] | None,
        stopwatch: Stopwatch,
    ) -> Transcript:
        case, session, customer, history, start = await self.at_decision(header, name, voice)
        grafted = GraftedAgent(self.forks[name].recorded.begun, agent)
        talk = await converse(case, grafted, session, customer, history, hear=hear, stopwatch=stopwatch)
        kept = replace(talk.on(case, Sitting(header.run, header.seed), start), case=name)
        if self.decisions:
            self.decisions.add(header, kept)
        return kept

    async def at_decision(self, header: Run, name: str, voice: Voice) -> AtDecision:
        """A fork restored byte for byte; a Problem says where it differs from the record."""
        fork = self.forks[name]
        drawn = fork.edit.cases if fork.edit else self.cases
        cases = ForkedCases(drawn, fork.point.case, fork.prefix, not (fork.edit and fork.edit.changes_record))
        case, recorded = cases.cases[fork.point.case], fork.transcript
        start, session = cases.start_of(case), cases.session_for(case, header.channel, header.desk)
        if (fork.customer, voice.name) != (ScriptedVoice.name,) * 2:
            voice = ContinuedVoice(voice, f"{header.seed}/{header.run}/{name}")
        sitting = Sitting(recorded.run, recorded.seed, header.channel, header.desk)
        customer = customer_of(case, voice, sitting, cases.reader)
        history = fork.amended(await resumed(customer, case, fork.recorded.had))
        refuse_different(case.id, cases.history_of(case), history)
        if is_over(history):
            refuse_ended(case.id, fork.recorded)
        return AtDecision(case, session, customer, history, start)
