"""A gate's job: what it runs, when it stops, what it shows, and that it fails closed."""

from datetime import date
from pathlib import Path
from shutil import copytree

import pytest
from msgspec.structs import replace

from commands import sab
from conversations import CASES
from filed import FEW, file_run, solved
from supportagentbench.agents.resolve import resolve
from supportagentbench.board.baseline_file import baseline_of, save_baseline
from supportagentbench.board.gate_plan import GatePlan
from supportagentbench.board.gate_result import GateResult
from supportagentbench.board.gate_rules import GateConfig
from supportagentbench.board.standings import make_board
from supportagentbench.concurrency.event_loop import drive
from supportagentbench.jobs.gate import (
    GateJob,
    GateObserver,
    GateRequest,
    OpenGate,
    age,
    spent_in,
    unknown_changes,
)
from supportagentbench.jobs.job import Job
from supportagentbench.jobs.run import JobResult, run_job
from supportagentbench.jobs.spec import JobSpec
from supportagentbench.records.baseline import GateBaseline
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.usage import Usage
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
    baseline: GateBaseline,
    agent: str,
    out: Path,
    customer: str = "",
    first_new: bool = False,
    before: str = "",
    budget: float | None = None,
) -> GateJob:
    plan = GatePlan(baseline, GateConfig().rules, tuple(baseline.conversations), first_new)
    spec = JobSpec("", (agent,), out=out, concurrency=1, budget=budget)
    return GateJob(plan, spec, customer=customer, before=before)


def play(opened: OpenGate, *more: RunObserver, most: int = 10_000) -> GateResult:
    """Run a gate; after so many conversations, nothing new begins."""
    count = 0

    class Counts(RunObserver):
        def conversation_stored(self, header: Run, filed: Filed) -> None:
            nonlocal count
            count += 1

    def run(job: Job, observer: GateObserver, about: str) -> JobResult:
        work = run_job(
            job,
            [observer, Counts(), *more],
            is_decided=lambda: count >= most or observer.may_stop(),
            say=lambda words: None,
        )
        return drive(work)

    return opened.play(run)


def conversations(folder: Path) -> int:
    return sum(len(path.read_text().splitlines()) for path in folder.rglob("transcripts.jsonl"))


def test_the_job_is_what_the_baseline_was_made_with(baseline: GateBaseline, tmp_path: Path) -> None:
    made = gate_on(baseline, "oracle", tmp_path)
    spec = made.job.spec
    assert (spec.agents, spec.seed, spec.customer, spec.set_name) == (("oracle",), 0, "scripted", TRAPS)
    assert [*made.job.draws] == ["0"] and set(spec.chosen) == set(baseline.conversations)
    assert spec.first and spec.first == baseline.results["unsafe"].keys()
    assert all(CASES.cases[case].bucket == "adversarial" for case in spec.first)
    whole, repeated = made.parts
    assert whole.spec.numbers == ((1, "0"),) and repeated.spec.numbers == ((2, "0"), (3, "0"))
    assert set(repeated.spec.chosen) == spec.first and whole.spec.chosen == spec.chosen


def test_an_agent_as_good_as_before_is_run_to_the_end(baseline: GateBaseline, tmp_path: Path) -> None:
    opened = gate_on(baseline, "oracle", tmp_path).open(print)
    result = play(opened)
    assert result.status == "held", result
    assert result.conversations == len(baseline.conversations) + 2 * 4 == conversations(opened.job.spec.out)
    headers = [read_header(one) for one in find_runs([opened.job.spec.out, opened.job.spec.out / "traps"])]
    assert {(one.set, one.run, len(one.cases)) for one in headers} == {
        (TRAPS, 1, len(baseline.conversations)),
        ("traps", 2, 4),
        ("traps", 3, 4),
    }
    after = gate_on(baseline, "oracle", tmp_path).open(print)
    assert after.job.spec.out != opened.job.spec.out and not after.gate.data.seen, "the first one is over"


def test_runs_that_repeat_only_some_cases_are_on_no_board_with_whole_ones(
    baseline: GateBaseline, tmp_path: Path
) -> None:
    out = gate_on(baseline, "oracle", tmp_path).open(print)
    play(out)
    folder = out.job.spec.out
    assert len(make_board(load_runs([folder])).agents) == 1
    with pytest.raises(Problem, match="differ in set"):
        make_board(load_runs([folder, folder / "traps"]))


def test_nothing_begins_once_it_is_decided_and_traps_come_first(
    baseline: GateBaseline, tmp_path: Path
) -> None:
    opened = gate_on(baseline, "complies", tmp_path, first_new=True).open(print)
    assert play(opened).status == "failed" and conversations(opened.job.spec.out) == 1
    ((_, case),) = opened.gate.data.seen
    assert case in opened.job.spec.first


@pytest.fixture(scope="module")
def whole(baseline: GateBaseline, tmp_path_factory: pytest.TempPathFactory) -> tuple[GateResult, Path]:
    """A gate that was not cut short: ten reruns of one trap, and its folder."""
    opened = gate_on(mostly_unsafe(baseline), "complies", tmp_path_factory.mktemp("whole")).open(print)
    return play(opened), opened.job.spec.out


@pytest.mark.parametrize("after", [3, 12, 17])
def test_a_killed_gate_goes_on_where_it_stopped_and_ends_as_if_it_had_not(
    baseline: GateBaseline, whole: tuple[GateResult, Path], tmp_path: Path, after: int
) -> None:
    """Cut in the first pass, between batches, and among the reruns: no conversation is held twice."""
    said: list[str] = []
    first = gate_on(mostly_unsafe(baseline), "complies", tmp_path).open(said.append)
    assert not said and play(first, most=after).status == "incomplete"
    assert conversations(first.job.spec.out) == after
    again = gate_on(mostly_unsafe(baseline), "complies", tmp_path).open(said.append)
    assert again.job.spec.out == first.job.spec.out and "resumed" in said[0]
    result, folder = whole
    assert replace(play(again), folder=result.folder) == result
    assert result.status == "stopped" and result.reruns == 10
    assert conversations(first.job.spec.out) == conversations(folder)


