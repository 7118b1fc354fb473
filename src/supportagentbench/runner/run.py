"""Run: one agent over many cases, several conversations at a time, each stored as it finishes.

Repetitions share the workers: the next run begins while the last conversations of the one before still run.
"""

import asyncio
import time
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from contextvars import ContextVar
from pathlib import Path
from typing import NamedTuple, Protocol

from supportagentbench.concurrency.circuit_breaker import CircuitBreaker
from supportagentbench.customer.voice import Voice
from supportagentbench.desk import AgentFactory, AgentSeat, Door
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.models.answer_cache import AnswerCache
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.case import Statement
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Channel, DeskKind, RuleText, Run
from supportagentbench.records.secrets import scrubbed_record
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Ending, Transcript, Turn
from supportagentbench.records.version import __version__
from supportagentbench.runner.conversation import TURN_LIMIT, Sitting, hold
from supportagentbench.runner.hired_agent import HiredAgent
from supportagentbench.runner.observer import RunObserver, SilentObserver
from supportagentbench.runner.stopwatch import Stopwatch
from supportagentbench.storage.archive import RunWriter, folder_name
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.cases import Cases
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.measure import placeholders_in
from supportagentbench.world.policy import Policy, RuleStatement

CURRENT: ContextVar[tuple[Run, str]] = ContextVar("CURRENT")
"""Run and case of the conversation in the current task, for code too deep to be passed them."""


def header_of(
    cases: DrawnCases,
    set_name: str,
    agent: str,
    voice: Voice,
    run: int,
    seed: int,
    channel: Channel = "email",
    desk: DeskKind = "prompt",
) -> Run:
    """Everything needed to run the same conversations again, but for what the agent is made of."""
    header = Run(
        agent=agent,
        run=run,
        world=cases.world.name,
        world_digest=cases.world.digest,
        policy_digest=cases.world.policy_digest(desk),
        policy=cases.world.text_given(channel, desk),
        today=cases.world.desk.today,
        set=set_name,
        cases=cases.names(set_name),
        case_seed=cases.seed.name,
        seed=seed,
        customer=voice.name,
        turn_limit=TURN_LIMIT,
        package=__version__,
        rules=rules_of(cases.world.policy),
        vocabulary=cases.world.vocabulary,
        channel=channel,
        desk=desk,
    )
    return scrubbed_record(header)


def rules_of(policy: Policy) -> tuple[RuleText, ...]:
    """The rules, as far as a judge needs them."""
    return tuple(
        RuleText(
            id=rule.id,
            text=rule.text.strip(),
            general=not rule.when,
            checks=rule.checked_by,
            requires=rule.require,
            tells=tuple(_in_english(one) for one in rule.tell if not one.asked),
        )
        for rule in policy.rules
    )


def _in_english(due: RuleStatement) -> Statement:
    """A statement as far as it is the same for everybody."""
    lines = "\n".join(due.says.get(name, "") for name in ("*", "en")).splitlines()
    return Statement(due.about, tuple(line.strip() for line in lines if line and not placeholders_in(line)))


def count_ending(ending: Ending, breaker: CircuitBreaker) -> None:
    """Count what a provider broke off; where the budget covers no request, the agent is paused at once."""
    if ending.cause not in EXTERNAL_CAUSES:
        breaker.succeed()
        return
    role = "the customer's model: " if ending.customer_cause else ""
    cause = ending.customer_cause or str(ending.cause)
    breaker.fail(f"{role}{cause}", f"{role}{ending.detail}", is_final=cause == "budget")


def count_error(ending: Ending, error: AgentError | None, breaker: CircuitBreaker) -> None:
    """Count a conversation that the agent's own code broke; what was broken from outside says nothing."""
    if error:
        breaker.fail(error.kind, f"{error.case}: {error.detail}")
    elif ending.cause not in EXTERNAL_CAUSES:
        breaker.succeed()


class AgentStopped(Problem):
    """An agent whose code fails in the same way again and again."""

    def __init__(self, agent: str, breaker: CircuitBreaker) -> None:
        kind = breaker.kind.replace("_", " ")
        super().__init__(
            f"{agent} is stopped: {breaker.THRESHOLD} conversations in a row broke with the same error "
            f"in its code ({kind}); last, in {breaker.words.rstrip('.')}. "
            "Fix it, then start over with --fresh."
        )


def _pause(agent: str, breaker: CircuitBreaker) -> Problem:
    why = breaker.words
    if not breaker.kind.endswith("budget"):
        kind = breaker.kind.replace("_", " ")
        why = f"{breaker.THRESHOLD} conversations in a row failed for the same cause ({kind}); last: {why}"
    return Problem(f"{agent} is paused: {why}. Fix it, then run the same command to resume.")


class Play(Protocol):
    """Plays one planned conversation of a run."""

    async def __call__(
        self,
        header: Run,
        name: str,
        agent: AgentSeat,
        voice: Voice,
        hear: Callable[[Turn], None] | None,
        stopwatch: Stopwatch,
    ) -> Transcript: ...


class CasePlay(NamedTuple):
    """Plays cases from their first message on."""

    draws: Mapping[str, Cases]
    """By the name of their seed."""

    async def __call__(
        self,
        header: Run,
        name: str,
        agent: AgentSeat,
        voice: Voice,
        hear: Callable[[Turn], None] | None,
        stopwatch: Stopwatch,
    ) -> Transcript:
        cases = self.draws[header.case_seed]
        sitting = Sitting(header.run, header.seed, header.channel, header.desk)
        return await hold(cases, cases.cases[name], agent, voice, sitting, hear=hear, stopwatch=stopwatch)


