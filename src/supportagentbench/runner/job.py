"""Job: all runs of one command. Entries side by side, one purse, one brake."""

import asyncio
from collections import Counter
from collections.abc import Callable
from contextlib import ExitStack
from functools import partial
from pathlib import Path
from typing import NamedTuple

from supportagentbench.agents import AgentFactory, find_agent
from supportagentbench.agents.tool_loop import ToolLoop
from supportagentbench.customer.model_voice import ModelVoice
from supportagentbench.customer.voice import ScriptedVoice, Voice
from supportagentbench.models import Model
from supportagentbench.models.answer_cache import Receipted, owed
from supportagentbench.models.budget import Budget
from supportagentbench.models.http_client import Exchange, Retry
from supportagentbench.models.prices import table
from supportagentbench.models.provider import Role, is_model, open_model
from supportagentbench.models.recording import Recorded, Recording
from supportagentbench.models.spec import parse_model
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.runner.interrupt import Interrupt
from supportagentbench.runner.observer import RunObserver
from supportagentbench.runner.run import HELD, header_of, run_agent
from supportagentbench.storage.archive import folder_name, paid, read_transcripts
from supportagentbench.world.generate import CaseSet


class Entrant(NamedTuple):
    """One agent of the job with its runs."""

    name: str
    hire: AgentFactory
    headers: list[Run]


class Job(NamedTuple):
    """What one command is to run."""

    cases: CaseSet
    set_name: str
    agents: list[str]
    runs: int
    seed: int
    customer: str
    out: Path
    at_once: int
    budget: float | None = None
    record: Path | None = None
    replay: Path | None = None


class JobResult(NamedTuple):
    """What came of a job."""

    headers: list[Run]
    endings: Counter[str]
    """Conversations on file by how they ended; `missing` for those that are not."""
    spent: float
    unpriced: int
    paused: list[str]
    """One sentence for every entry that was stopped."""
    repaired: list[str]
    is_spent: bool = False
    """Whether the budget was the end of it."""


async def hold(job: Job, watch: RunObserver, brake: Interrupt) -> JobResult:
    """Run every entry of the job; what is on file already is not held again."""
    brake.watch()

    def notice(hitch: Retry) -> None:
        if held := HELD.get(None):
            watch.retried(*held, hitch)

    async with Exchange(job.at_once * max(1, len(job.agents)), notice=notice) as exchange:
        with ExitStack() as opened:
            purse, tape = Budget(job.budget), _tape(job, opened)

            def model(name: str, role: Role) -> Model:
                if job.replay and tape:
                    return Recorded(parse_model(name).shown if is_model(name) else name, tape, None)
                found = open_model(name, role, exchange, purse)
                return Recorded(found.name, tape, found) if tape else Receipted(found)

            voice = voice_of(job.customer, model)
            entrants = [_entrant(job, name, voice, model) for name in job.agents]
            headers = [header for entrant in entrants for header in entrant.headers]
            folders = [job.out / folder_name(header) for header in headers]
            purse.spent = sum(map(paid, folders)) + sum(map(owed, folders))
            before = purse.spent
            watch.planned(headers, lambda: purse.spent)
            paused, repaired = await _all_runs(job, entrants, voice, purse, watch, brake)
            return JobResult(
                headers,
                endings(job.out, headers),
                purse.spent - before,
                purse.unpriced,
                paused,
                repaired,
                purse.is_empty,
            )


def voice_of(name: str, model: Callable[[str, Role], Model]) -> Voice:
    """The customer's voice: scripted, or a model's."""
    return ScriptedVoice() if name == ScriptedVoice.name else ModelVoice(model(name, "customer"))


async def _all_runs(
    job: Job, entrants: list[Entrant], voice: Voice, purse: Budget, watch: RunObserver, brake: Interrupt
) -> tuple[list[str], list[str]]:
    paused: list[str] = []
    repaired: list[str] = []

    def may_begin() -> bool:
        return not brake.is_pulled and not purse.is_empty

    async def all_of(entrant: Entrant) -> None:
        for header in entrant.headers:
            if not may_begin():
                return
            try:
                writer = await run_agent(
                    job.cases,
                    header,
                    entrant.hire,
                    voice,
                    job.out,
                    at_once=job.at_once,
                    watch=watch,
                    may_begin=may_begin,
                )
            except Problem as problem:
                paused.append(str(problem))
                watch.paused(entrant.name, str(problem))
                return
            if writer.repaired:
                repaired.append(f"{writer.folder}: cut off a torn last line ({writer.repaired} bytes).")

    async with asyncio.TaskGroup() as group:
        for entrant in entrants:
            group.create_task(all_of(entrant))
    return paused, repaired


def _entrant(job: Job, name: str, voice: Voice, model: Callable[[str, Role], Model]) -> Entrant:
    shown, sampling, prices = name, None, ""
    hire: AgentFactory
    if is_model(name):
        parsed = parse_model(name)
        shown, sampling, prices = parsed.shown, parsed.sampling, table()
        hire = partial(ToolLoop, model(name, "agent"))
    else:
        hire = find_agent(name, job.cases.world)
    headers = [
        header_of(job.cases, job.set_name, shown, voice, number, job.seed, sampling, prices)
        for number in range(1, job.runs + 1)
    ]
    return Entrant(shown, hire, headers)


def _tape(job: Job, opened: ExitStack) -> Recording | None:
    path = job.record or job.replay
    return opened.enter_context(Recording(path, records=job.record is not None)) if path else None


def endings(root: Path, headers: list[Run]) -> Counter[str]:
    """Every planned conversation, by how it ended."""
    found: Counter[str] = Counter()
    for header in headers:
        folder = root / folder_name(header)
        for filed in read_transcripts(folder):
            ending = filed.transcript.ending
            found[ending.cause or ending.kind] += 1
        found["missing"] += len(header.cases)
    found["missing"] = found["missing"] - (found.total() - found["missing"])
    return +found
