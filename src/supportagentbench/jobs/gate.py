"""Gate job: runs an agent, batch by batch, until the gate is decided; each conversation is scored at once."""

from collections.abc import Callable, Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import AgentSpec
from supportagentbench.board.baseline_file import check_fits, read_baseline, with_draws
from supportagentbench.board.first_pass import TRAP_RUNS, first_pass
from supportagentbench.board.gate import Gate
from supportagentbench.board.gate_batch import FOLDERS, GateBatch
from supportagentbench.board.gate_plan import GatePlan, chosen_cases, last_result
from supportagentbench.board.gate_result import GateResult
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
from supportagentbench.records.version import __version__
from supportagentbench.results.load import load_runs, score_conversation
from supportagentbench.runner.observer import RunObserver
from supportagentbench.runner.run import inventory_of
from supportagentbench.storage.archive import HEADER, begun_in, read_header
from supportagentbench.storage.attempt import end_attempt, open_attempt
from supportagentbench.storage.config import CONFIG
from supportagentbench.storage.git_file import GitFile, origin
from supportagentbench.storage.transcripts import Filed
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.redraw import redrawn
from supportagentbench.world.seed import numbered_seeds

OLD = 30
"""Days after which a baseline is called old."""


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
            raise Problem("a gate needs a baseline. Save one: sab gate AGENT --save baseline.json")
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
        old = tuple(age(kept, date.today()))
        return GatePlan(kept, config.rules, chosen, self.first_new, FileOrigin(str(place)), sources, old)


def age(baseline: GateBaseline, today: date) -> Iterator[str]:
    """Since when a baseline stands, in a sentence, if that is long ago."""
    if baseline.made and (days := (today - baseline.made).days) > OLD:
        yield f"The baseline is of {baseline.made}, {days} days old: whatever drifted since counts here."


class GateObserver(RunObserver):
    """Passes every finished conversation of a batch to the gate; what it did not see does not count."""

    def __init__(self, gate: Gate, batch: GateBatch, *, to_end: bool = False) -> None:
        """`to_end`: whether the batch is run to its end, though the gate may be decided."""
        self._gate, self._batch, self._to_end = gate, batch, to_end
        self.problem: Exception | None = None
        """Why a conversation could not be scored; the gate is then incomplete."""

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        """Score a conversation and check the rules."""
        try:
            check_fits(self._gate.data.baseline, header)
            self._gate.add(self._batch.folder, header.run, [score_conversation(filed, header).verdict])
        except Exception as error:
            self.problem = error
            raise

    def may_stop(self) -> bool:
        """Whether nothing more of the batch needs to run: the gate has it, is decided, or never will be."""
        if self.problem is not None or self._gate.batches.has(self._batch):
            return True
        return not self._to_end and self._gate.is_failed


RunBatch = Callable[[Job, GateObserver, str], JobResult]
"""Runs one batch of a gate and shows it; the words say what it is."""


class GateJob:
    """An agent that is run against a baseline."""

    def __init__(
        self,
        plan: GatePlan,
        spec: JobSpec,
        trap_runs: int = TRAP_RUNS,
        world: str = "",
        customer: str = "",
        before: str = "",
    ) -> None:
        """`spec` sets the agent, the folder and the budget; the rest is taken from the baseline.

        `trap_runs`: of the first pass. `world`, `customer`: as typed, if they were. `before`: an earlier
        version of the agent, which is run again where the baseline would decide.
        """
        self.plan, self.before = plan, before
        (self.agent,) = spec.agents
        baseline, secret = plan.baseline, spec.private_seed.reveal()
        self.first = first_pass(baseline, plan.cases, trap_runs)
        asked = spec_of_baseline(baseline, self.agent, self.first.draws, world, secret, customer, plan.origin)
        draws = drawn_again(baseline, world, secret, plan.origin)
        self.job = Job(
            asked.with_(
                out=spec.out,
                concurrency=spec.concurrency,
                budget=spec.budget,
                isolation=spec.isolation,
                turn_timeout=spec.turn_timeout,
                resume=spec.resume,
                chosen=plan.cases,
            ),
            {drawn.seed.name: drawn for drawn in draws},
        )

    @property
    def parts(self) -> list[Job]:
        """The first pass as jobs, for an estimate of its cost."""
        whole = self.first.whole
        rest = {run: cases for run, cases in self.first.runs.items() if run not in whole}
        return [part_of_job(self.job, runs, self.first.draws) for runs in (whole, rest) if runs]

    def open(self, say: Callable[[str], None]) -> "OpenGate":
        """Resume an interrupted gate of the same version, or start a new one."""
        agent, spec = resolve(self.agent), self.job.spec
        isolation = agent.isolation_in(spec.isolation)
        notes = tuple(unknown_changes(self.plan.baseline, agent))
        gate = self.plan._replace(notes=(*self.plan.notes, *notes)).gate(
            self.first, has_before=bool(self.before)
        )
        old = resolve(self.before) if self.before else None
        attempt = AttemptPlan(
            agent.shown,
            agent.version(),
            spec.chosen,
            len(self.first.runs),
            digest(self.plan.baseline),
            agent.sampling,
            isolation,
            digest([old.shown, old.version()]) if old else "",
        )
        if not spec.resume and any(spec.out.glob("*/")):
            say(f"{spec.out}: an earlier gate is not resumed in a pipeline, unless --resume is given")
        folder = open_attempt(spec.out, attempt, resume=spec.resume)
        take_up(gate, folder)
        if gate.data.seen:
            done = f"{len(gate.data.seen)} of {len(self.first.places)}"
            say(f"{folder}: resumed, {done} conversations are done")
        # What is in the folder is this gate's own: it was made now, or is resumed because that was asked for.
        return OpenGate(self.job.with_(out=folder, resume=True), gate, attempt, self.before)


