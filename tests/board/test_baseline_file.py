"""A baseline: saved from whole runs, read back unchanged, and refused where it does not fit."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from boards import planted, verdict
from supportagentbench.board.baseline_file import (
    baseline_of,
    check_fits,
    read_baseline,
    save_baseline,
    with_draws,
)
from supportagentbench.records.problem import Problem


def test_results_are_kept_by_metric_case_and_run() -> None:
    found = baseline_of([planted("a", 2), planted("a", 1, unsafe=1)])
    assert found.runs == (1, 2)
    assert found.results["unsafe"]["trap0-1"] == "10" and found.results["unsafe"]["trap1-1"] == "00"
    assert found.result("unsafe", "trap0-1", 1) is True and found.result("unsafe", "trap0-1", 2) is False
    assert found.result("unsafe", "trap0-1", 3) is found.result("unsafe", "intent0-1", 1) is None
    assert found.counts("unsafe", "0", "trap0-1") == (1, 2) and found.counts("unsafe", "0", "trap1-1") == (
        0,
        2,
    )
    assert found.counts("unsafe", "1", "trap0-1") == found.counts("unsafe", "0", "intent0-1") == (0, 0)
    assert found.digest_of("trap0-1", 2) == "trap0-1/2" and found.digest_of("nothing", 1) == ""


def test_runs_that_repeat_the_traps_count_with_the_whole_one_and_say_nothing_of_other_cases() -> None:
    whole, more = planted("a", 1, unsafe=1), planted("a", 2)
    traps = [one for one in more.verdicts if one.bucket == "adversarial"]
    header = replace(more.header, set="traps", cases=tuple(one.case for one in traps))
    found = baseline_of([more._replace(header=header, verdicts=traps), whole])
    assert found.set == whole.header.set and found.counts("unsafe", "0", "trap0-1") == (1, 2)
    assert found.results["over_escalation"]["intent0-1"] == "0-" and found.digest_of("intent0-1", 2) == ""
    with pytest.raises(Problem, match="differ in set"):
        baseline_of([whole, more._replace(header=replace(more.header, set="core"))])


def test_unsafe_actions_outside_the_traps_are_kept_as_well() -> None:
    run = planted("a")
    bad = verdict("intent0-1", "resolvable", resolved=True, unsafe=True)
    twin = verdict("trap0-1-twin", "resolvable", "trap0-1", resolved=True, unsafe=None)
    changed = {one.case: one for one in (bad, twin)}
    found = baseline_of([run._replace(verdicts=[changed.get(one.case, one) for one in run.verdicts])])
    letters = found.results["unsafe_elsewhere"]
    assert letters["intent0-1"] == "1" and letters["kind0-1"] == letters["trap1-1-twin"] == "0"
    assert "trap0-1" not in letters and "trap0-1-twin" not in letters


def test_it_is_read_back_as_it_was_saved(tmp_path: Path) -> None:
    made = baseline_of([planted("a")])
    save_baseline(made, tmp_path / "new" / "baseline.json")
    assert read_baseline(tmp_path / "new" / "baseline.json") == made


def test_runs_of_two_agents_or_unfinished_runs_are_no_baseline() -> None:
    with pytest.raises(Problem, match="of one agent, and here are a, b"):
        baseline_of([planted("a"), planted("b")])
    run = planted("a")
    with pytest.raises(Problem, match="would lack 2 conversations"):
        baseline_of([run._replace(verdicts=run.verdicts[2:])])


@pytest.mark.parametrize("data", [b"", b"{}", b"[1]", b"\xff", b'{"record":"baseline/1"}'])
def test_anything_else_is_no_baseline(tmp_path: Path, data: bytes) -> None:
    (tmp_path / "b.json").write_bytes(data)
    with pytest.raises(Problem, match="is not a baseline"):
        read_baseline(tmp_path / "b.json")


def test_results_that_do_not_fit_the_runs_are_refused(tmp_path: Path) -> None:
    made = baseline_of([planted("a")])
    for letters in ("00", "x", ""):
        save_baseline(replace(made, results={"unsafe": {"trap0-1": letters}}), tmp_path / "b.json")
        with pytest.raises(Problem, match="do not fit"):
            read_baseline(tmp_path / "b.json")


def test_a_missing_baseline_is_named_with_the_command_that_makes_one(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="sab gate AGENT --save"):
        read_baseline(tmp_path / "none.json")


@pytest.mark.parametrize(
    "field", ["world_digest", "policy_digest", "case_seed", "customer", "channel", "desk"]
)
def test_a_run_with_another_world_or_customer_does_not_fit(field: str) -> None:
    made, header = baseline_of([planted("a")]), planted("b").header
    check_fits(made, header)
    with pytest.raises(Problem, match=f"differ in {field}"):
        check_fits(
            replace(made, **{field: {"channel": "chat", "desk": "handbook"}.get(field, "other")}), header
        )


def test_a_baseline_of_several_draws_knows_the_draw_of_each_run(tmp_path: Path) -> None:
    runs = [planted("a", run, unsafe=run) for run in (1, 2, 3, 4)]
    runs = [run._replace(header=replace(run.header, case_seed="01"[at // 2])) for at, run in enumerate(runs)]
    save_baseline(baseline_of(runs), tmp_path / "b.json")
    made = read_baseline(tmp_path / "b.json")
    assert made.numbers() == {1: "0", 2: "0", 3: "1", 4: "1"}
    assert made.numbers(1) == {1: "0", 3: "1"}
    check_fits(made, runs[3].header)
    with pytest.raises(Problem, match="differ in case_seed"):
        check_fits(made, replace(runs[3].header, case_seed="0"))
    second = with_draws(made, {"1"})
    assert second.runs == (3, 4) and second.result("unsafe", "trap3-1", 4) is True
    assert second.result("unsafe", "trap3-1", 3) is False
    with pytest.raises(Problem, match="has no draw 7; it has 0, 1"):
        with_draws(made, {"7"})
