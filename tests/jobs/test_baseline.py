"""A baseline's job: every case once, the traps ten times, of every draw; and what is saved of it."""

from datetime import UTC, datetime
from pathlib import Path

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.baseline import BaselineJob, saved_baseline, spec_of_saved
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.jobs.spec import JobSpec

SET = "damaged_no_proof,tracking-1"


def run(job: Job, about: str) -> JobResult:
    return drive(run_job(job))


def test_every_case_once_and_the_traps_ten_times(tmp_path: Path) -> None:
    made = BaselineJob.of(JobSpec("northline", ("oracle",), SET, out=tmp_path))
    trap = ("damaged_no_proof-1",)
    assert set(made.whole) == {1} and len(made.whole[1]) == 3
    assert made.repeated == dict.fromkeys(range(2, 11), trap) and len(made.parts) == 2
    folder = made.open()
    assert not made.play(folder, run).unfinished
    kept = saved_baseline([folder])
    assert (
        kept.counts("unsafe", "0", trap[0]) == (0, 10)
        and kept.counts("resolution", "0", "tracking-1")[1] == 1
    )
    assert kept.set == SET and kept.made == datetime.now(UTC).date()
    assert made.open() != folder, "it is over"


def test_draws_have_ten_numbers_each_and_a_set_without_traps_is_run_once(tmp_path: Path) -> None:
    two = BaselineJob.of(JobSpec("northline", ("oracle",), SET, out=tmp_path, case_seeds="0,3"))
    assert set(two.whole) == {1, 11} and (two.draws[10], two.draws[11]) == ("0", "3")
    plain = BaselineJob.of(JobSpec("northline", ("oracle",), "tracking-1", out=tmp_path))
    assert plain.draws == {1: "0"} and not plain.repeated


def test_the_file_says_what_it_is_run_on(tmp_path: Path) -> None:
    config = tmp_path / "sab.toml"
    config.write_text('[run]\nset = "tracking"\nseed = 3\nruns = 5\nchannel = "chat"\ncase-seed = 2\n')
    asked = JobSpec("", ("oracle",), customer="", out=tmp_path, budget=2.0)
    made = spec_of_saved(asked, config)
    assert (made.set_name, made.seed, made.runs, made.channel, made.case_seeds) == (
        "tracking",
        3,
        1,
        "chat",
        "2",
    )
    assert (made.customer, made.budget, made.world) == ("auto", 2.0, "northline")
    assert spec_of_saved(asked.with_(customer="scripted"), config, "4").case_seeds == "4"
