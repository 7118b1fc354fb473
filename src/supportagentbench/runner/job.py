"""Job: all runs of one command. Agents run side by side, with one budget and one interrupt."""

import asyncio
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from contextlib import ExitStack
from itertools import chain, count, islice
from pathlib import Path
from typing import Literal, NamedTuple

from msgspec.structs import replace

from supportagentbench.agents.resolve import refuse_reserved, resolve
from supportagentbench.agents.spec import AgentSpec, ModelOpener, Surroundings
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.concurrency.watchdog import Deadline, Watchdog
from supportagentbench.customer.model_voice import ModelVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.desk import Door
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.models import Model
from supportagentbench.models.answer_cache import CachedModel, cached_usage
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool, Retry
from supportagentbench.models.provider import Role, host_of, keep_known_keys, open_model, shown_name
from supportagentbench.models.recording import RecordedModel, Recording
from supportagentbench.records.agent_error import has_too_many_errors
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.name import is_agent_name
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Channel, DeskKind, Run
from supportagentbench.records.secrets import scrubbed_record
from supportagentbench.records.transcript import AGENT_ERRORS, EXTERNAL_CAUSES
from supportagentbench.runner.hired_agent import TURN_TIMEOUT, HiredAgent
from supportagentbench.runner.observer import RunObserver, SilentObserver
from supportagentbench.runner.run import CURRENT, AgentStopped, CasePlay, Play, header_of, run_repeatedly
from supportagentbench.storage.archive import (
    folder_name,
    headers_of,
    move_aside,
    read_header,
    refuse_other_run,
    refuse_other_version,
    runs_of,
)
from supportagentbench.storage.inventory import Inventory
from supportagentbench.world.drawn_cases import DrawnCases

JobOutcome = Literal["complete", "partial", "budget", "provider", "errors", "interrupted"]
"""Why a job is over."""

EXIT_CODES: dict[JobOutcome, int] = {
    "complete": 0,
    "partial": 2,
    "budget": 3,
    "provider": 4,
    "errors": 5,
    "interrupted": 130,
}


class Job(NamedTuple):
    """What one command runs."""

    cases: DrawnCases
    set_name: str
    agents: list[str]
    runs: int = 1
    """Runs per agent and draw."""
    seed: int = 0
    customer: str = ScriptedVoice.name
    out: Path = Path("runs")
    concurrency: int = 8
    """Conversations in flight, per agent."""
    budget: float | None = None
    """Dollars; None: no limit."""
    record: Path | None = None
    replay: Path | None = None
    channel: Channel = "email"
    isolation: Isolation | None = None
    """How agents with code of their own are isolated; None: they run in this process and are trusted."""
    turn_timeout: float = TURN_TIMEOUT
    """Seconds that such agents have for a turn."""
    chosen: tuple[str, ...] = ()
    """The cases of the set to run, in this order; empty: all."""
    first: frozenset[str] = frozenset()
    """Cases that are run in all runs before any other."""
    is_decided: Callable[[], bool] = lambda: False
    """Whether what the job is for is known, so that nothing new begins."""
    name: str = ""
    """What the only agent is called, if not by where its code is."""
    fresh: bool = False
    """Start over: move the agents' stored runs aside first."""
    desk: DeskKind = "prompt"
    forks: tuple[ForkPoint, ...] = ()
    """Decisions of recorded conversations that are made again, in place of whole cases."""
    play: Play | None = None
    """How a planned conversation is played; None: a case from its first message on."""
    is_needed: Callable[[Run, str], bool] = lambda header, name: True
    """Whether a planned conversation still tells anything; one that does not is left out."""
    more_draws: tuple[DrawnCases, ...] = ()
    """The same cases drawn again, with other seeds; each draw is run as often as the first."""
    numbers: Mapping[int, str] = {}
    """The runs by number, with the draw of each; empty: those on file, then the next free numbers."""

    @property
    def draws(self) -> dict[str, DrawnCases]:
        """All draws by the name of their seed."""
        return {drawn.seed.name: drawn for drawn in (self.cases, *self.more_draws)}


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
    """Whether the budget is spent, or its rest did not cover a request."""
    at_risk: float = 0.0
    """Dollars that requests without a known cost may have cost at most, besides."""
    overshoot: float = 0.0
    """Dollars spent above the budget."""
    first_failure: str = ""
    """The first conversation that failed for an external cause, with the provider's own words."""
    faulty: tuple[str, ...] = ()
    """Agents that were stopped because of errors in their code, or whose share of them is above the limit."""
    moved: tuple[str, ...] = ()
    """One sentence per run that was moved aside."""

    @property
    def unfinished(self) -> int:
        """Conversations that are missing or failed for an external cause; a resumed job runs them."""
        return sum(self.endings[cause] for cause in (*EXTERNAL_CAUSES, "missing"))

    @property
    def outcome(self) -> JobOutcome:
        """Why the job is over, if nobody interrupted it."""
        if self.faulty:
            return "errors"
        if not self.unfinished and not self.paused:
            return "complete"
        if self.is_spent:
            return "budget"
        if self.paused and any(self.endings[cause] for cause in EXTERNAL_CAUSES):
            return "provider"
        return "partial"


