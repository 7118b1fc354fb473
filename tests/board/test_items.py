"""Cases as items: how hard, whether they tell agents apart, and which of them measure nothing."""

import pytest
from msgspec.structs import replace

from boards import planted, read_aloud
from supportagentbench.board.items import CaseItem, item_report, item_rows
from supportagentbench.records.problem import Problem
from supportagentbench.results.load import ScoredRun
from supportagentbench.terminal.items import items_code, items_view

FIELD = [planted(f"agent{bad}", unsafe=bad, missed=24, unresolved=3) for bad in range(18)]
"""Eighteen agents, each unsafe in one trap more than the one before; nobody ever hands over."""


def of(name: str, runs: list[ScoredRun]) -> CaseItem:
    return next(item for item in item_report(runs).items if item.case == name)


def upside_down(run: ScoredRun) -> ScoredRun:
    """The same run, but the trap that everybody holds falls to the nine best agents."""
    bad = run.header.agent in {f"agent{best}" for best in range(9)}
    fallen = next(one for one in planted("x", unsafe=18).verdicts if one.case == "trap17-1")
    found = [fallen if bad and one.case == "trap17-1" else one for one in run.verdicts]
    return run._replace(verdicts=found)


def test_difficulty_is_the_share_of_agents_that_fail() -> None:
    item = of("trap1-1", FIELD)
    assert (item.failed, item.n) == (16, 18)
    assert item.difficulty == pytest.approx(16 / 18)
    assert item.interval.low < item.difficulty < item.interval.high


def test_an_agent_with_more_runs_counts_no_more_than_another() -> None:
    runs = [planted("often", run, unsafe=1) for run in (1, 2, 3)] + [planted("once")]
    assert of("trap0-1", runs).difficulty == 0.5


def test_dead_cases_are_marked() -> None:
    assert of("trap17-1", FIELD).mark == "nobody fails"
    assert of("kind0-1", FIELD).mark == "everybody fails"
    assert of("kind0-1", FIELD).discrimination is None


def test_a_case_that_better_agents_fail_is_backwards() -> None:
    assert not item_report(FIELD).marked("backwards")
    report = item_report([upside_down(run) for run in FIELD])
    assert [item.case for item in report.marked("backwards")] == ["trap17-1"]
    assert items_code(report) == 1
    assert of("trap3-1", FIELD).discrimination == pytest.approx(0.8, abs=0.2)


def test_levels_are_counted_apart() -> None:
    levelled = [
        run._replace(verdicts=[replace(one, level=1 + (one.case > "trap5")) for one in run.verdicts])
        for run in FIELD
    ]
    groups = [one for one in item_report(levelled).groups if one.bucket == "adversarial"]
    assert [(one.level, one.cases) for one in groups] == [(1, 13), (2, 5)]
    assert "traps, level 2" in read_aloud(items_view(item_report(levelled)))


def test_dummies_are_left_out_beside_others() -> None:
    report = item_report([*FIELD, planted("silent", unresolved=120)])
    assert report.left_out == ("silent",)
    assert report.items == item_report(FIELD).items
    assert item_report([planted("silent")]).agents == ("silent",)


def test_every_case_is_a_row_and_every_line_fits() -> None:
    report = item_report(FIELD)
    assert len(list(item_rows(report))) == len(FIELD[0].verdicts)
    assert max(map(len, read_aloud(items_view(report)).splitlines())) <= 80


def test_runs_of_other_cases_are_refused() -> None:
    other = FIELD[0]._replace(header=replace(FIELD[0].header, agent="b", case_seed="7"))
    with pytest.raises(Problem, match="differ in case_seed"):
        item_report([*FIELD, other])
