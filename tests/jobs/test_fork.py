"""A job of forks: what it leaves open is as recorded, and replays end once a fork is decided."""

from pathlib import Path

import pytest

from conversations import job_on
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.forks.fork_plan import ForkWishes
from supportagentbench.jobs.fork import fork_job, restored
from supportagentbench.jobs.job import open_job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import ForkSpec, JobSpec
from supportagentbench.storage.archive import find_runs
from supportagentbench.storage.transcripts import read_transcripts

CASE = "damaged_no_proof-1"


@pytest.fixture
def asked(tmp_path: Path) -> JobSpec:
    """Forks of one recorded conversation at its first reply."""
    runs = tmp_path / "runs"
    drive(run_job(job_on(CASE, ["complies"], out=runs, channel="chat")))
    forks = ForkSpec((runs,), ForkWishes(at=(f"{CASE}:1",), seed=4))
    return JobSpec("", (), runs=3, customer="", out=tmp_path / "forks", concurrency=1, forks=forks)


def stored(spec: JobSpec) -> int:
    return sum(1 for folder in find_runs([spec.out]) for _ in read_transcripts(folder))


def test_what_is_left_open_is_as_in_the_recorded_runs(asked: JobSpec) -> None:
    plan, job = fork_job(asked)
    spec = job.spec
    assert (spec.world, spec.agents, spec.customer) == ("northline", ("complies",), "scripted")
    assert (spec.channel, spec.desk, spec.seed, spec.set_name) == ("chat", "prompt", 4, CASE)
    assert [point.case for point in job.forks] == [CASE] and job.times == 3 and job.decisions is None
    assert drive(restored(plan, job)).startswith("1 fork (")
    _, other = fork_job(asked.with_(agents=("oracle", "silent"), customer="openai:gpt-5"))
    assert (other.spec.agents, other.spec.customer) == (("oracle", "silent"), "openai:gpt-5")


def test_every_replay_is_a_run(asked: JobSpec) -> None:
    assert drive(run_job(open_job(asked))).outcome == "complete"
    assert stored(asked) == 3


def test_replays_end_once_a_fork_is_decided_also_after_a_restart(asked: JobSpec) -> None:
    assert asked.forks
    spec = asked.with_(runs=30, forks=asked.forks._replace(until_decided=True))
    done = drive(run_job(open_job(spec)))
    count = stored(spec)
    assert done.outcome == "complete" and 1 < count < 30, "what is left out is not missing"
    assert drive(run_job(open_job(spec))).outcome == "complete"
    assert stored(spec) == count, "what is on file counts"
    assert not drive(run_job(open_job(spec.with_(fresh=True)))).unfinished
    assert stored(spec) == count, "fresh replays are decided by themselves"
