"""From Python: runs agents that a program or a notebook names or has at hand, in one call."""

import asyncio
import math
import sys
from collections.abc import Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Literal, NamedTuple

from supportagentbench.agents.object_agent import asked_agent
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.jobs.bench_result import BenchResult
from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.jobs.settle import settle
from supportagentbench.jobs.spec import JobSpec, wall
from supportagentbench.models.cost_plan import CostPlan, cost_range
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.storage.scratch_folder import ScratchFolder
from supportagentbench.world.folder import world_with
from supportagentbench.worlds import DEFAULT_WORLD

Isolate = bool | Literal["process", "sandbox"]


def run(
    agents: Sequence[object],
    cases: str | Iterable[str] = "all",
    *,
    world: str | Path = DEFAULT_WORLD,
    runs: int = 1,
    out: str | Path | None = None,
    customer: str = ScriptedVoice.name,
    channel: Channel = "email",
    desk: DeskKind = "prompt",
    budget: float | None = None,
    isolate: Isolate = False,
    name: str = "",
    fresh: bool = False,
    seed: int = 0,
) -> BenchResult:
    """Run agents on cases, in a program or in a notebook.

    `agents` are names, as for `sab run`, and classes or functions; `cases` a set, or ids of cases. Without
    `out`, the runs are deleted together with the result. Models that cost money need a `budget` in dollars.
    """
    started = _Start.of(
        agents,
        cases,
        out,
        isolate,
        budget,
        world=world,
        runs=runs,
        customer=customer,
        channel=channel,
        desk=desk,
        name=name,
        fresh=fresh,
        seed=seed,
    )
    try:
        asyncio.get_running_loop()
    except RuntimeError:
        return started.here()
    return started.in_a_thread()


async def run_async(
    agents: Sequence[object],
    cases: str | Iterable[str] = "all",
    *,
    out: str | Path | None = None,
    isolate: Isolate = False,
    budget: float | None = None,
    **settings: Any,
) -> BenchResult:
    """The same in the event loop that runs already, with the same settings: `await run_async([MyAgent])`."""
    started = _Start.of(agents, cases, out, isolate, budget, **settings)
    job = await asyncio.to_thread(started.job)
    done = await run_job(job, (), started.interrupt)
    return await asyncio.to_thread(started.result, done)


class _Start(NamedTuple):
    """A call that has begun."""

    asked: JobSpec
    out: Path | ScratchFolder
    interrupt: Interrupt

    @classmethod
    def of(
        cls,
        agents: Sequence[object],
        cases: str | Iterable[str],
        out: str | Path | None,
        isolate: Isolate,
        budget: float | None,
        *,
        world: str | Path = DEFAULT_WORLD,
        **settings: Any,
    ) -> "_Start":
        set_name = cases if isinstance(cases, str) else ",".join(cases)
        folder = ScratchFolder() if out is None else Path(out)
        asked = JobSpec(
            world_with(set_name, DEFAULT_WORLD) if world == DEFAULT_WORLD else str(world),
            tuple(map(asked_agent, _several(agents))),
            set_name,
            out=folder.path if isinstance(folder, ScratchFolder) else folder,
            isolation=wall(kind="sandbox" if isolate == "sandbox" else "process") if isolate else None,
            budget=budget,
            **settings,
        )
        return cls(asked, folder, Interrupt(_say))

    def here(self) -> BenchResult:
        """Run it in this thread."""
        job = self.job()
        try:
            done = drive(run_job(job, (), self.interrupt))
        except asyncio.CancelledError:
            raise KeyboardInterrupt from None
        return self.result(done)

    def in_a_thread(self) -> BenchResult:
        """Run it in a thread with another event loop, because this thread's is running already."""
        with ThreadPoolExecutor(1, "sab") as pool, self.interrupt.passing_on():
            return pool.submit(self.here).result()

    def job(self) -> Job:
        """The job, with everything checked that can be before it runs."""
        job = open_job(settle(self.asked).spec)
        limit = _checked_budget(asyncio.run(plan_costs(job)), self.asked.budget)
        return job.with_(budget=limit)

    def result(self, done: JobResult) -> BenchResult:
        """What it did."""
        return BenchResult(self.out, done, "interrupted" if self.interrupt.is_requested else done.outcome)


def _several(agents: object) -> Iterable[object]:
    """The agents in a list; a single one is forgiven."""
    return agents if isinstance(agents, list | tuple) else [agents]


def _checked_budget(plans: list[CostPlan], budget: float | None) -> float | None:
    """The limit in dollars, if there is one; what costs money is not started without a word on how much."""
    if budget is not None and not budget >= 0:
        raise Problem(f"a budget of {budget} is none; give dollars, such as budget=5.")
    paid = [plan.model for plan in plans if plan.is_paid]
    if paid and budget is None:
        low, high = cost_range(plans)
        may = "at an unknown price" if low is None else f"for ${low:,.2f} to ${high or low:,.2f}"
        raise Problem(
            f"this asks {', '.join(paid)}, probably {may}; set a limit in dollars, such as budget=5, or "
            "budget=math.inf for none."
        )
    return None if budget == math.inf else budget


def _say(words: str) -> None:
    print(f"sab: {words}", file=sys.stderr, flush=True)
