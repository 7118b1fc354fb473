"""Gate run: a gate that runs its agent and shows the progress."""

import asyncio
from collections.abc import Sequence
from functools import partial
from pathlib import Path

from rich.console import Console

from supportagentbench.board.gate import GateResult
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.jobs.gate import GateJob
from supportagentbench.jobs.settle import find_code_here
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.problem import Problem
from supportagentbench.terminal.run import Showing, say_to, watch_job
from supportagentbench.terminal.spending import agree_to_spend


def are_stored(targets: Sequence[str]) -> bool:
    """Whether these are folders of runs; otherwise there is one agent to run."""
    if all(Path(one).is_dir() for one in targets):
        return True
    if len(targets) != 1:
        raise Problem("give folders of runs, or one agent.")
    return False


def run_gate(plan: GatePlan, asked: JobSpec, showing: Showing, console: Console, yes: bool) -> GateResult:
    """Run an agent as far as the gate needs it; an interrupted gate of the same version is resumed."""
    find_code_here()
    made = GateJob(plan, asked, asked.runs, asked.world)
    costs = asyncio.run(plan_costs(made.job))
    agree_to_spend(costs, asked.budget, console, yes)
    opened = made.open(partial(say_to, console))
    observer = opened.observer
    seen = watch_job(opened.job, costs, showing, console, [observer], observer.may_stop)
    for sentence in seen.done.paused if seen.done else ():
        say_to(console, sentence)
    if seen.how == "interrupted":
        raise KeyboardInterrupt
    return opened.result()
