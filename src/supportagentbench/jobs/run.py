"""Run: all runs of a job. Agents run side by side, with one budget and one interrupt."""

import asyncio
from collections import Counter
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from functools import partial
from itertools import chain, count, islice
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.concurrency.watchdog import Deadline, Watchdog
from supportagentbench.jobs.aftermath import aftermath
from supportagentbench.jobs.cost_estimate import case_workloads
from supportagentbench.jobs.job import Job, opened_player
from supportagentbench.jobs.reuse import reuse_of, start_over
from supportagentbench.jobs.shard import dealt
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.models.answer_cache import cached_usage
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import Retry
from supportagentbench.records.agent_error import has_too_many_errors
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import AGENT_ERRORS, EXTERNAL_CAUSES
from supportagentbench.runner.hired_agent import HiredAgent
from supportagentbench.runner.observer import Observers, RunObserver, say_aloud
from supportagentbench.runner.play import Contender, Player, Plays, PlayTask, play
from supportagentbench.runner.run import AgentStopped, Driver, inventory_of
from supportagentbench.storage.archive import (
    folder_name,
    has_header,
    headers_of,
    move_aside,
    read_header,
    refuse_other_run,
    refuse_other_version,
    runs_of,
)
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.mirror import mirrored
from supportagentbench.storage.newcomers import Newcomers

PlannedRuns = Mapping[str, list[Run]]
"""The headers of each agent's runs."""

JobOutcome = Literal["complete", "partial", "budget", "provider", "errors", "interrupted"]
"""Why a job ended."""

EXIT_CODES: dict[JobOutcome, int] = {
    "complete": 0,
    "partial": 2,
    "budget": 3,
    "provider": 4,
    "errors": 5,
    "interrupted": 130,
}


class JobResult(NamedTuple):
    """What a job did."""

    headers: list[Run]
    endings: Counter[str]
    """Conversations by how they ended; `missing` for those that are not stored."""
    spent: float
    unpriced: int
    paused: list[str]
    """One sentence per agent that was stopped."""
    repaired: list[str]
    """One sentence per run whose torn last line was cut off."""
    is_spent: bool = False
    """Whether the budget is spent, or the rest did not cover a request."""
    at_risk: float = 0.0
    """Maximum additional dollars for requests without a known cost."""
    overshoot: float = 0.0
    """Dollars spent above the budget."""
    first_failure: str = ""
    """The first conversation that failed for an external cause, with the provider's error message."""
    faulty: tuple[str, ...] = ()
    """Agents that were stopped because of errors in their code, or whose share of them is above the limit."""
    moved: tuple[str, ...] = ()
    """One sentence per run that was moved aside."""
    outside: int = 0
    """Conversations that failed for an external cause and say nothing about the agent."""

    @property
    def unfinished(self) -> int:
        """Conversations that are missing or say nothing about the agent; a resumed job runs them."""
        return self.outside + self.endings["missing"]

    @property
    def why(self) -> str:
        """Why conversations are missing, in sentences; empty if nothing is known."""
        return " ".join(self.paused) or (f"First failure: {self.first_failure}" if self.first_failure else "")

    @property
    def outcome(self) -> JobOutcome:
        """Why the job ended, if it was not interrupted."""
        if self.faulty:
            return "errors"
        if not self.unfinished and not self.paused:
            return "complete"
        if self.is_spent:
            return "budget"
        if self.paused and any(self.endings[cause] for cause in EXTERNAL_CAUSES):
            return "provider"
        return "partial"


class AgentOutcome(NamedTuple):
    """The result of an agent's runs."""

    name: str
    is_faulty: bool
    """Whether it was stopped because of errors in its code, or its share of them is above the limit."""
    paused: str = ""
    """Why it was stopped."""
    repaired: tuple[str, ...] = ()
    """One sentence per run whose torn last line was cut off."""


async def run_job(
    job: Job,
    observers: Sequence[RunObserver] = (),
    interrupt: Interrupt | None = None,
    *,
    is_decided: Callable[[], bool] = lambda: False,
    say: Callable[[str], None] = say_aloud,
) -> JobResult:
    """Run every agent of the job; conversations that are stored already are not run again.

    `is_decided`: whether the result is known already, so that nothing new is started. `say` gets a sentence
    when an observer fails.
    """
    _refuse_other(job)
    interrupt, spec = interrupt or Interrupt(print), job.spec
    with interrupt.listening(), mirrored(spec.bucket, spec.out, say) as mirror:

        def is_over() -> bool:
            return interrupt.is_requested or is_decided() or bool(mirror and mirror.problem)

        with aftermath(spec, say) as newcomers:
            done = await _run_all(job, observers, is_over, say, newcomers)
        unsent = await asyncio.to_thread(mirror.finish) if mirror else ""
        if mirror and not unsent:
            say(f"all of it is in {spec.bucket}.")
    return done._replace(paused=[*done.paused, unsent]) if unsent else done


def _refuse_other(job: object) -> None:
    """Refuse anything but a job, such as a tuple of cases and agents."""
    if not isinstance(job, Job) or not isinstance(job.spec, JobSpec):
        raise Problem(
            "this is no job; `open_job(JobSpec(...))` makes one, and `supportagentbench.run(agents, cases)` "
            "takes classes and functions."
        )


