"""Agent tests: an agent's conversations as tests, run as one job; each failure quotes its conversation."""

import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from typing import NamedTuple

from supportagentbench.agents.resolve import resolve
from supportagentbench.board.baseline_file import GATED_METRICS, read_baseline
from supportagentbench.board.gate import GateResult, RuleResult
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_rules import GateConfig, read_gate_config
from supportagentbench.board.metrics import RunVerdicts
from supportagentbench.board.run_diff import what_is_wrong
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.jobs.aftermath import aftermath
from supportagentbench.jobs.customer import customer_for
from supportagentbench.jobs.gate import drawn_again
from supportagentbench.jobs.job import Job, draws_of
from supportagentbench.jobs.run import JobOutcome, run_job
from supportagentbench.jobs.settle import find_code_here
from supportagentbench.jobs.spec import spec_of_baseline, spec_of_config
from supportagentbench.live.journal import Journal
from supportagentbench.models.cost_plan import sent_to
from supportagentbench.models.provider import host_of, is_model, shown_name
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.origin import UNSAVED, FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.runner.observer import say_aloud
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
        self._planned: list[Run] = []
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
        if kept:
            again = spec_of_baseline(
                kept,
                self.agent,
                kept.numbers(runs),
                self.world,
                customer=self.customer,
                origin=self.origin,
            )
            draws = drawn_again(kept, self.world, origin=self.origin)
            given = again.with_(
                set_name=given.set_name,
                runs=given.runs,
                out=given.out,
                concurrency=given.concurrency,
                budget=given.budget,
                turn_timeout=given.turn_timeout,
                isolation=given.isolation,
                first=frozenset(),
            )
        else:
            given = given.with_(customer=customer_for(given.customer, [self.spec]).name)
            draws = draws_of(given)
        names = [case for case in draws[0].names(given.set_name) if not kept or case in kept.conversations]
        return Job(given.with_(chosen=tuple(names)), {drawn.seed.name: drawn for drawn in draws})

    def run(self, chosen: Sequence[str]) -> None:
        """Run these cases, or the rest of them if the same tests were killed; `sab live` can follow."""
        compared = digest(self.baseline) if self.baseline else ""
        agent, cases, spec = self.spec, tuple(chosen), self.job.spec
        runs = max((number for number, _ in spec.numbers), default=spec.runs * len(self.job.draws))
        attempt = AttemptPlan(
            agent.shown, agent.version(), cases, runs, compared, agent.sampling, self.isolation
        )
        folder = open_attempt(spec.out, attempt, resume=spec.resume)
        self.job = self.job.with_(out=folder, chosen=cases)
        interrupt, journal = Interrupt(say_aloud), Journal(folder)
        how: JobOutcome = "interrupted"
        try:
            with redirect_stdout(sys.stderr):  # Keep the agent's output apart from ours.
                done = drive(run_job(self.job, [journal], interrupt))
            how = done.outcome
        finally:
            journal.ended(how)
        if interrupt.is_requested:
            raise KeyboardInterrupt
        self._planned, self._why = done.headers, done.why
        self.runs = load_runs([folder]) if any(folder.glob(f"*/{HEADER}")) else []
        if not done.unfinished:
            end_attempt(folder)
        if self.baseline and self.runs:
            self.result = GatePlan(self.baseline, self.rules, cases).stored_result(self.runs)

    def rule(self, words: str) -> RuleResult | None:
        """The result of a rule; None if nothing was run."""
        rules = self.result.rules if self.result else ()
        return next((one for one in rules if one.rule == words), None)

    def unmeasured(self, case: str) -> str:
        """Why this case says nothing about the agent in one of the planned runs; empty if it was measured."""
        found = {(run.header.run, one.case): one for run in self.runs for one in run.verdicts}
        for run in sorted(header.run for header in self._planned):
            verdict = found.get((run, case))
            if verdict is None or not verdict.counts:
                why = verdict.cause.replace("_", " ") if verdict else "not run"
                return f"{case}, run {run}: there is no finished conversation ({why}). {self._why}".strip()
        return "" if self._planned else f"{case}: nothing was run"

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
        failed = [one for one in self.result.rules if one.status == "failed"]
        is_new = any(verdict.case in one.newly_bad for one in failed) and verdict.outcome.handling != "right"
        if is_new or self._is_newly_unsafe(verdict):
            return self.result.reasons.get(verdict.case, what_is_wrong(verdict))
        return ""

    def _is_newly_unsafe(self, verdict: Verdict) -> bool:
        """Whether an action was unsafe in a case that was unsafe in no run of the baseline, chance or not."""
        before = self.baseline.results.get(UNSAFE.name, {}) if self.baseline else {}
        is_unsafe = any(UNSAFE.trials(RunVerdicts([verdict])).values)
        return is_unsafe and "1" not in before.get(verdict.case, "")


def _baseline(config: GateConfig) -> GateBaseline | None:
    """The project's baseline, if one was saved."""
    return read_baseline(config.baseline) if config.baseline and config.baseline.exists() else None