class AgentRuns(NamedTuple):
    """One agent of a job with its runs."""

    name: str
    door: Door
    headers: list[Run]
    turn_timeout: float | None
    """Seconds; None: its model has time limits of its own."""


class AgentOutcome(NamedTuple):
    """What became of an agent's runs."""

    name: str
    is_faulty: bool
    """Whether it was stopped because of errors in its code, or its share of them is above the limit."""
    paused: str = ""
    """Why it was stopped."""
    repaired: tuple[str, ...] = ()
    """One sentence per run whose torn last line was cut off."""


class JobWork(NamedTuple):
    """What the agents of a job share while it runs."""

    job: Job
    voice: Voice
    budget: Budget
    observer: RunObserver
    interrupt: Interrupt
    stored: dict[str, Inventory]
    """By folder name."""

    def may_begin(self) -> bool:
        """Whether another conversation may begin."""
        return not (self.interrupt.is_requested or self.budget.is_spent or self.job.is_decided())


async def run_job(
    job: Job,
    observer: RunObserver = SilentObserver(),  # noqa: B008
    interrupt: Interrupt | None = None,
) -> JobResult:
    """Run every agent of the job; conversations that are stored already are not run again."""
    keep_known_keys()
    interrupt = interrupt or Interrupt(print)
    interrupt.listen()

    def on_retry(retry: Retry) -> None:
        if current := CURRENT.get(None):
            observer.retried(*current, retry)

    async with ConnectionPool(job.concurrency * max(1, len(job.agents)), on_retry=on_retry) as pool:
        with ExitStack() as opened:
            budget = Budget(job.budget)
            model = _model_opener(job, pool, budget, opened)
            voice = voice_of(job.customer, model)
            around = Surroundings(job.cases.world, model, job.isolation)
            agents = [_agent_runs(job, spec, voice, around) for spec in specs_of(job)]
            headers = [header for agent in agents for header in agent.headers]
            moved = _move_aside(job.out, [agent.name for agent in agents]) if job.fresh else []
            stored = _stored(job.out, agents, budget)
            before = budget.spent, budget.at_risk
            observer.planned(headers, lambda: budget.spent)
            if any(header.isolation == "none" for header in headers):
                deadline = Deadline(job.turn_timeout, HiredAgent.reply.__code__)
                opened.enter_context(Watchdog(deadline=deadline))
            work = JobWork(job, voice, budget, observer, interrupt, stored)
            async with asyncio.TaskGroup() as group:
                tasks = [group.create_task(_run_agent(work, agent)) for agent in agents]
            done = [task.result() for task in tasks]
            return JobResult(
                headers,
                count_endings(headers, stored, job.is_needed),
                budget.spent - before[0],
                budget.unpriced,
                [one.paused for one in done if one.paused],
                [sentence for one in done for sentence in one.repaired],
                budget.is_spent,
                budget.at_risk - before[1],
                budget.overshoot(before[0]),
                first_failure(stored),
                tuple(one.name for one in done if one.is_faulty),
                tuple(moved),
            )


def _stored(out: Path, agents: list[AgentRuns], budget: Budget) -> dict[str, Inventory]:
    """What is stored of these runs, by folder name, and paid for; another version's run stops the job."""
    headers = [header for agent in agents for header in agent.headers]
    stored = {folder_name(header): Inventory(out / folder_name(header), header) for header in headers}
    for one in stored.values():
        refuse_other_run(one.folder, one.header)
    for agent in agents:
        for folder in runs_of(out, agent.name):
            refuse_other_version(folder, agent.headers[0])
            found = read_header(folder)
            # All runs of an agent in one folder count together, so only number and draw may differ.
            refuse_other_run(folder, replace(agent.headers[0], run=found.run, case_seed=found.case_seed))
    for one in stored.values():
        one.read()
        budget.spent += one.cost
        budget.at_risk += one.at_risk
        budget.remember(cached_usage(one.folder))
    return stored


def voice_of(name: str, model: ModelOpener) -> Voice:
    """The customer's voice: scripted, or a model's."""
    return ScriptedVoice() if name == ScriptedVoice.name else ModelVoice(model(name, "customer"))


