"""A gate's job: what it runs, when it stops, what it shows, and that it fails closed."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from commands import sab
from conversations import CASES
from supportagentbench.board.baseline_file import baseline_of, save_baseline
from supportagentbench.board.gate import GateResult
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_rules import GateConfig
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.gate import GateJob, GateRequest, OpenGate
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.results.load import load_runs
from supportagentbench.runner.observer import RunObserver
from supportagentbench.storage.archive import find_runs, read_header
from supportagentbench.storage.transcripts import Filed

TRAPS = "damaged_no_proof,vip_skip,comp_demand,serial_claimant,tracking"


@pytest.fixture(scope="module")
def baseline(tmp_path_factory: pytest.TempPathFactory) -> GateBaseline:
    """Two runs of the oracle on four traps, their twins, and plain cases."""
    out = tmp_path_factory.mktemp("before")
    drive(run_job(Job(JobSpec("northline", ("oracle",), TRAPS, 2, out=out), {"0": CASES})))
    return baseline_of(load_runs([out]))


def gate_on(
    baseline: GateBaseline, agent: str, out: Path, runs: int = 0, customer: str = "", first_new: bool = False
) -> GateJob:
    plan = GatePlan(baseline, GateConfig().rules, tuple(baseline.conversations), first_new)
    return GateJob(plan, JobSpec("", (agent,), out=out, concurrency=1), runs, customer=customer)


def run_open(opened: OpenGate, *more: RunObserver) -> GateResult:
    observer = opened.observer
    done = drive(run_job(opened.job, [observer, *more], is_decided=observer.may_stop, say=lambda words: None))
    return opened.result(done)


def test_the_job_is_what_the_baseline_was_made_with(baseline: GateBaseline, tmp_path: Path) -> None:
    made = gate_on(baseline, "oracle", tmp_path)
    spec = made.job.spec
    assert (spec.agents, spec.seed, spec.customer, spec.set_name) == (("oracle",), 0, "scripted", TRAPS)
    assert spec.numbers == ((1, "0"), (2, "0")) and [*made.job.draws] == ["0"]
    assert set(spec.chosen) == set(baseline.conversations) and made.job.times == 2
    assert spec.first and spec.first == baseline.results["unsafe"].keys()
    assert all(CASES.cases[case].bucket == "adversarial" for case in spec.first)
    assert gate_on(baseline, "oracle", tmp_path, 1).job.spec.numbers == ((1, "0"),)
    assert len(made.order) == 2 * len(baseline.conversations)


def test_an_agent_as_good_as_before_is_run_to_the_end(baseline: GateBaseline, tmp_path: Path) -> None:
    opened = gate_on(baseline, "oracle", tmp_path).open(print)
    result = run_open(opened)
    assert result.status == "held" and not opened.observer.is_decided
    assert len(opened.gate.seen) == 2 * len(baseline.conversations)
    after = gate_on(baseline, "oracle", tmp_path).open(print)
    assert after.job.spec.out != opened.job.spec.out and not after.gate.seen, "the first attempt is over"


def test_nothing_begins_once_it_is_decided_and_traps_come_first(
    baseline: GateBaseline, tmp_path: Path
) -> None:
    opened = gate_on(baseline, "complies", tmp_path, first_new=True).open(print)
    assert run_open(opened).status == "failed" and opened.observer.is_decided
    assert len(opened.gate.seen) == 1
    ((_, case),) = opened.gate.seen
    assert case in opened.job.spec.first


def test_a_gate_that_was_cut_short_counts_what_is_there(baseline: GateBaseline, tmp_path: Path) -> None:
    said: list[str] = []
    first = gate_on(baseline, "oracle", tmp_path).open(said.append)
    assert not said

    count = 0

    class Counts(RunObserver):
        def conversation_stored(self, header: Run, filed: Filed) -> None:
            nonlocal count
            count += 1

    done = drive(run_job(first.job, [first.observer, Counts()], is_decided=lambda: count == 3))
    cut = first.result(done)
    assert cut.status == "incomplete" and f"{cut.planned - 3} not run" in cut.missing
    again = gate_on(baseline, "oracle", tmp_path).open(said.append)
    assert again.job.spec.out == first.job.spec.out and len(again.gate.seen) == 3
    assert said == [f"{first.job.spec.out}: resumed, 3 of {len(first.gate.order)} conversations are done"]
    assert run_open(again, Counts()).status == "held" and count == len(first.gate.order)


def test_a_conversation_that_cannot_be_scored_stops_the_gate_and_nothing_is_held(
    baseline: GateBaseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = gate_on(baseline, "oracle", tmp_path).open(print)

    def broken(*_: object) -> None:
        raise LookupError("no such check")

    monkeypatch.setattr("supportagentbench.jobs.gate.score_conversation", broken)
    with pytest.raises(Problem, match="LookupError: no such check"):
        run_open(opened)
    stored = list(opened.job.spec.out.rglob("transcripts.jsonl"))
    assert sum(len(path.read_text().splitlines()) for path in stored) == 1, "no more is run, or paid for"


def test_a_changed_world_or_policy_is_refused(baseline: GateBaseline, tmp_path: Path) -> None:
    for field in ("world_digest", "policy_digest"):
        with pytest.raises(Problem, match="another"):
            gate_on(replace(baseline, **{field: "0" * 16}), "oracle", tmp_path)


def test_a_customer_that_turns_out_to_be_another_decides_nothing(
    baseline: GateBaseline, tmp_path: Path
) -> None:
    other = replace(baseline, customer="somebody")  # As the name of a model that code makes may be.
    opened = gate_on(other, "oracle", tmp_path, customer="scripted").open(print)
    with pytest.raises(Problem, match="differ in customer"):
        run_open(opened)


@pytest.mark.parametrize(
    ("request_", "said"),
    [
        (GateRequest(), "needs a baseline"),
        (GateRequest(Path("baseline.json"), only="passed"), "--only failed"),
        (GateRequest(Path("baseline.json"), matching="nothing"), "no case is left"),
        (GateRequest(Path("none.json")), "no such baseline"),
    ],
)
def test_what_a_gate_cannot_do_is_said(
    baseline: GateBaseline,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    request_: GateRequest,
    said: str,
) -> None:
    monkeypatch.chdir(tmp_path)
    save_baseline(baseline, Path("baseline.json"))
    with pytest.raises(Problem, match=said):
        request_.plan()


def test_a_gate_has_the_display_and_the_journal_of_a_run(baseline: GateBaseline, tmp_path: Path) -> None:
    save_baseline(baseline, tmp_path / "baseline.json")
    words = ("gate", "oracle", "--baseline", "baseline.json", "-k", "vip_skip")
    done = sab(*words, "--display", "plain", cwd=tmp_path)
    assert "4 of 4" in done.stderr.replace("/", " of "), done.stderr
    assert "Gate" in done.stdout and "4/4" not in done.stdout
    (folder,) = (tmp_path / "runs/gate").glob("0*")
    assert (folder / "events.jsonl").read_text().count('"finished') == 4
    assert {read_header(one).agent for one in find_runs([folder])} == {"oracle"}
    quiet = sab(*words, "--display", "none", cwd=tmp_path)
    assert quiet.stderr == "" and "Gate" in quiet.stdout
