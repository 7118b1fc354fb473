"""Baseline job: runs an agent as a baseline needs it: every case once, and the traps ten times."""

from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path
from typing import NamedTuple

from supportagentbench.agents.resolve import resolve
from supportagentbench.board.baseline_file import TRAPS_ONLY, baseline_of
from supportagentbench.board.first_pass import BASELINE_RUNS
from supportagentbench.customer.choice import AUTO
from supportagentbench.jobs.gate import part_of_job, spent_in
from supportagentbench.jobs.job import Job, open_job
from supportagentbench.jobs.run import JobResult
from supportagentbench.jobs.spec import JobSpec, spec_of_config
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.results.load import load_runs
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.attempt import end_attempt, open_attempt
from supportagentbench.storage.config import read_config
from supportagentbench.storage.git_file import GitFile
from supportagentbench.storage.transcripts import read_transcripts
from supportagentbench.worlds import DEFAULT_WORLD

RunPart = Callable[[Job, str], JobResult]
"""Runs a part of the job and shows it; the words say what it is."""


class BaselineJob(NamedTuple):
    """An agent that is run to become the baseline of gates."""

    job: Job
    whole: dict[int, tuple[str, ...]]
    """The cases of the first run of each draw: all."""
    repeated: dict[int, tuple[str, ...]]
    """The cases of the others: the traps."""
    draws: dict[int, str]

    @classmethod
    def of(cls, spec: JobSpec) -> "BaselineJob":
        """The runs of a spec with one agent, a customer and a folder."""
        job = open_job(spec)
        names = job.cases.names(spec.set_name)
        cases = job.cases.cases
        traps = tuple(one for one in names if cases[one].bucket == "adversarial" and not cases[one].twin_of)
        whole, repeated, draws = {}, {}, {}
        for at, draw in enumerate(job.draws):
            for number in range(1, (BASELINE_RUNS if traps else 1) + 1):
                run = at * BASELINE_RUNS + number
                draws[run] = draw
                if number == 1:
                    whole[run] = names
                else:
                    repeated[run] = traps
        return cls(job.with_(chosen=names), whole, repeated, draws)

    @property
    def parts(self) -> list[Job]:
        """Its jobs, for an estimate of their cost."""
        return [part_of_job(self.job, runs, self.draws) for runs in (self.whole, self.repeated) if runs]

    def open(self) -> Path:
        """The folder of a baseline that was cut short, or a new one."""
        spec, agent = self.job.spec, resolve(self.job.spec.agents[0])
        plan = AttemptPlan(
            agent.shown,
            agent.version(),
            self.job.spec.chosen,
            len(self.draws),
            sampling=agent.sampling,
            isolation=agent.isolation_in(spec.isolation),
        )
        return open_attempt(spec.out, plan, resume=spec.resume)

    def play(self, folder: Path, run: RunPart) -> JobResult:
        """Run both parts; the last result tells whether anything is missing."""
        parts = [
            ("", self.whole, "", "every case"),
            (TRAPS_ONLY, self.repeated, TRAPS_ONLY, "the traps, repeated"),
        ]
        for name, runs, part, about in parts:
            if runs:
                made = part_of_job(self.job, runs, self.draws).with_(
                    out=folder / name, part=part, resume=True, budget=self._left(folder, name)
                )
                done = run(made, about)
                if done.unfinished or done.paused:
                    return done
        end_attempt(folder)
        return done

    def _left(self, folder: Path, name: str) -> float | None:
        """Dollars that the other part has left of the budget."""
        budget, others = self.job.spec.budget, {"", TRAPS_ONLY} - {name}
        return None if budget is None else max(0.0, budget - sum(spent_in(folder / one) for one in others))


def spec_of_saved(asked: JobSpec, config: Path | GitFile, case_seeds: str = "") -> JobSpec:
    """What an agent is run on to become a baseline: as `sab run` would, by the settings in this file."""
    (agent,), given = asked.agents, read_config(config).run
    set_up = spec_of_config(given, asked.world or DEFAULT_WORLD, agent, asked.customer)
    is_open = not asked.customer and given.customer is None
    return set_up.with_(
        customer=AUTO if is_open else set_up.customer,
        case_seeds=case_seeds or set_up.case_seeds,
        out=asked.out,
        runs=1,
        concurrency=asked.concurrency,
        budget=asked.budget,
        isolation=asked.isolation,
        turn_timeout=asked.turn_timeout,
        resume=asked.resume,
        private_seed=asked.private_seed,
    )


def saved_baseline(folders: list[Path]) -> GateBaseline:
    """The baseline of one agent's runs on file; traps that were repeated are found below them."""
    parts = [folder / TRAPS_ONLY for folder in folders if (folder / TRAPS_ONLY).is_dir()]
    found = find_runs([*folders, *parts])
    return baseline_of(load_runs(found), max(map(_day, found)))


def _day(folder: Path) -> date:
    started = max((filed.started for filed in read_transcripts(folder)), default=0.0)
    return datetime.fromtimestamp(started, UTC).date()
