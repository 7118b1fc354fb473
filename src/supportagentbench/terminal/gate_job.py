"""A gate that runs its agent: conversations are scored as they finish, and none begins once it is decided."""

import asyncio
import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from rich.console import Console
from rich.text import Text

from supportagentbench.agents.resolve import resolve
from supportagentbench.board.gate import Gate, GateResult, Place, ordered
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.jobs.cost_estimate import plan_costs
from supportagentbench.models.cost_plan import CostPlan
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.results.load import load_runs, score_conversation
from supportagentbench.runner.job import Job, run_job
from supportagentbench.runner.observer import SilentObserver
from supportagentbench.storage.attempt import end_attempt, open_attempt
from supportagentbench.storage.transcripts import Filed
from supportagentbench.terminal.escape import visible
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.redraw import redrawn

STEP = 20
"""A line is printed each time this number of conversations is done."""


class GateObserver(SilentObserver):
    """Gives every finished conversation to the gate, and remembers once it is decided."""

    def __init__(self, gate: Gate, say: Callable[[str], None]) -> None:
        self._gate = gate
        self._say = say
        self._count = len(gate.seen)
        self.is_decided = gate.is_failed

    def filed(self, *given: object) -> None:
        """Score a conversation and look at the rules."""
        header, filed = given
        assert isinstance(header, Run) and isinstance(filed, Filed)
        self._gate.add_run(header.run, [score_conversation(filed, header).verdict])
        self._count += 1
        if self._count % STEP == 0:
            self._say(f"{self._count} of {len(self._gate.order)} conversations")
        self.is_decided = self.is_decided or self._gate.is_failed


class GateJob(NamedTuple):
    """An agent that is run until a rule fails, or to the end."""

    plan: GatePlan
    agent: str
    draws: Sequence[DrawnCases]
    """The baseline's cases, drawn again."""
    runs: int = 0
    """Runs of each draw at most; 0: as many as the baseline has."""
    out: Path = Path("runs/gate")
    """Where each gate has a folder of its own."""
    concurrency: int = 8
    budget: float | None = None

    @property
    def order(self) -> list[Place]:
        """The conversations, as they count."""
        numbers = self.plan.baseline.numbers(self.runs)
        return ordered(self.plan.baseline, [(run, case) for run in numbers for case in self.plan.cases])

    def job(self, folder: Path, order: list[Place]) -> Job:
        """The runs of all this, in one folder."""
        baseline = self.plan.baseline
        used = {run for run, _ in order}
        return Job(
            self.draws[0],
            baseline.set,
            [self.agent],
            more_draws=tuple(self.draws[1:]),
            numbers={run: draw for run, draw in baseline.numbers().items() if run in used},
            seed=baseline.seed,
            customer=baseline.customer,
            out=folder,
            concurrency=self.concurrency,
            budget=self.budget,
            channel=baseline.channel,
            desk=baseline.desk,
            chosen=tuple(dict.fromkeys(case for _, case in order)),
            first=frozenset(baseline.results.get("unsafe", {})),
        )

    def costs(self) -> list[CostPlan]:
        """What models will cost, if all of it is run."""
        order = self.order
        job = self.job(self.out, order)._replace(set_name=",".join(self.plan.cases))
        return asyncio.run(plan_costs(job, len({run for run, _ in order})))

    def run(self, console: Console) -> GateResult:
        """Run it as far as the gate needs; what a gate of the same version that was cut short did, counts."""

        def say(words: str) -> None:
            console.print(Text(visible(f"sab: {words}")))

        order, version = self.order, resolve(self.agent).version()
        made = self.plan.gate(order)
        cases = tuple(dict.fromkeys(case for _, case in order))
        runs = max((run for run, _ in order), default=0)
        folder = open_attempt(
            self.out, AttemptPlan(self.agent, version, cases, runs, digest(self.plan.baseline))
        )
        for run in load_runs([folder]) if any(folder.glob("*/run.json")) else ():
            made.add_run(run.header.run, run.verdicts)
        if made.seen:
            say(f"{folder}: resumed, {len(made.seen)} of {len(order)} conversations are done")
        self._run(self.job(folder, order), made, say)
        if made.is_over:
            end_attempt(folder)
        return made.result(self.agent, version)

    def _run(self, job: Job, gate: Gate, say: Callable[[str], None]) -> None:
        observer, interrupt = GateObserver(gate, say), Interrupt(say)
        with redirect_stdout(sys.stderr):  # What an agent prints is none of our output.
            done = drive(run_job(job._replace(is_decided=lambda: observer.is_decided), observer, interrupt))
        for sentence in done.paused:
            say(sentence)
        if interrupt.is_requested:
            raise KeyboardInterrupt


def drawn_again(baseline: GateBaseline, world: str = "", secret: str = "") -> list[DrawnCases]:
    """The baseline's cases, drawn again; a Problem if they would not be the same."""
    return redrawn(baseline, baseline.numbers().values(), world, secret, remedy="save a new baseline.")