def take_up(gate: Gate, folder: Path) -> None:
    """Add the conversations of a gate that was cut short."""
    for name in ("", *FOLDERS):
        place = folder / name
        for run in load_runs([place]) if any(place.glob(f"*/{HEADER}")) else ():
            gate.add(name, run.header.run, run.verdicts)


def part_of_job(job: Job, runs: Mapping[int, tuple[str, ...]], draws: Mapping[int, str]) -> Job:
    """The same job with these runs only, each with its own cases."""
    cases = {case for some in runs.values() for case in some}
    return job.with_(
        numbers=tuple((run, draws[run]) for run in sorted(runs)),
        own_cases=dict(runs),
        chosen=tuple(case for case in job.spec.chosen if case in cases),
    )


class OpenGate(NamedTuple):
    """A gate whose jobs may be run."""

    job: Job
    gate: Gate
    attempt: AttemptPlan
    before: str = ""

    def play(self, run: RunBatch, *, to_end: bool = False) -> GateResult:
        """Run batch after batch until the gate is decided, or conversations are missing.

        `to_end`: every case is run, though the gate may have failed before.
        """
        gate, why = self.gate, ""
        while batch := gate.next_batch():
            why = self._run(batch, run).why
            if not gate.batches.has(batch):
                break
        for batch in gate.batches.first() if to_end else ():
            if not gate.batches.has(batch):
                why = self._run(batch, run, to_end=True).why
        if gate.is_over:
            end_attempt(self.job.spec.out)
        plan = self.attempt
        found = gate.result(plan.agent, plan.version, plan.isolation, why)
        return replace(found, folder=str(self.job.spec.out))

    def _run(self, batch: GateBatch, run: RunBatch, *, to_end: bool = False) -> JobResult:
        observer = GateObserver(self.gate, batch, to_end=to_end)
        done = run(self._job(batch), observer, batch.about)
        if error := observer.problem:
            raise Problem(
                f"a conversation could not be scored ({type(error).__name__}: {error}); nothing is decided. "
                "Run the same command again.",
                place=self.job.spec.out,
            )
        return done

    def _job(self, batch: GateBatch) -> Job:
        spec, folder = self.job.spec, self.job.spec.out / batch.folder
        budget = spec.budget
        if budget is not None:
            others = {"", *FOLDERS} - {batch.folder}
            budget = max(0.0, budget - sum(spent_in(spec.out / name) for name in others))
        made = part_of_job(self.job, batch.runs, batch.draws)
        agents = (self.before,) if batch.kind == "before" else spec.agents
        return made.with_(out=folder, budget=budget, part=batch.set_name, agents=agents)


def spent_in(folder: Path) -> float:
    """Dollars that the runs in a folder have cost, and may have cost besides."""
    spent = 0.0
    for place in begun_in(folder) if folder.is_dir() else ():
        stored = inventory_of(folder, read_header(place))
        stored.read()
        spent += stored.cost + stored.at_risk
    return spent


def unknown_changes(baseline: GateBaseline, agent: AgentSpec) -> Iterator[str]:
    """What may have changed since the baseline besides the agent's code, in a sentence each."""
    if baseline.package != __version__:
        yield (
            f"The baseline was made by version {baseline.package} of the benchmark, and this is "
            f"{__version__}: save a new one."
        )
    was, now = baseline.hosts.get("agent", ""), agent.host
    if now and was and was != now:
        yield f"The agent's model was at {was}, and is at {now} now."
    elif agent.model:
        yield (
            f"{agent.shown} runs elsewhere: whether its provider changed it since the baseline is not known."
        )
    if unseen := agent.version().unseen:
        yield f"{agent.shown}: {unseen}."


def drawn_again(
    baseline: GateBaseline, world: str = "", secret: str = "", origin: FileOrigin = UNSAVED
) -> list[DrawnCases]:
    """The baseline's cases, drawn again; a Problem if they would not be the same."""
    draws, remedy = baseline.numbers().values(), "save a new baseline."
    return redrawn(baseline, draws, world, secret, remedy=remedy, origin=origin)