class OpenRun:
    """A run that conversations are added to."""

    def __init__(self, root: Path, header: Run, inventory: Inventory | None) -> None:
        self.header = header
        with ExitStack() as opened:
            self.writer = opened.enter_context(RunWriter(root, header, inventory))
            self.missing = self.writer.missing()
            self.cache = opened.enter_context(AnswerCache(self.writer.folder, set(self.missing)))
            self.opened = opened.pop_all()
        self._left = len(self.missing)
        self._close_if_done()

    def store(self, transcript: Transcript, *, started: float, stopwatch: Stopwatch) -> Filed:
        """Store a conversation; after the last one the run is closed."""
        filed = self.writer.add(transcript, started=started, seconds=stopwatch.seconds, clock=stopwatch.turns)
        self.cache.finish(transcript.case)
        self._left -= 1
        self._close_if_done()
        return filed

    def _close_if_done(self) -> None:
        if not self._left:
            self.cache.discard()
            self.opened.close()


class AgentWork:
    """What is left to do of an agent's runs, in order; a run is opened when the one before is handed out."""

    def __init__(
        self, open_run: Callable[[Run], OpenRun], headers: Sequence[Run], first: Set[str] = frozenset()
    ) -> None:
        self.runs: list[OpenRun] = []
        self.problem: Problem | None = None
        """Why a run could not be opened; those before it are finished all the same."""
        self._waiting = self._conversations(open_run, headers, first)

    def next(self) -> tuple[OpenRun, str] | None:
        """A conversation to run, if there is any."""
        return next(self._waiting, None)

    def _conversations(
        self, open_run: Callable[[Run], OpenRun], headers: Sequence[Run], first: Set[str]
    ) -> Iterator[tuple[OpenRun, str]]:
        """Run by run; with cases that come first, all runs are opened for these before the rest."""
        later: list[tuple[OpenRun, str]] = []
        for header in headers:
            try:
                run = open_run(header)
            except Problem as problem:
                self.problem = problem
                break
            self.runs.append(run)
            for name in run.missing:
                if not first or name in first:
                    yield run, name
                else:
                    later.append((run, name))
        yield from later


async def run_agent(
    cases: DrawnCases,
    header: Run,
    factory: AgentFactory,
    voice: Voice,
    root: Path,
    *,
    concurrency: int,
    observer: RunObserver = SilentObserver(),  # noqa: B008
    may_begin: Callable[[], bool] = lambda: True,
    turn_timeout: float | None = None,
) -> RunWriter:
    """Run every conversation of this run that is not stored yet, as long as new ones may begin.

    The agents are taken for ours: what they raise is believed. Own code comes by `load_agent`.
    """
    (writer,) = await run_repeatedly(
        CasePlay({header.case_seed: cases}),
        [header],
        HouseDoor(factory),
        voice,
        root,
        concurrency=concurrency,
        observer=observer,
        may_begin=may_begin,
        turn_timeout=turn_timeout,
    )
    return writer


async def run_repeatedly(
    play: Play,
    headers: Sequence[Run],
    door: Door,
    voice: Voice,
    root: Path,
    *,
    concurrency: int,
    observer: RunObserver,
    may_begin: Callable[[], bool],
    turn_timeout: float | None,
    stored: Mapping[str, Inventory] = {},
    first: Set[str] = frozenset(),
    is_needed: Callable[[Run, str], bool] = lambda header, name: True,
) -> list[RunWriter]:
    """The same for all runs of an agent, which share the workers; `stored` is by folder name.

    Each run is of one of the draws, which are by the name of their seed. The cases in `first` are run in all
    runs before any other.
    """
    breaker, errors = CircuitBreaker(), CircuitBreaker()
    with ExitStack() as opened:

        def open_run(header: Run) -> OpenRun:
            run = OpenRun(root, header, stored.get(folder_name(header)))
            opened.push(run.opened)
            observer.opened(header, run.writer.finished)
            return run

        todo = AgentWork(open_run, headers, first)

        async def work() -> None:
            while not (breaker.is_open or errors.is_open) and may_begin() and (found := todo.next()):
                run, name = found
                if not is_needed(run.header, name):
                    continue
                hired = HiredAgent(door, run.header, name, turn_timeout)
                ending = await _one(play, run, name, hired, voice, observer)
                count_ending(ending, breaker)
                count_error(ending, hired.error_in(ending), errors)
                await asyncio.sleep(0)  # Agents that never wait would block the other conversations.

        try:
            async with asyncio.TaskGroup() as group:
                for _ in range(concurrency):
                    group.create_task(work())
        except* Problem as problems:
            raise problems.exceptions[0] from None
    if breaker.is_open:
        raise _pause(headers[0].agent, breaker)
    if errors.is_open:
        raise AgentStopped(headers[0].agent, errors)
    if todo.problem:
        raise todo.problem
    return [run.writer for run in todo.runs]


async def _one(
    play: Play, run: OpenRun, name: str, agent: HiredAgent, voice: Voice, observer: RunObserver
) -> Ending:
    """Run one conversation and store it."""
    header = run.header

    def hear(turn: Turn) -> None:
        observer.heard(header, name, turn)

    CURRENT.set((header, name))
    run.cache.open(name)
    observer.began(header, name)
    started, stopwatch = time.time(), Stopwatch()
    try:
        transcript = await play(header, name, agent, voice, hear if observer.hears else None, stopwatch)
    finally:
        await agent.leave()
    if error := agent.error_in(transcript.ending):
        run.writer.add_error(error)
        observer.broke(header, error)
    filed = run.store(transcript, started=started, stopwatch=stopwatch)
    observer.filed(header, filed)
    return transcript.ending
