"""Run: one agent over many cases, several conversations at a time, each stored as it finishes.

Repetitions share the workers: the next run starts while the last conversations of the previous one finish.
"""

import asyncio
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence, Set
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks import score
from supportagentbench.concurrency.circuit_breaker import CircuitBreaker
from supportagentbench.customer.voice import Voice
from supportagentbench.desk import AgentFactory
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.models.answer_cache import AnswerCache
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.case import Statement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import read_back
from supportagentbench.records.run import Channel, DeskKind, RuleText, Run
from supportagentbench.records.secrets import scrubbed_record
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Ending, Transcript
from supportagentbench.records.version import __version__
from supportagentbench.runner.conversation import TURN_LIMIT
from supportagentbench.runner.observer import Observers, RunObserver
from supportagentbench.runner.play import (
    CaseStage,
    Contender,
    Played,
    Player,
    PlayerLost,
    Plays,
    PlayTask,
    play,
)
from supportagentbench.storage.archive import RunWriter, folder_name
from supportagentbench.storage.in_flight import IN_FLIGHT, InFlight, continues
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.cases import PlannedCases
from supportagentbench.world.measure import placeholders_in
from supportagentbench.world.policy import Policy, RuleStatement


def header_of(
    cases: PlannedCases,
    set_name: str,
    agent: str,
    voice: Voice,
    run: int,
    seed: int,
    channel: Channel = "email",
    desk: DeskKind = "prompt",
) -> Run:
    """Everything needed to run the same conversations again, except for the agent's code."""
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
    """The part of the rules that a judge needs."""
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
    """The part of a statement that is the same for all customers."""
    lines = "\n".join(due.says.get(name, "") for name in ("*", "en")).splitlines()
    return Statement(due.about, tuple(line.strip() for line in lines if line and not placeholders_in(line)))


def count_ending(ending: Ending, breaker: CircuitBreaker) -> None:
    """Count what a provider broke off; if the budget covers no further request, pause the agent at once."""
    if ending.cause not in EXTERNAL_CAUSES:
        breaker.succeed()
        return
    role = "the customer's model: " if ending.customer_cause else ""
    cause = ending.customer_cause or str(ending.cause)
    breaker.fail(f"{role}{cause}", f"{role}{ending.detail}", is_final=cause == "budget")


def count_error(ending: Ending, error: AgentError | None, breaker: CircuitBreaker) -> None:
    """Count a conversation that the agent's code broke; external failures do not count here."""
    if error:
        breaker.fail(error.kind, f"{error.case}: {error.detail}")
    elif ending.cause not in EXTERNAL_CAUSES:
        breaker.succeed()


def inventory_of(root: Path, header: Run) -> Inventory:
    """What is stored of a run; conversations in which something unsafe was carried out are final."""
    return Inventory(root / folder_name(header), header, lambda filed: score(filed, header).counts)


class AgentStopped(Problem):
    """An agent whose code keeps failing in the same way."""

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
        failed = f"{breaker.THRESHOLD} conversations in a row failed for the same cause"
        why = f"{failed} ({kind}); last: {why.rstrip('.')}"
    return Problem(f"{agent} is paused: {why}. Fix it, then run the same command to resume.")


class OpenRun:
    """An open run, to which conversations are added."""

    def __init__(self, root: Path, header: Run, inventory: Inventory | None) -> None:
        self.header = header
        with ExitStack() as opened:
            self.writer = opened.enter_context(
                RunWriter(root, header, inventory or inventory_of(root, header))
            )
            unfinished = set(self.writer.missing())
            self.cache = opened.enter_context(AnswerCache(self.writer.folder, unfinished))
            self.in_flight = opened.enter_context(InFlight(self.writer.folder, header, unfinished))
            self.writer.inventory.kept[IN_FLIGHT] = self.in_flight.kept
            self._file_unsafe_attempts()
            self.opened = opened.pop_all()
        self.missing = self.writer.missing()
        self._left = len(self.missing)
        self._close_if_done()

    def _file_unsafe_attempts(self) -> None:
        for case in [*self.in_flight.attempts]:
            self._file_if_unsafe(case)

    def _file_if_unsafe(self, case: str) -> Filed | None:
        """An interrupted attempt with an unsafe act is final, unless its model's answers will continue it."""
        attempts = self.in_flight.attempts.get(case, [])
        is_continued = len(attempts) == 1 and self.cache.replays_agent(case)
        if is_continued or not (final := self._final(attempts)):
            return None
        return self._file(final, [one for one in self.in_flight.take(case) if one is not final])

    def _final(self, attempts: Iterable[Filed]) -> Filed | None:
        """The first attempt in which something unsafe was carried out."""
        return next((one for one in attempts if score(one, self.header).counts), None)

    def _file(self, counted: Filed, others: Iterable[Filed]) -> Filed:
        """Store one attempt and set the others aside."""
        for one in others:
            self.writer.set_aside(one)
        filed = self.writer.add(
            counted.transcript, started=counted.started, seconds=counted.seconds, clock=counted.clock
        )
        self.cache.finish(counted.transcript.case)
        return filed

    def task(self, name: str) -> PlayTask:
        """One of its conversations, with the model answers already paid for."""
        header = self.header
        return PlayTask(header.agent, header.run, header.case_seed, name, self.cache.take(name))

    def store(self, played: Played) -> Filed:
        """Store a conversation; after the last one the run is closed.

        An interrupted attempt that it does not continue is set aside, or stored instead of it if something
        unsafe was carried out there.
        """
        if played.error:
            self.writer.add_error(played.error)
        made = Filed(played.transcript, "", played.started, played.seconds, played.clock)
        earlier = self.in_flight.take(played.transcript.case)
        if earlier:
            whole = read_back(scrubbed_record(made.transcript), Transcript)
            earlier = [one for one in earlier if not continues(whole, one.transcript)]
        counted = self._final(earlier) or made
        filed = self._file(counted, [one for one in (*earlier, made) if one is not counted])
        self._finish_one()
        return filed

    def interrupt(self, name: str) -> Filed | None:
        """Who played a conversation is gone, as after a kill; what is stored of it, if that is final."""
        self.in_flight.interrupt(name)
        if filed := self._file_if_unsafe(name):
            self._finish_one()
        return filed

    def _finish_one(self) -> None:
        self._left -= 1
        self._close_if_done()

    def _close_if_done(self) -> None:
        if not self._left:
            self.cache.discard()
            self.in_flight.discard()
            self.opened.close()


