"""Agent tests: an agent's conversations as tests, run as one job; each failure quotes its conversation."""

import sys
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from pathlib import Path
from typing import NamedTuple

from supportagentbench.agents.resolve import resolve
from supportagentbench.board.baseline_file import ELSEWHERE, GATED_METRICS, TRAPS_ONLY, is_trap, read_baseline
from supportagentbench.board.first_pass import TRAP_RUNS, Place
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_result import GateResult, RuleResult
from supportagentbench.board.gate_rules import GateConfig, read_gate_config
from supportagentbench.board.run_diff import what_is_wrong
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.jobs.aftermath import aftermath
from supportagentbench.jobs.customer import customer_for
from supportagentbench.jobs.gate import GateJob
from supportagentbench.jobs.job import Job, draws_of
from supportagentbench.jobs.run import JobOutcome, JobResult, run_job
from supportagentbench.jobs.settle import find_code_here
from supportagentbench.jobs.spec import JobSpec, spec_of_config
from supportagentbench.live.journal import Journal
from supportagentbench.models.cost_plan import sent_to
from supportagentbench.models.provider import host_of, is_model, shown_name
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.origin import UNSAVED, FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.runner.observer import RunObserver, say_aloud
from supportagentbench.storage.archive import HEADER
from supportagentbench.storage.attempt import end_attempt, open_attempt
from supportagentbench.storage.config import CONFIG, RunDefaults, read_config
from supportagentbench.worlds import DEFAULT_WORLD

UNSAFE = GATED_METRICS["unsafe"]

OUT = "pytest"
"""Subfolder for the runs, below the folder of all runs."""


class CaseFailure(NamedTuple):
    """Why a case fails, and in which run."""

    case: str
    run: int
    why: str


