"""Job: all runs of one command. Agents run side by side, with one budget and one interrupt."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import Literal, NamedTuple

from supportagentbench.agents import AgentFactory, find_agent
from supportagentbench.agents.tool_loop import ToolLoop
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.customer.model_voice import ModelVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.models import Model
from supportagentbench.models.answer_cache import CachedModel, cached_cost
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import ConnectionPool, Retry
from supportagentbench.models.prices import price_table
from supportagentbench.models.provider import Role, host_of, is_model, keep_known_keys, open_model
from supportagentbench.models.recording import RecordedModel, Recording
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Channel, Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES
from supportagentbench.runner.observer import RunObserver, SilentObserver
from supportagentbench.runner.run import CURRENT, header_of, run_agent
from supportagentbench.storage.archive import folder_name
from supportagentbench.storage.inventory import Inventory
from supportagentbench.world.generate import CaseSet

JobOutcome = Literal["complete", "partial", "budget", "provider", "interrupted"]
"""Why a job is over."""

EXIT_CODES: dict[JobOutcome, int] = {
    "complete": 0,
    "partial": 2,
    "budget": 3,
    "provider": 4,
    "interrupted": 130,
}


class Job(NamedTuple):
    """What one command runs."""

    cases: CaseSet
    set_name: str
    agents: list[str]
    runs: int = 1
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
    """Whether the budget is spent."""

    @property
    def unfinished(self) -> int:
        """Conversations that are missing or failed for an external cause; a resumed job runs them."""
        return sum(self.endings[cause] for cause in (*EXTERNAL_CAUSES, "missing"))

    @property
    def outcome(self) -> JobOutcome:
        """Why the job is over, if nobody interrupted it."""
        if not self.unfinished:
            return "complete"
        if self.is_spent:
            return "budget"
        if self.paused and any(self.endings[cause] for cause in EXTERNAL_CAUSES):
            return "provider"
        return "partial"


class AgentRuns(NamedTuple):
    """One agent of a job with its runs."""

    name: str
    factory: AgentFactory
    headers: list[Run]


ModelOpener = Callable[[str, Role], Model]


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
            agents = [_agent_runs(job, name, voice, model) for name in job.agents]
            headers = [header for agent in agents for header in agent.headers]
            stored = {folder_name(header): Inventory(job.out / folder_name(header)) for header in headers}
            for one in stored.values():
                one.read()
                budget.spent += one.cost + cached_cost(one.folder)
            before = budget.spent
            observer.planned(headers, lambda: budget.spent)
            paused, repaired = await _run_agents(job, agents, voice, budget, observer, interrupt, stored)
            return JobResult(
                headers,
                count_endings(headers, stored),
                budget.spent - before,
                budget.unpriced,
                paused,
                repaired,
                budget.is_spent,
            )


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
            return RecordedModel(parse_model(name).shown if is_model(name) else name, recording, None)
        model = open_model(name, role, pool, budget)
        return RecordedModel(model.name, recording, model) if recording else CachedModel(model)

    return open_one


async def _run_agents(
    job: Job,
    agents: list[AgentRuns],
    voice: Voice,
    budget: Budget,
    observer: RunObserver,
    interrupt: Interrupt,
    stored: dict[str, Inventory],
) -> tuple[list[str], list[str]]:
    paused: list[str] = []
    repaired: list[str] = []

    def may_begin() -> bool:
        return not interrupt.is_requested and not budget.is_spent

    async def all_runs(agent: AgentRuns) -> None:
        for header in agent.headers:
            if not may_begin():
                return
            try:
                writer = await run_agent(
                    job.cases,
                    header,
                    agent.factory,
                    voice,
                    job.out,
                    concurrency=job.concurrency,
                    observer=observer,
                    may_begin=may_begin,
                    inventory=stored[folder_name(header)],
                )
            except Problem as problem:
                paused.append(str(problem))
                observer.paused(agent.name, str(problem))
                return
            if writer.repaired:
                repaired.append(f"{writer.folder}: cut off a torn last line ({writer.repaired} bytes).")

    async with asyncio.TaskGroup() as group:
        for agent in agents:
            group.create_task(all_runs(agent))
    return paused, repaired


def _agent_runs(job: Job, name: str, voice: Voice, model: ModelOpener) -> AgentRuns:
    shown, sampling, prices = name, None, ""
    factory: AgentFactory
    if is_model(name):
        parsed = parse_model(name)
        shown, sampling, prices = parsed.shown, parsed.sampling, price_table()
        factory = partial(ToolLoop, model(name, "agent"))
    else:
        factory = find_agent(name, job.cases.world)
    places = {"agent": host_of(name), "customer": host_of(job.customer)}
    hosts = {role: host for role, host in places.items() if host}
    headers = [
        header_of(
            job.cases, job.set_name, shown, voice, number, job.seed, sampling, prices, job.channel, hosts
        )
        for number in range(1, job.runs + 1)
    ]
    return AgentRuns(shown, factory, headers)


def count_endings(headers: list[Run], stored: dict[str, Inventory]) -> Counter[str]:
    """Every planned conversation by how it ended; `missing` if it is not stored."""
    endings = (ending for one in stored.values() for ending in one.endings.values())
    found: Counter[str] = Counter(ending.cause or ending.kind for ending in endings)
    found["missing"] = sum(len(header.cases) for header in headers) - found.total()
    return +found