async def _run_all(
    job: Job,
    observers: Sequence[RunObserver],
    is_over: Callable[[], bool],
    say: Callable[[str], None],
    newcomers: Newcomers,
) -> JobResult:
    """Open everything, run every agent, and close everything again."""
    spec, budget = job.spec, Budget(job.spec.budget)
    told = Observers([*observers, *([job.decisions] if job.decisions else [])], say)
    headers: dict[tuple[str, int], Run] = {}

    def on_retry(task: PlayTask, retry: Retry) -> None:
        told.request_retried(headers[task.agent, task.run], task.name, retry)

    def may_begin() -> bool:
        return not (budget.is_spent or is_over())

    async with opened_player(job, budget, on_retry) as player:
        runs = await _its_runs(job, player.agents)
        headers |= {(one.agent, one.run): one for planned in runs.values() for one in planned}
        if spec.fresh:  # Nothing is moved for a job that cannot run.
            _draw_all(job, headers.values(), {})
        moved = _move_aside(spec.out, [*runs]) if spec.fresh else []
        if not spec.resume:
            _refuse_stored(spec.out, [*runs])
        if not spec.fresh:
            _refuse_unseen(spec)
        for words in start_over(spec.out, [first for first, *_ in runs.values()]):
            say(words)
        stored = newcomers.own = _stored(
            spec.out, runs, budget, has_own_cases=bool(spec.own_cases or spec.shard)
        )
        _draw_all(job, headers.values(), stored)
        reuse = reuse_of(headers.values(), stored, spec.out, job.is_needed)
        if reuse.stored and not spec.numbers:  # Batches of a gate share their runs; it reports them itself.
            say(reuse.sentence)
        before = budget.spent, budget.at_risk
        told.job_planned([*headers.values()], lambda: budget.spent)
        async with _plays(job, player, budget, on_retry, told) as plays:
            driver = Driver(
                plays, spec.out, spec.concurrency, told, may_begin, job.is_needed, spec.first, stored
            )
            done = await _run_agents(driver, runs, None if spec.cluster else spec.turn_timeout)
    changed = _changed(stored.values(), [one.paused for one in done])
    return JobResult(
        [*headers.values()],
        count_endings([*headers.values()], stored, job.is_needed),
        budget.spent - before[0],
        budget.unpriced,
        [*(one.paused for one in done if one.paused), *changed],
        [sentence for one in done for sentence in one.repaired],
        budget.is_spent,
        budget.at_risk - before[1],
        budget.overshoot(before[0]),
        first_failure(stored),
        tuple(one.name for one in done if one.is_faulty),
        tuple(moved),
        sum(len(one.outside) for one in stored.values()),
    )


async def _its_runs(job: Job, agents: Mapping[str, Contender]) -> PlannedRuns:
    """The runs of every agent, with the conversations that are played here."""
    runs = {name: planned_runs(job, agent) for name, agent in agents.items()}
    return dealt(runs, await case_workloads(job), job.spec.shard) if job.spec.shard else runs


@asynccontextmanager
async def _plays(
    job: Job, player: Player, budget: Budget, on_retry: Callable[[PlayTask, Retry], None], told: Observers
) -> AsyncIterator[Plays]:
    """Who plays: this process, or a cluster."""
    if not job.spec.cluster:
        yield partial(play, player=player)
        return
    from supportagentbench.jobs.cluster.cluster import played_on_cluster  # It takes a while, and few want it.

    async with played_on_cluster(job.spec, player, budget, on_retry, wants_turns=told.wants_turns) as plays:
        yield plays


def planned_runs(job: Job, agent: Contender) -> list[Run]:
    """The headers of an agent's runs, in order."""
    header, spec = agent.header, job.spec
    on_file = [] if spec.fresh else headers_of(spec.out, header.agent)
    numbers = spec.numbers or sorted(numbered_runs(on_file, job).items())
    return [
        replace(header, run=number, case_seed=draw, cases=spec.own_cases.get(number, header.cases))
        for number, draw in numbers
    ]


def numbered_runs(on_file: Iterable[Run], job: Job) -> dict[int, str]:
    """The draw of each of an agent's runs, by number: for every draw the stored runs, then new ones.

    No two runs of an agent have the same number, not even of different draws.
    """
    known = {header.run: header.case_seed for header in on_file}
    taken, found = set(known), {}
    for draw in job.draws:
        own = sorted(number for number, its in known.items() if its == draw)
        free = (number for number in count(1) if number not in taken)
        for number in islice(chain(own, free), job.spec.runs):
            taken.add(number)
            found[number] = draw
    return found