def _model_opener(job: Job, pool: ConnectionPool, budget: Budget, opened: ExitStack) -> ModelOpener:
    """Opens the job's models: recorded, replayed, or with an answer cache."""
    recording: Recording | None = None
    if path := job.record or job.replay:
        recording = opened.enter_context(Recording(path, records=job.record is not None))

    def open_one(name: str, role: Role) -> Model:
        if job.replay and recording:
            return RecordedModel(shown_name(name), recording, None)
        model = open_model(name, role, pool, budget)
        kept = CachedModel(model)  # Also below a recording: a killed run finds there what it has spent.
        return RecordedModel(model.name, recording, kept) if recording else kept

    return open_one


async def _run_agent(work: JobWork, agent: AgentRuns) -> AgentOutcome:
    """All runs of one agent, as far as they can be run."""
    job = work.job
    try:
        writers = await run_repeatedly(
            job.play or CasePlay(job.draws),
            agent.headers,
            agent.door,
            work.voice,
            job.out,
            concurrency=job.concurrency,
            observer=work.observer,
            may_begin=work.may_begin,
            turn_timeout=agent.turn_timeout,
            stored=work.stored,
            first=job.first,
            is_needed=job.is_needed,
        )
    except Problem as problem:
        work.observer.paused(agent.name, str(problem))
        is_faulty = isinstance(problem, AgentStopped) or _is_faulty(agent, work.stored)
        return AgentOutcome(agent.name, is_faulty, str(problem))
    finally:
        await agent.door.aclose()
    torn = [writer for writer in writers if writer.repaired]
    repaired = [f"{one.folder}: cut off a torn last line ({one.repaired} bytes)." for one in torn]
    return AgentOutcome(agent.name, _is_faulty(agent, work.stored), repaired=tuple(repaired))


def _move_aside(out: Path, agents: list[str]) -> list[str]:
    return [f"{place}: an earlier run, moved aside." for agent in agents for place in move_aside(out, agent)]


def _is_faulty(agent: AgentRuns, stored: dict[str, Inventory]) -> bool:
    endings = [one for header in agent.headers for one in stored[folder_name(header)].endings.values()]
    own = [one.cause for one in endings if one.cause not in EXTERNAL_CAUSES]
    return has_too_many_errors(sum(cause in AGENT_ERRORS for cause in own), len(own))


def specs_of(job: Job) -> list[AgentSpec]:
    """What each agent of a job is, under the name that the only one may have been given."""
    specs = [resolve(name) for name in job.agents]
    if not job.name:
        return specs
    if len(specs) != 1:
        raise Problem("--name names one agent; run the others with another command.")
    refuse_reserved(job.name)
    return [replace(specs[0], given=job.name)]


def _agent_runs(job: Job, spec: AgentSpec, voice: Voice, around: Surroundings) -> AgentRuns:
    if not is_agent_name(spec.shown):
        raise Problem(
            f"no agent can be called {spec.shown[:80]!r}: it is too long, or has control characters."
        )
    door = spec.open(around)
    places = {"agent": spec.host, "customer": host_of(job.customer)}
    plain = header_of(job.cases, job.set_name, spec.shown, voice, 1, job.seed, job.channel, job.desk)
    header = replace(
        plain,
        set="forks" if job.forks else plain.set,
        cases=tuple(fork.id for fork in job.forks) or job.chosen or plain.cases,
        forks=job.forks,
        isolation=spec.isolation_in(job.isolation),
        hosts={role: host for role, host in places.items() if host},
        sampling=spec.sampling,
        prices=spec.prices,
        version=spec.version(),
    )
    plain = scrubbed_record(header)
    numbers = job.numbers or numbered_runs([] if job.fresh else headers_of(job.out, spec.shown), job)
    headers = [replace(plain, run=number, case_seed=draw) for number, draw in sorted(numbers.items())]
    return AgentRuns(spec.shown, door, headers, job.turn_timeout if spec.has_turn_limit else None)


def numbered_runs(on_file: Iterable[Run], job: Job) -> dict[int, str]:
    """The draw of each of an agent's runs, by number: of every draw those on file, then new ones.

    No two runs of an agent have the same number, whatever they draw: a number is one conversation per case.
    """
    known = {header.run: header.case_seed for header in on_file}
    taken, found = set(known), {}
    for draw in job.draws:
        own = sorted(number for number, its in known.items() if its == draw)
        free = (number for number in count(1) if number not in taken)
        for number in islice(chain(own, free), job.runs):
            taken.add(number)
            found[number] = draw
    return found


def first_failure(stored: dict[str, Inventory]) -> str:
    """Whose conversation failed first for an external cause, and why, in the words that came with it."""
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
