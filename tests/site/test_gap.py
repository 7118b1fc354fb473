"""Two sets of runs beside each other come out as the command that compares two agents says."""

import pytest

from boards import planted
from supportagentbench.site.gap import SHOWN, gaps_of, tables_of
from supportagentbench.tally.contrast import Gap, contrast
from supportagentbench.tally.standings import Scored
from supportagentbench.tally.stats import holm

RUNS = {
    "careful": [planted("careful", run, over=2, cost=0.01) for run in (1, 2)],
    "hasty": [planted("hasty", run, over=30 + run, unsafe=7, unresolved=60, cost=0.02) for run in (1, 2)],
}


@pytest.fixture
def gaps() -> dict[str, Gap]:
    return {gap.metric: gap for gap in gaps_of(tables_of(RUNS), "careful", "hasty")}


def test_each_gap_is_that_of_the_command(gaps: dict[str, Gap]) -> None:
    for theirs in contrast(RUNS["careful"], RUNS["hasty"]).gaps:
        if theirs.metric in SHOWN:
            ours = gaps[theirs.metric]
            assert ours.difference == pytest.approx(theirs.difference)
            assert (ours.first, ours.second) == pytest.approx((theirs.first, theirs.second))
            assert (ours.p, ours.interval, ours.cases) == (theirs.p, theirs.interval, theirs.cases)
            assert ours.differ == theirs.differ


def test_p_values_are_corrected_for_what_is_shown(gaps: dict[str, Gap]) -> None:
    assert [gap.adjusted for gap in gaps.values()] == pytest.approx(holm([gap.p for gap in gaps.values()]))


def test_metrics_stand_in_the_order_they_are_shown(gaps: dict[str, Gap]) -> None:
    assert list(gaps) == [metric for metric in SHOWN if metric in gaps]


def test_a_metric_that_one_of_them_lacks_is_left_out() -> None:
    runs: dict[str, list[Scored]] = {**RUNS, "free": [planted("free")]}
    found = gaps_of(tables_of(runs), "careful", "free")
    assert "cost" not in [gap.metric for gap in found]
    assert "unsafe" in [gap.metric for gap in found]


def test_cases_that_one_of_them_lacks_are_left_out() -> None:
    whole = planted("short")
    short = whole._replace(verdicts=[one for one in whole.verdicts if not one.case.startswith("intent0")])
    found = {gap.metric: gap for gap in gaps_of(tables_of({**RUNS, "short": [short]}), "careful", "short")}
    assert found["over_escalation"].cases == 114