def _stored(
    out: Path, runs: PlannedRuns, budget: Budget, *, has_own_cases: bool = False
) -> dict[str, Inventory]:
    """What is stored of these runs, by folder name, already paid; a run of another version is refused."""
    headers = [header for planned in runs.values() for header in planned]
    stored = {folder_name(header): inventory_of(out, header) for header in headers}
    for one in stored.values():
        refuse_other_run(one.folder, one.header)
    for name, (header, *_) in runs.items():
        for folder in runs_of(out, name):
            refuse_other_version(folder, header)
            found = read_header(folder)
            # All runs of an agent in one folder count together, so only number and draw may differ; and the
            # cases, if the job itself gives its runs different ones.
            cases = found.cases if has_own_cases else header.cases
            refuse_other_run(folder, replace(header, run=found.run, case_seed=found.case_seed, cases=cases))
    for one in stored.values():
        one.read()
        budget.spent += one.cost
        budget.at_risk += one.at_risk
        budget.remember(cached_usage(one.folder))
    return stored


def _draw_all(job: Job, headers: Iterable[Run], stored: Mapping[str, Inventory]) -> None:
    """Draw and label every case that is still to be run: one that does not fit its shop ends the job before
    anything is spent, and not in the middle of a run."""
    for header in headers:
        found = stored.get(folder_name(header))
        there = found.endings.keys() - found.outside.keys() if found else frozenset[str]()
        for name in header.cases:
            if name not in there and job.is_needed(header, name):
                job.stage.draw(header, name)


async def _run_agents(driver: Driver, runs: PlannedRuns, turn_timeout: float | None) -> list[AgentOutcome]:
    """All agents side by side, watched if unknown code might block all others in this process."""
    with ExitStack() as opened:
        if turn_timeout and any(planned[0].isolation == "none" for planned in runs.values()):
            opened.enter_context(Watchdog(deadline=Deadline(turn_timeout, HiredAgent.reply.__code__)))
        async with asyncio.TaskGroup() as group:
            tasks = [group.create_task(_run_agent(driver, planned)) for planned in runs.values()]
    return [task.result() for task in tasks]


async def _run_agent(driver: Driver, headers: list[Run]) -> AgentOutcome:
    """Run all runs of one agent, as far as possible."""
    name = headers[0].agent
    try:
        writers = await driver.run(headers)
    except Problem as problem:
        driver.observers.agent_paused(name, str(problem))
        is_faulty = isinstance(problem, AgentStopped) or _is_faulty(headers, driver.stored)
        return AgentOutcome(name, is_faulty, str(problem))
    torn = [writer for writer in writers if writer.repaired]
    repaired = [f"{one.folder}: cut off a torn last line ({one.repaired} bytes)." for one in torn]
    return AgentOutcome(name, _is_faulty(headers, driver.stored), repaired=tuple(repaired))


def _refuse_stored(out: Path, agents: list[str]) -> None:
    """In a pipeline, a run on file may have come with the change that is checked."""
    found = [out] if has_header(out) else [folder for agent in agents for folder in runs_of(out, agent)]
    if found:
        raise Problem(
            "is a run that this command did not make, and a pipeline believes no such runs. "
            "Do not commit runs; move it aside with --fresh, or count it with --resume.",
            place=found[0],
        )


def _refuse_unseen(spec: JobSpec) -> None:
    """A stored run of an agent whose source cannot be seen may be that of another under its name."""
    for agent in spec.agent_specs():
        if (why := agent.mistrusts_stored) and (found := runs_of(spec.out, agent.shown)):
            raise Problem(
                f"holds a run of an agent called {agent.shown}, perhaps of another one: {why}. "
                "Start over with fresh=True, give another `out` or `name`, or put the agent into a Python "
                "file of its own and import it.",
                place=found[0],
            )


def _changed(stored: Iterable[Inventory], known: Sequence[str]) -> list[str]:
    """One sentence per run that anyone changed until all agents had ended, unless it is known."""
    found = []
    for one in stored:
        try:
            one.check()
        except Problem as problem:
            found.append(str(problem))
    return [sentence for sentence in found if sentence not in known]


def _move_aside(out: Path, agents: list[str]) -> list[str]:
    return [f"{place}: an earlier run, moved aside." for agent in agents for place in move_aside(out, agent)]


def _is_faulty(headers: list[Run], stored: Mapping[str, Inventory]) -> bool:
    of_agent = [stored[folder_name(header)] for header in headers]
    errors = sum(ending.cause in AGENT_ERRORS for one in of_agent for ending in one.endings.values())
    return has_too_many_errors(errors, sum(len(one.endings) - len(one.outside) for one in of_agent))


def first_failure(stored: dict[str, Inventory]) -> str:
    """Whose conversation failed first for an external cause, with the error message."""
    for one in stored.values():
        for case, ending in one.endings.items():
            if ending.cause in EXTERNAL_CAUSES and ending.detail:
                return f"{one.header.agent}, {case}: {ending.detail}"
    return ""


def count_endings(
    headers: list[Run],
    stored: dict[str, Inventory],
    is_needed: Callable[[Run, str], bool] = lambda header, name: True,
) -> Counter[str]:
    """Every planned conversation by how it ended; `missing` if it is not stored and not left out."""
    endings = (ending for one in stored.values() for ending in one.endings.values())
    found: Counter[str] = Counter(ending.cause or ending.kind for ending in endings)
    for header in headers:
        there = stored[folder_name(header)].endings
        found["missing"] += sum(name not in there and is_needed(header, name) for name in header.cases)
    return +found
