"""Play: runs one planned conversation and returns what was said and done. Nothing is stored here.

A task is plain data and may be played in any process that has opened a `Player` for the same job.
"""

import time
from collections.abc import Callable, Mapping
from contextvars import ContextVar
from typing import NamedTuple, Protocol

from msgspec.structs import replace

from supportagentbench.customer.voice import Voice
from supportagentbench.desk import AgentSeat, Door
from supportagentbench.models import Completion
from supportagentbench.models.answer_cache import AnswerKeeper, forget, keeping
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.case import Case
from supportagentbench.records.clock import TurnClock
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript, Turn
from supportagentbench.runner.conversation import Note, Sitting, hold
from supportagentbench.runner.hired_agent import HiredAgent
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.world.cases import Cases


class PlayTask(NamedTuple):
    """One conversation to play, as plain data."""

    agent: str
    """Its name on boards."""
    run: int
    case_seed: str
    """The draw."""
    name: str
    """The case, or the fork."""
    answers: Mapping[str, Completion] = {}
    """Model answers already paid for before the conversation was interrupted, by request."""


class Played(NamedTuple):
    """The result. Model answers are not included: `keep` received each as it arrived."""

    transcript: Transcript
    started: float
    seconds: float
    clock: tuple[TurnClock, ...]
    error: AgentError | None
    """The message for the agent's author, if its code broke the conversation."""


class Stage(Protocol):
    """Where planned conversations come from: cases from their first message, or forks of recorded ones."""

    def draw(self, header: Run, name: str) -> Case:
        """The case of a planned conversation, drawn and labelled; a Problem if it does not fit its shop."""
        ...

    async def __call__(
        self,
        header: Run,
        name: str,
        agent: AgentSeat,
        voice: Voice,
        hear: Callable[[Turn], None] | None,
        stopwatch: Stopwatch,
        note: Note | None = None,
    ) -> Transcript: ...


class CaseStage(NamedTuple):
    """Cases from their first message."""

    draws: Mapping[str, Cases]
    """By the name of their seed."""

    def draw(self, header: Run, name: str) -> Case:
        return self.draws[header.case_seed].cases[name]

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
        cases = self.draws[header.case_seed]
        sitting = Sitting(header.run, header.seed, header.channel, header.desk)
        case = self.draw(header, name)
        return await hold(cases, case, agent, voice, sitting, hear=hear, stopwatch=stopwatch, note=note)


class Contender(NamedTuple):
    """An agent of a job: the header of its runs, and the door for its conversations."""

    header: Run
    """From any of its runs; only number and draw differ."""
    door: Door
    turn_timeout: float | None = None
    """Seconds; None: the model client has its own time limits."""


class Player(NamedTuple):
    """What a process opens once to play the conversations of a job."""

    stage: Stage
    voice: Voice
    agents: Mapping[str, Contender]
    """By their names on boards."""


class Plays(Protocol):
    """Who plays conversations: this process, as `play` with its player, or others."""

    async def __call__(
        self,
        task: PlayTask,
        *,
        hear: Callable[[Turn], None] | None = None,
        keep: AnswerKeeper = forget,
        note: Callable[[Transcript, float], None] | None = None,
    ) -> Played: ...


class PlayerLost(Exception):
    """The process that played a conversation has ended. What was kept and noted until then is not lost."""


CURRENT: ContextVar[PlayTask] = ContextVar("CURRENT")
"""The current task, for code too deep in the stack to receive it as an argument."""


async def play(
    task: PlayTask,
    player: Player,
    *,
    hear: Callable[[Turn], None] | None = None,
    keep: AnswerKeeper = forget,
    note: Callable[[Transcript, float], None] | None = None,
) -> Played:
    """Play one conversation; `hear` gets each turn as it happens, `keep` each model answer as it arrives.

    `note` gets the conversation so far after every change, with the time at which it began.
    """
    contender = player.agents[task.agent]
    header = replace(contender.header, run=task.run, case_seed=task.case_seed)
    agent = HiredAgent(contender.door, header, task.name, contender.turn_timeout)
    CURRENT.set(task)
    started, stopwatch = time.time(), Stopwatch()
    with keeping(task.answers, keep):
        try:
            transcript = await player.stage(
                header,
                task.name,
                agent,
                player.voice,
                hear,
                stopwatch,
                (lambda so_far: note(so_far, started)) if note else None,
            )
        finally:
            await agent.leave()
    error = agent.error_in(transcript.ending)
    return Played(transcript, started, stopwatch.seconds, stopwatch.turns, error)
