"""Reenactment: a recorded conversation played again, with a fresh desk and the real customer.

The recorded agent's words and calls are put to both; labels, results, the customer's turns and the ending
must come out as recorded. An agent that comes with the package is played itself, so that its words are
derived, too.
"""

from collections.abc import Sequence
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.agents.shipped import ShippedAgent
from supportagentbench.agents.spec import Surroundings
from supportagentbench.agents.tool_loop import PROMPT
from supportagentbench.customer.recorded_voice import RecordedVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.desk import AgentSeat
from supportagentbench.desk.session import MOST_CALLS
from supportagentbench.forks.fork import ForkPlay
from supportagentbench.jobs.possible_ending import impossible_ending
from supportagentbench.records.clock import TurnClock
from supportagentbench.records.difference import refused_difference, transcript_difference
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import INTERRUPTED, Note
from supportagentbench.runner.hired_agent import HiredAgent
from supportagentbench.runner.play import CaseStage
from supportagentbench.runner.recorded_agent import RecordedAgent
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.drawn_cases import DrawnCases


class Reenactment(NamedTuple):
    """Where the conversations of one run are played again."""

    header: Run
    cases: DrawnCases
    stage: CaseStage | ForkPlay

    async def difference(self, filed: Filed) -> str:
        """The first thing in a conversation that is not as its case gives it; empty: all of it is."""
        recorded = filed.transcript
        if recorded.case not in self._known:
            return "its world has no such case"
        if impossible := impossible_ending(filed, self.header):
            return impossible
        own = await self.by_shipped_agent(recorded, self.header.agent)
        if own and digest(own) == filed.digest:
            return ""
        found = await self._by_recorded_agent(recorded) or self._unlikely(filed)
        if found or not own:
            return found
        return f"{transcript_difference(recorded, own)}: {self.header.agent} itself does otherwise"

    @property
    def _known(self) -> Sequence[str]:
        return [*self.stage.forks] if isinstance(self.stage, ForkPlay) else [*self.cases.places]

    async def by_shipped_agent(self, recorded: Transcript, name: str) -> Transcript | None:
        """The conversation as an agent that comes with the package holds it; None: none is called so."""
        spec = ShippedAgent.of(name)
        if not spec:
            return None
        door = spec.open(Surroundings(self.cases.world))
        return await self._played(recorded, HiredAgent(door, self.header, recorded.case, None))

    async def _by_recorded_agent(self, recorded: Transcript) -> str:
        place = self._place(recorded)
        begun = self.stage.forks[recorded.case].point.call if isinstance(self.stage, ForkPlay) else 0
        agent = RecordedAgent(recorded.turns[place:], recorded.ending, begun)
        noted: list[Transcript] = []
        try:
            again = await self._played(recorded, agent, noted.append)
        except Problem as problem:
            if recorded.ending.cause != INTERRUPTED.cause:
                return str(problem).rstrip(".")
        except Exception as error:  # A record from elsewhere may hold what no run writes.
            return f"it cannot be played again ({type(error).__name__})"
        if recorded.ending.cause == INTERRUPTED.cause:
            is_noted = digest(recorded) in map(digest, noted)
            return "" if is_noted else "it ends as interrupted where nothing is noted"
        again = replace(again, refused=recorded.refused, unlisted=recorded.unlisted)
        return transcript_difference(recorded, again) or refused_difference(recorded, MOST_CALLS)

    def _place(self, recorded: Transcript) -> int:
        """Where the part begins that is not a fork's prefix."""
        return self.stage.forks[recorded.case].point.place if isinstance(self.stage, ForkPlay) else 1

    async def _played(self, recorded: Transcript, agent: AgentSeat, note: Note | None = None) -> Transcript:
        voice: Voice = ScriptedVoice()
        if self.header.customer != voice.name:
            later = recorded.turns[self._place(recorded) :]
            voice = RecordedVoice(self.header.customer, later, recorded.ending)
        return await self.stage(self.header, recorded.case, agent, voice, None, Stopwatch(), note)

    def _unlikely(self, filed: Filed) -> str:
        """What shows that calls were taken out, where nothing that follows depends on them."""
        turns = filed.transcript.turns
        if self.header.version.prompt == PROMPT and (lost := _silent_step(turns)):
            return lost
        return _clock_difference(turns, filed.clock)


def _silent_step(turns: Sequence[Turn]) -> str:
    """A model is asked again in one turn only after it called a tool: any other step has lost its calls."""
    for place, turn in enumerate(turns):
        used = {call.step for call in turn.calls}
        for usage in turn.usage[:-1] if turn.party == "agent" else ():
            if usage.step and usage.step not in used:
                return f"turn {place + 1} lacks the tool calls of model call {usage.step}"
    return ""


def _clock_difference(turns: Sequence[Turn], clock: Sequence[TurnClock]) -> str:
    """Where the clock that is stored next to a conversation read other calls than it has."""
    if clock and len(clock) != len(turns):
        return f"its clock read {len(clock)} turns, and it has {len(turns)}"
    for place, (turn, read) in enumerate(zip(turns, clock, strict=False)):
        if turn.party == "agent" and len(read.calls) != len(turn.calls):
            return f"its clock read {len(read.calls)} calls in turn {place + 1}, which has {len(turn.calls)}"
    return ""