def mostly_unsafe(baseline: GateBaseline) -> GateBaseline:
    """The baseline of an agent that was unsafe in all traps but one, which was run once."""
    traps = sorted(baseline.results["unsafe"])
    letters = {case: "11" if at else "0-" for at, case in enumerate(traps)}
    nothing = dict.fromkeys(baseline.conversations, ("x", "x"))
    elsewhere = dict.fromkeys(baseline.results["unsafe_elsewhere"], "11")
    results = {**baseline.results, "unsafe": letters, "unsafe_elsewhere": elsewhere}
    return replace(baseline, results=results, conversations=nothing)


def test_an_earlier_version_is_run_where_the_baseline_would_decide(
    baseline: GateBaseline, tmp_path: Path
) -> None:
    opened = gate_on(mostly_unsafe(baseline), "complies", tmp_path, before="oracle").open(print)
    result = play(opened)
    (tried,) = [one for one in result.rules[0].suspects if one.reruns[1]]
    assert result.status == "failed" and (tried.before, tried.reruns) == ((0, 10), (5, 5))
    headers = [read_header(one) for one in find_runs([opened.job.spec.out / "before"])]
    assert {one.agent for one in headers} == {"oracle"} and {one.set for one in headers} == {"reruns"}
    other = gate_on(mostly_unsafe(baseline), "complies", tmp_path, before="silent").open(print)
    assert other.job.spec.out != opened.job.spec.out


def test_one_budget_pays_for_all_batches(
    baseline: GateBaseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = gate_on(baseline, "oracle", tmp_path, budget=5.0).open(print)
    monkeypatch.setattr("supportagentbench.jobs.gate.spent_in", lambda folder: 1.5 * (folder.name == "traps"))
    budgets: dict[str, float | None] = {}

    def run(job: Job, observer: GateObserver, about: str) -> JobResult:
        budgets[job.spec.out.name] = job.spec.budget
        return drive(run_job(job, [observer], is_decided=observer.may_stop))

    opened.play(run)
    assert budgets == {"0001": 3.5, "traps": 5.0}


def test_what_runs_have_cost_is_read_from_them(tmp_path: Path) -> None:
    assert spent_in(tmp_path / "none") == 0
    usage = (Usage("some-model", input=100, output=20, cost=0.25, cost_by="table"),)
    talks = [solved(case) for case in FEW[:2]]
    paid = [replace(one, turns=tuple(replace(turn, usage=usage) for turn in one.turns)) for one in talks]
    file_run(tmp_path, "mine", 1, paid)
    assert spent_in(tmp_path) == pytest.approx(0.25 * sum(len(one.turns) for one in talks))


def test_a_conversation_that_cannot_be_scored_stops_the_gate_and_nothing_is_held(
    baseline: GateBaseline, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened = gate_on(baseline, "oracle", tmp_path).open(print)

    def broken(*_: object) -> None:
        raise LookupError("no such check")

    monkeypatch.setattr("supportagentbench.jobs.gate.score_conversation", broken)
    with pytest.raises(Problem, match="LookupError: no such check"):
        play(opened)
    assert conversations(opened.job.spec.out) == 1, "no more is run, or paid for"


def test_conversations_that_the_gate_did_not_see_do_not_count(
    baseline: GateBaseline, whole: tuple[GateResult, Path], tmp_path: Path
) -> None:
    """Code that can write files may file reruns before they begin: the gate is incomplete, not green."""
    opened = gate_on(mostly_unsafe(baseline), "complies", tmp_path).open(print)

    class Forges(RunObserver):
        def conversation_stored(self, header: Run, filed: Filed) -> None:
            if not (place := opened.job.spec.out / "reruns").exists():
                copytree(whole[1] / "reruns", place)

    found = play(opened, Forges())
    assert found.status == "incomplete" and "5 of 5 reruns are missing" in found.missing


def test_what_may_have_changed_besides_the_code_is_said(baseline: GateBaseline) -> None:
    oracle, model = resolve("oracle"), resolve("openai:gpt-5.4")
    assert not [*unknown_changes(baseline, oracle)]
    (other,) = unknown_changes(replace(baseline, package="0.1"), oracle)
    assert "made by version 0.1" in other
    (unknown,) = unknown_changes(baseline, model)
    assert "whether its provider changed it" in unknown
    (moved,) = unknown_changes(replace(baseline, hosts={"agent": "elsewhere.example"}), model)
    assert "was at elsewhere.example" in moved
    assert not [*age(baseline, date(2026, 1, 1))]
    old = replace(baseline, made=date(2026, 1, 1))
    assert not [*age(old, date(2026, 1, 20))] and "59 days" in next(age(old, date(2026, 3, 1)))


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
        play(opened)


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
    assert "2 of 2" in done.stderr.replace("/", " of "), done.stderr
    assert "Gate" in done.stdout and "2/2" not in done.stdout
    (folder,) = (tmp_path / "runs/gate").glob("0*")
    assert (folder / "events.jsonl").read_text().count('"finished') == 2
    assert {read_header(one).agent for one in find_runs([folder])} == {"oracle"}
    quiet = sab(*words, "--display", "none", cwd=tmp_path)
    assert quiet.stderr == "" and "Gate" in quiet.stdout
