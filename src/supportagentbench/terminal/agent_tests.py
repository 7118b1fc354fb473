"""Agent tests: an agent's conversations as tests, run as one job; each failure comes with what was said."""

import io
import shlex
import sys
from collections.abc import Sequence
from contextlib import redirect_stdout
from pathlib import Path

from msgspec.structs import replace

from supportagentbench.agents.resolve import resolve
from supportagentbench.board.baseline_file import read_baseline
from supportagentbench.board.gate import GateResult, RuleResult
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_rules import GateConfig, read_gate_config
from supportagentbench.board.run_diff import what_is_wrong
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.concurrency.interrupt import Interrupt
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.jobs.customer import customer_for
from supportagentbench.models.provider import is_model
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun, load_runs
from supportagentbench.results.search import find_talk
from supportagentbench.runner.hired_agent import TURN_TIMEOUT
from supportagentbench.runner.job import Job, run_job
from supportagentbench.storage.attempt import end_attempt, open_attempt
from supportagentbench.storage.config import read_config
from supportagentbench.terminal.console import EscapingConsole
from supportagentbench.terminal.conversation import show_conversation
from supportagentbench.terminal.gate_job import drawn_again
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import read_world
from supportagentbench.world.seed import numbered_seeds
from supportagentbench.worlds import DEFAULT_WORLD

OUT = "pytest"
"""Folder of the runs, below that of all runs."""

WIDTH = 100


class AgentTests:
    """One agent and its cases; nothing is run before `run`.

    Without a baseline a case fails if it is not handled correctly. With one, only what a rule of the gate
    says has got worse does.
    """

    def __init__(self, agent: str, set_name: str = "", runs: int = 0) -> None:
        defaults, config = read_config().run, read_gate_config()
        self.agent, self.spec = agent, resolve(agent)
        self.baseline = _baseline(config)
        self.rules = config.rules if self.baseline else ()
        self.job = self._job(set_name or defaults.set or "all", runs or defaults.runs or 0)
        if self.job.budget is None and (self.spec.model or is_model(self.job.customer)):
            raise Problem("this spends money; set `budget` under [run] in sab.toml.")
        self.spec.check()  # What does not exist is named before anything is run.
        self.runs: list[ScoredRun] = []
        self.result: GateResult | None = None
        self.paused: list[str] = []

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases to test."""
        return self.job.chosen

    def _job(self, set_name: str, runs: int) -> Job:
        given, kept = read_config().run, self.baseline
        drawn, *more = drawn_again(kept) if kept else _drawn(str(given.case_seed or 0))
        names = [case for case in drawn.names(set_name) if not kept or case in kept.conversations]
        asked = given.customer or ScriptedVoice.name
        return Job(
            drawn,
            set_name,
            [self.agent],
            runs=runs or 1,
            more_draws=tuple(more),
            numbers=kept.numbers(runs) if kept else {},
            seed=kept.seed if kept else given.seed or 0,
            customer=kept.customer if kept else self._customer(asked),
            out=Path(given.out or "runs") / OUT,
            concurrency=given.concurrency or 8,
            budget=given.budget,
            channel=kept.channel if kept else given.channel or "email",
            chosen=tuple(names),
            turn_timeout=given.turn_timeout or TURN_TIMEOUT,
        )

    def _customer(self, asked: str) -> str:
        return customer_for(asked, [self.spec]).name

    def run(self, chosen: Sequence[str]) -> None:
        """Run these cases, or what is left of them if the same tests were killed."""
        compared = digest(self.baseline) if self.baseline else ""
        version, cases = self.spec.version(), tuple(chosen)
        runs = max(self.job.numbers, default=self.job.runs * len(self.job.draws))
        folder = open_attempt(self.job.out, AttemptPlan(self.agent, version, cases, runs, compared))
        self.job = self.job._replace(out=folder, chosen=cases)
        interrupt = Interrupt(lambda words: print(words, file=sys.stderr))
        with redirect_stdout(sys.stderr):  # What an agent prints is none of our output.
            done = drive(run_job(self.job, interrupt=interrupt))
        if interrupt.is_requested:
            raise KeyboardInterrupt
        self.paused, self.runs = done.paused, load_runs([folder])
        if not done.unfinished:
            end_attempt(folder)
        if self.baseline:
            self.result = GatePlan(self.baseline, self.rules, cases).stored_result(self.runs)

    def rule(self, words: str) -> RuleResult:
        """What became of a rule."""
        assert self.result
        return next(one for one in self.result.rules if one.rule == words)

    def failure(self, case: str) -> str:
        """Why a case fails, with the conversation; empty: it passes."""
        for run in self.runs:
            found = next((one for one in run.verdicts if one.case == case), None)
            if found is None or not found.counts:
                why = found.cause if found else " ".join(self.paused) or "it was not run"
                return f"{case}, run {run.header.run}: there is no finished conversation: {why}"
        for run in self.runs:
            for verdict in run.verdicts:
                if verdict.case == case and (why := self._wrong(verdict)):
                    return f"{case}, run {run.header.run}: {why}\n\n{self._words(run, case)}"
        return ""

    def _wrong(self, verdict: Verdict) -> str:
        if self.result is None:
            return what_is_wrong(verdict) if verdict.outcome.handling in ("unsafe", "wrong") else ""
        failed = [one for one in self.result.rules if one.status == "failed"]
        is_new = any(verdict.case in one.newly_bad for one in failed)
        return (
            self.result.reasons.get(verdict.case, "newly bad")
            if is_new and verdict.outcome.handling != "right"
            else ""
        )

    def _words(self, run: ScoredRun, case: str) -> str:
        written = io.StringIO()
        console = EscapingConsole(file=written, width=WIDTH, no_color=True)
        found = find_talk(self.job.out, case, run=run.header.run)
        bare = found._replace(verdict=replace(found.verdict, findings=()), judgements=())
        show_conversation(console, bare)
        place = shlex.quote(str(self.job.out))
        return f"{written.getvalue()}\nAll findings: sab show {place} {case} --run {run.header.run}"


def _baseline(config: GateConfig) -> GateBaseline | None:
    """The project's baseline, once it is saved."""
    return read_baseline(config.baseline) if config.baseline and config.baseline.exists() else None


def _drawn(case_seeds: str) -> list[DrawnCases]:
    world = read_world(DEFAULT_WORLD)
    return [generate(world, seed) for seed in numbered_seeds(case_seeds)]