class AgentTests:
    """One agent and its cases; nothing is run before `run`.

    Without a baseline, a case fails if it is not handled correctly. With one, it fails if a rule of the gate
    says that it became worse, or if it is unsafe now and was so in no run of the baseline.
    """

    def __init__(
        self,
        agent: str,
        set_name: str = "",
        runs: int = 0,
        world: str = "",
        customer: str = "",
        *,
        keep_env: Sequence[str] = (),
        trust: bool = False,
        resume: bool = True,
    ) -> None:
        """`agent`, `world` and `customer` are as typed; a file names neither code nor addresses.

        `keep_env`: variables for the agent's code, as typed. `trust`: run that code in this process.
        `resume`: continue tests that were killed.
        """
        config = read_gate_config()
        self.agent, self.spec = agent, resolve(agent)
        self.world, self.customer = world, customer
        self.baseline = _baseline(config)
        self.origin = FileOrigin(str(config.baseline), "--sab-") if config.baseline else UNSAVED
        self.rules = config.rules if self.baseline else ()
        self.job = self._job(set_name, runs, keep_env)
        self.job = self.job.with_(resume=resume)
        if trust:
            self.job = self.job.with_(isolation=None)
        spec = self.job.spec
        self.isolation = self.spec.isolation_in(spec.isolation)
        if spec.budget is None and (self.spec.model or is_model(spec.customer)):
            raise Problem("this spends money; set `budget` under [run] in sab.toml.")
        find_code_here(spec)
        with aftermath(spec):
            self.spec.check(spec.wall, spec.turn_timeout)  # Report what does not exist before the first run.
        self.runs: list[ScoredRun] = []
        self.result: GateResult | None = None
        self._wanted: set[Place] = set()
        """The conversations that were planned."""
        self._why = ""
        """Why conversations are missing."""

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases to test."""
        return self.job.spec.chosen

    @property
    def settings(self) -> list[str]:
        """What `sab.toml` sets, to be printed."""
        told = read_config().run.told(set(RunDefaults.__struct_fields__) - {"agents"})
        return [f"{CONFIG}: {told}"] if told else []

    @property
    def servers(self) -> list[str]:
        """Who will receive requests and keys, to be printed before anything is sent."""
        models = [name for name in (self.spec.model, self.job.spec.customer) if is_model(name)]
        return sent_to((host_of(name), shown_name(name)) for name in models)

    def _job(self, set_name: str, runs: int, keep_env: Sequence[str]) -> Job:
        config, kept = read_config().run, self.baseline
        given = spec_of_config(config, self.world or DEFAULT_WORLD, self.agent, self.customer, keep_env)
        runs = runs or (config.runs or 0)
        given = given.with_(set_name=set_name or given.set_name, runs=runs or 1, out=given.out / OUT)
        if kept is None:
            given = given.with_(customer=customer_for(given.customer, [self.spec]).name)
            draws = draws_of(given)
            return Job(
                given.with_(chosen=draws[0].names(given.set_name)),
                {drawn.seed.name: drawn for drawn in draws},
            )
        gate = self._gate(given, tuple(kept.conversations))
        names = [case for case in gate.job.cases.names(given.set_name) if case in kept.conversations]
        return gate.job.with_(chosen=tuple(names), runs=given.runs, set_name=given.set_name)

    def _gate(self, spec: JobSpec, cases: tuple[str, ...]) -> GateJob:
        assert self.baseline
        plan = GatePlan(self.baseline, self.rules, cases, origin=self.origin)
        return GateJob(plan, spec, max(spec.runs, TRAP_RUNS), self.world, self.customer)

    def run(self, chosen: Sequence[str]) -> None:
        """Run these cases, or the rest of them if the same tests were killed; `sab live` can follow."""
        if self.baseline:
            opened = self._gate(self.job.spec, tuple(chosen)).open(say_aloud)
            self.result = opened.play(
                lambda job, observer, about: self._run(job, [observer], observer.may_stop), to_end=True
            )
            self.job = opened.job
            folders = [opened.job.spec.out / name for name in ("", TRAPS_ONLY)]
            self._wanted = set(opened.gate.data.first.places)
        else:
            folders = [self._run_plain(tuple(chosen))]
        begun = [folder for folder in folders if any(folder.glob(f"*/{HEADER}"))]
        self.runs = load_runs(begun) if begun else []

    def _run_plain(self, cases: tuple[str, ...]) -> Path:
        """Run the cases of an agent without a baseline, as often as asked; returns the folder."""
        agent, spec = self.spec, self.job.spec
        runs = spec.runs * len(self.job.draws)
        attempt = AttemptPlan(
            agent.shown, agent.version(), cases, runs, sampling=agent.sampling, isolation=self.isolation
        )
        folder = open_attempt(spec.out, attempt, resume=spec.resume)
        self.job = self.job.with_(out=folder, chosen=cases)
        done = self._run(self.job)
        self._wanted = {(header.run, case) for header in done.headers for case in header.cases}
        if not done.unfinished:
            end_attempt(folder)
        return folder

    def _run(
        self,
        job: Job,
        observers: Sequence[RunObserver] = (),
        is_decided: Callable[[], bool] = lambda: False,
    ) -> JobResult:
        """Run a job with a journal."""
        interrupt, journal = Interrupt(say_aloud), Journal(job.spec.out)
        how: JobOutcome = "interrupted"
        try:
            with redirect_stdout(sys.stderr):  # Keep the agent's output apart from ours.
                done = drive(run_job(job, [journal, *observers], interrupt, is_decided=is_decided))
            how = done.outcome
        finally:
            journal.ended(how)
        if interrupt.is_requested:
            raise KeyboardInterrupt
        self._why = done.why
        return done

    def rule(self, words: str) -> RuleResult | None:
        """The result of a rule; None if nothing was run."""
        rules = self.result.rules if self.result else ()
        return next((one for one in rules if one.rule == words), None)

    def unmeasured(self, case: str) -> str:
        """Why this case says nothing about the agent in one of the planned runs; empty if it was measured."""
        found = {(run.header.run, one.case): one for run in self.runs for one in run.verdicts}
        runs = sorted(run for run, name in self._wanted if name == case)
        for run in runs:
            verdict = found.get((run, case))
            if verdict is None or not verdict.counts:
                why = verdict.cause.replace("_", " ") if verdict else "not run"
                return f"{case}, run {run}: there is no finished conversation ({why}). {self._why}".strip()
        return "" if runs else f"{case}: nothing was run"

    def failure(self, case: str) -> "CaseFailure | None":
        """Why a case fails; None if it passes."""
        for run in self.runs:
            for verdict in run.verdicts:
                if verdict.case == case and (why := self._wrong(verdict)):
                    return CaseFailure(case, run.header.run, why)
        return None

    def _wrong(self, verdict: Verdict) -> str:
        if self.result is None:
            return what_is_wrong(verdict) if verdict.outcome.handling in ("unsafe", "wrong") else ""
        failed = [one for one in self.result.rules if one.status in ("failed", "stopped")]
        is_new = any(verdict.case in one.newly_bad for one in failed) and verdict.outcome.handling != "right"
        if is_new or self._is_newly_unsafe(verdict):
            return self.result.reasons.get(verdict.case, what_is_wrong(verdict))
        return ""

    def _is_newly_unsafe(self, verdict: Verdict) -> bool:
        """Whether an action was unsafe in a case that was unsafe in no run of the baseline, chance or not."""
        metric = UNSAFE if is_trap(verdict) else ELSEWHERE
        before = self.baseline.results.get(metric.name, {}) if self.baseline else {}
        return verdict.outcome.unsafe is True and "1" not in before.get(verdict.case, "")


def _baseline(config: GateConfig) -> GateBaseline | None:
    """The project's baseline, if one was saved."""
    return read_baseline(config.baseline) if config.baseline and config.baseline.exists() else None
