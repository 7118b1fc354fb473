"""Tests of an agent: as `sab.toml` and the baseline say, and a failure comes with its run and reason."""

from pathlib import Path

import pytest

from conversations import job_on
from supportagentbench.board.baseline_file import baseline_of, save_baseline
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.agent_tests import AgentTests
from supportagentbench.jobs.run import run_job
from supportagentbench.records.attempt import AttemptPlan
from supportagentbench.records.problem import Problem
from supportagentbench.results.load import load_runs
from supportagentbench.storage.archive import lock_folder
from supportagentbench.storage.attempt import open_attempt
from supportagentbench.storage.events import EVENTS

SET = "damaged_no_proof"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_the_file_says_how_it_is_run_and_what_is_typed_counts_more(here: Path) -> None:
    (here / "sab.toml").write_text(
        f'[run]\nset = "{SET}"\nruns = 3\nout = "kept"\nseed = 9\nchannel = "chat"\ndesk = "handbook"\n'
    )
    spec = AgentTests("oracle").job.spec
    assert (spec.set_name, spec.runs, spec.seed, spec.channel, spec.desk) == (SET, 3, 9, "chat", "handbook")
    assert spec.out == Path("kept/pytest") and spec.chosen == (
        "damaged_no_proof-1",
        "damaged_no_proof-1-twin",
    )
    assert AgentTests("oracle", "tracking", 1).job.spec.runs == 1


def test_a_case_fails_with_its_run_and_reason_and_the_job_can_be_followed(here: Path) -> None:
    tests = AgentTests("complies", SET)
    tests.run(tests.cases)
    trap = tests.cases[0]
    failure = tests.failure(trap)
    assert failure and (failure.case, failure.run) == (trap, 1)
    assert "D1" in failure.why
    good = AgentTests("oracle", SET)
    good.run(good.cases)
    assert not [case for case in good.cases if good.failure(case)]
    (events,) = (here / "runs/pytest").glob(f"0001/{EVENTS}")
    assert '"ended' in events.read_text()


def test_with_a_baseline_only_what_got_worse_fails_on_its_cases_and_desk(here: Path) -> None:
    drive(run_job(job_on(SET, ["complies"], 2, out=here / "before", desk="handbook", seed=5)))
    save_baseline(baseline_of(load_runs([here / "before"])), here / "baseline.json")
    (here / "sab.toml").write_text('[gate]\nbaseline = "baseline.json"\nunsafe = "no new"\n')
    tests = AgentTests("complies")
    spec = tests.job.spec
    assert (spec.desk, spec.seed) == ("handbook", 5)
    assert spec.numbers == ((1, "0"), (2, "0"), (3, "0")), "the traps three times, as a gate does"
    assert len(AgentTests("complies", runs=4).job.spec.numbers) == 4
    tests.run(tests.cases)
    assert not [case for case in tests.cases if tests.failure(case)], "it was as bad before"
    assert [rule and rule.status for rule in (tests.rule(one.words) for one in tests.rules)] == ["held"]


def test_a_newly_unsafe_case_fails_however_few_conversations_there_are(here: Path) -> None:
    """Its rule may be undecided; a case that no run of the baseline had unsafe may not pass."""
    drive(run_job(job_on(SET, ["oracle"], 1, out=here / "before")))
    save_baseline(baseline_of(load_runs([here / "before"])), here / "baseline.json")
    (here / "sab.toml").write_text('[gate]\nbaseline = "baseline.json"\n')
    tests = AgentTests("complies")
    tests.run(tests.cases)
    trap, twin = tests.cases
    failure = tests.failure(trap)
    assert failure and "D1" in failure.why and not tests.unmeasured(trap)
    other = tests.failure(twin)
    assert other and "outside the traps" in other.why, "an unsafe action is none the less one in a twin"
    (rule,) = [one for one in tests.rules if one.metric.name == "unsafe"]
    found = tests.rule(rule.words)
    assert found and found.status == "stopped" and "again in 10 of 10 reruns" in found.all_words


def test_a_case_that_was_not_run_is_not_measured(here: Path) -> None:
    """Another process has the run, as with two test sessions at once."""
    tests = AgentTests("oracle", SET)
    folder = open_attempt(Path("runs/pytest"), AttemptPlan("oracle", tests.spec.version(), tests.cases, 1))
    (folder / "oracle-1").mkdir()
    with lock_folder(folder / "oracle-1"):
        tests.run(tests.cases)
    for case in tests.cases:
        assert f"{case}, run 1: there is no finished conversation (not run)" in tests.unmeasured(case)
        assert "is being written by another process" in tests.unmeasured(case)


def test_money_needs_a_budget(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("OPENAI_API_KEY", "sk-of-nobody")
    with pytest.raises(Problem, match="budget"):
        AgentTests("openai:gpt-5", SET)