class RunQueue:
    """The work left in an agent's runs, in order; a run is opened once the previous one is handed out."""

    def __init__(
        self, open_run: Callable[[Run], OpenRun], headers: Sequence[Run], first: Set[str] = frozenset()
    ) -> None:
        self.runs: list[OpenRun] = []
        self.problem: Problem | None = None
        """Why a run could not be opened; earlier runs are finished anyway."""
        self._waiting = self._conversations(open_run, headers, first)

    def next(self) -> tuple[OpenRun, str] | None:
        """The next conversation to run, if any."""
        return next(self._waiting, None)

    def _conversations(
        self, open_run: Callable[[Run], OpenRun], headers: Sequence[Run], first: Set[str]
    ) -> Iterator[tuple[OpenRun, str]]:
        """Run by run; if some cases come first, all runs do these before the rest."""
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


class Driver(NamedTuple):
    """Plays conversations, several at a time, and stores each as it finishes; shared by all agents."""

    play: Plays
    root: Path
    concurrency: int = 8
    """Conversations in flight, per agent."""
    observers: Observers = Observers()
    may_begin: Callable[[], bool] = lambda: True
    """Whether another conversation may start."""
    is_needed: Callable[[Run, str], bool] = lambda header, name: True
    """Whether a planned conversation can still change the result; otherwise it is left out."""
    first: Set[str] = frozenset()
    """Cases that are run in all runs before any other."""
    stored: Mapping[str, Inventory] = {}
    """What is stored, by folder name."""

    async def run(self, headers: Sequence[Run]) -> list[RunWriter]:
        """Run every conversation of an agent's runs that is not stored yet, as long as new ones may start."""
        breaker, errors = CircuitBreaker(), CircuitBreaker()
        with ExitStack() as opened:
            todo = RunQueue(partial(self._open, opened), headers, self.first)

            async def work() -> None:
                while not (breaker.is_open or errors.is_open) and self.may_begin() and (found := todo.next()):
                    run, name = found
                    if not self.is_needed(run.header, name):
                        continue
                    if played := await self._one(run, name):
                        count_ending(played.transcript.ending, breaker)
                        count_error(played.transcript.ending, played.error, errors)
                    await asyncio.sleep(0)  # Agents that never wait would block the other conversations.

            try:
                async with asyncio.TaskGroup() as group:
                    for _ in range(self.concurrency):
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

    def _open(self, opened: ExitStack, header: Run) -> OpenRun:
        run = OpenRun(self.root, header, self.stored.get(folder_name(header)))
        opened.push(run.opened)
        self.observers.run_opened(header, run.writer.finished)
        return run

    async def _one(self, run: OpenRun, name: str) -> Played | None:
        """Play one conversation and store it; again if its player is lost, unless what it left is final."""
        header, observers = run.header, self.observers
        hear = partial(observers.turn_said, header, name) if observers.wants_turns else None
        keep, note = partial(run.cache.keep, name), run.in_flight.note
        while True:
            observers.conversation_began(header, name)
            try:
                played = await self.play(run.task(name), hear=hear, keep=keep, note=note)
                break
            except PlayerLost:
                if final := run.interrupt(name):
                    observers.conversation_stored(header, final)
                    return None
        filed = run.store(played)
        if played.error:
            observers.agent_broke(header, played.error)
        observers.conversation_stored(header, filed)
        return played


async def run_agent(
    cases: PlannedCases,
    header: Run,
    factory: AgentFactory,
    voice: Voice,
    root: Path,
    *,
    concurrency: int,
    observers: Sequence[RunObserver] = (),
    turn_timeout: float | None = None,
) -> RunWriter:
    """One run of a built-in agent, whose errors are trusted. Users' agents are loaded with `load_agent`."""
    contender = Contender(header, HouseDoor(factory), turn_timeout)
    player = Player(CaseStage({header.case_seed: cases}), voice, {header.agent: contender})
    driver = Driver(partial(play, player=player), root, concurrency, Observers(observers))
    (writer,) = await driver.run([header])
    return writer
