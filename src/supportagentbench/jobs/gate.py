"""Gate job: runs an agent until a rule fails, or to the end; conversations are scored as they finish."""

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

from supportagentbench.agents.resolve import resolve
from supportagentbench.board.baseline_file import check_fits, read_baseline, with_draws
from supportagentbench.board.gate import Gate, GateResult, Place, planned_order
from supportagentbench.board.gate_plan import GatePlan, chosen_cases, last_result
from supportagentbench.board.gate_rules import read_gate_config
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import JobResult
from supportagentbench.jobs.spec import JobSpec, spec_of_baseline
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.origin import UNSAVED, FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.results.load import load_runs, score_conversation
from supportagentbench.runner.observer import RunObserver
from supportagentbench.storage.archive import HEADER
from supportagentbench.storage.attempt import end_attempt, open_attempt
from supportagentbench.storage.config import CONFIG
from supportagentbench.storage.git_file import GitFile, origin
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.redraw import redrawn
from supportagentbench.world.seed import numbered_seeds


class GateRequest(NamedTuple):
    """What a gate should compare, as plain data."""

    baseline: Path | GitFile | None = None
    """None: the baseline named in the rules."""
    rules: Path | GitFile | None = None
    """None: those in `sab.toml`."""
    only: str = ""
    """`failed`: only the cases that failed last time."""
    matching: str = ""
    """Only cases whose name contains this."""
    first_new: bool = False
    """Whether one newly bad case fails a `no new` rule, even if it may be chance."""
    case_seeds: str = ""
    """Only these draws of the baseline; empty: all."""
    out: Path = Path("runs/gate")
    """Folder with one subfolder per gate."""
    resume: bool = True
    """Whether results of earlier gates are believed."""

    def plan(self) -> GatePlan:
        """The baseline, the rules and the cases that count."""
        rules = self.rules or CONFIG
        config = read_gate_config(rules, must_exist=self.rules is not None)
        place = self.baseline or config.baseline
        if place is None:
            raise Problem("a gate needs a baseline. Save one: sab gate --save baseline.json RUNS")
        if self.only not in ("", "failed"):
            raise Problem(f"--only {self.only} is not known; use --only failed.")
        if self.only and not self.resume:
            raise Problem(
                "--only failed believes an earlier result, which a pipeline does not; add --resume."
            )
        kept = read_baseline(place)
        if self.case_seeds:
            kept = with_draws(kept, {seed.name for seed in numbered_seeds(self.case_seeds)})
        chosen = chosen_cases(kept, self.matching, last_result(self.out) if self.only else None)
        told = origin(rules) if rules.exists() else "the default ones"
        sources = f"Baseline: {origin(place)}. Rules: {told}."
        return GatePlan(kept, config.rules, chosen, self.first_new, FileOrigin(str(place)), sources)


class GateObserver(RunObserver):
    """Passes every finished conversation to the gate, and remembers when it is decided."""

    def __init__(self, gate: Gate) -> None:
        self._gate = gate
        self.is_decided = gate.is_failed
        self.problem: Exception | None = None
        """Why a conversation could not be scored; the gate is then incomplete."""

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        """Score a conversation and check the rules."""
        try:
            check_fits(self._gate.baseline, header)
            self._gate.add_run(header.run, [score_conversation(filed, header).verdict])
        except Exception as error:
            self.problem = error
            raise
        self.is_decided = self.is_decided or self._gate.is_failed

    def may_stop(self) -> bool:
        """Whether nothing more needs to run: the gate is decided, or cannot be decided any more."""
        return self.is_decided or self.problem is not None


class GateJob:
    """An agent that is run against a baseline."""

    def __init__(
        self, plan: GatePlan, spec: JobSpec, runs: int = 0, world: str = "", customer: str = ""
    ) -> None:
        """`spec` sets the agent, the folder and the budget; the rest is taken from the baseline.

        `runs`: maximum per draw; 0: as many as the baseline has. `world`, `customer`: as typed, if they were.
        """
        self.plan = plan
        (self.agent,) = spec.agents
        baseline, secret = plan.baseline, spec.private_seed.reveal()
        self.order: list[Place] = planned_order(baseline, baseline.numbers(runs), plan.cases)
        """The conversations, in the order in which they count."""
        used = {run for run, _ in self.order}
        asked = spec_of_baseline(
            baseline,
            self.agent,
            {run: draw for run, draw in baseline.numbers().items() if run in used},
            world,
            secret,
            customer,
            plan.origin,
        )
        draws = drawn_again(baseline, world, secret, plan.origin)
        cases = tuple(dict.fromkeys(case for _, case in self.order))
        self.job = Job(
            asked.with_(
                out=spec.out,
                concurrency=spec.concurrency,
                budget=spec.budget,
                isolation=spec.isolation,
                turn_timeout=spec.turn_timeout,
                resume=spec.resume,
                chosen=cases,
            ),
            {drawn.seed.name: drawn for drawn in draws},
        )

    def open(self, say: Callable[[str], None]) -> "OpenGate":
        """Resume an interrupted gate of the same version, or start a new one."""
        agent, spec = resolve(self.agent), self.job.spec
        isolation = agent.isolation_in(spec.isolation)
        gate = self.plan.gate(self.order)
        runs = max((run for run, _ in self.order), default=0)
        compared = digest(self.plan.baseline)
        attempt = AttemptPlan(
            agent.shown, agent.version(), spec.chosen, runs, compared, agent.sampling, isolation
        )
        if not spec.resume and any(spec.out.glob("*/")):
            say(f"{spec.out}: an earlier gate is not resumed in a pipeline, unless --resume is given")
        folder = open_attempt(spec.out, attempt, resume=spec.resume)
        for run in load_runs([folder]) if any(folder.glob(f"*/{HEADER}")) else ():
            gate.add_run(run.header.run, run.verdicts)
        if gate.seen:
            say(f"{folder}: resumed, {len(gate.seen)} of {len(self.order)} conversations are done")
        return OpenGate(self.job.with_(out=folder), gate, attempt, GateObserver(gate))


class OpenGate(NamedTuple):
    """A gate whose job may be run."""

    job: Job
    gate: Gate
    attempt: AttemptPlan
    observer: GateObserver

    def result(self, done: JobResult) -> GateResult:
        """The result of every rule after this job; a Problem if a conversation could not be scored."""
        if error := self.observer.problem:
            raise Problem(
                f"a conversation could not be scored ({type(error).__name__}: {error}); nothing is decided. "
                "Run the same command again.",
                place=self.job.spec.out,
            )
        if self.gate.is_over:
            end_attempt(self.job.spec.out)
        plan = self.attempt
        return self.gate.result(plan.agent, plan.version, plan.isolation, done.why)


def drawn_again(
    baseline: GateBaseline, world: str = "", secret: str = "", origin: FileOrigin = UNSAVED
) -> list[DrawnCases]:
    """The baseline's cases, drawn again; a Problem if they would not be the same."""
    draws, remedy = baseline.numbers().values(), "save a new baseline."
    return redrawn(baseline, draws, world, secret, remedy=remedy, origin=origin)
