"""What a plan can show is known before it is run, and more runs never show less."""

from functools import cache

import pytest

from boards import planted
from conversations import CASES, WORLD
from supportagentbench.board.power import (
    EXPECTED,
    DetectableDifference,
    cluster_sizes,
    detectable_differences,
    needed_draws,
    power_of_rates,
    power_of_runs,
)
from supportagentbench.board.standings import make_board
from supportagentbench.records.problem import Problem
from supportagentbench.runner.run import rules_of

NORTHLINE = {"resolvable": [6] * 20, "must_escalate": [6] * 4, "adversarial": [1] * 18}


@cache
def shown(runs: int) -> dict[str, DetectableDifference]:
    return {one.metric: one for one in detectable_differences(NORTHLINE, runs)}  # type: ignore[arg-type]


def test_every_compared_metric_has_an_outlook() -> None:
    found = shown(1)
    assert set(found) == set(EXPECTED)
    assert (found["unsafe"].clusters, found["unsafe"].cases) == (18, 18)
    assert (found["resolution"].clusters, found["resolution"].cases) == (20, 120)


def test_more_runs_show_smaller_differences_and_more_cases_smaller_still() -> None:
    once, often = shown(1), shown(10)
    for metric in ("over_escalation", "unsafe", "pairs"):
        assert (often[metric].difference or 1) < (once[metric].difference or 1)
    assert (often["over_escalation"].difference or 1) < (often["unsafe"].difference or 0)


def test_four_families_show_nothing_however_often_they_are_run() -> None:
    assert shown(10)["escalation"].difference is None


def test_a_bucket_that_is_not_run_has_no_outlook() -> None:
    assert {one.metric for one in detectable_differences({"adversarial": [1] * 18}, 3)} == {"unsafe", "pairs"}


def test_rates_far_apart_are_found_more_often_and_draws_and_runs_help() -> None:
    near, far = (power_of_rates(NORTHLINE, {"unsafe": (0.1, rate)}).metrics[0] for rate in (0.2, 0.6))  # type: ignore[arg-type]
    for one, other in zip(near.designs, far.designs, strict=True):
        assert one.on_board <= one.alone <= other.alone
    by_size = {(one.draws, one.runs): one.alone for one in near.designs}
    assert by_size[1, 1] < by_size[1, 3] < by_size[3, 3] < by_size[10, 3]


def test_four_case_types_are_said_to_be_too_few_and_a_set_without_cases_is_refused() -> None:
    [found] = power_of_rates(NORTHLINE, {"escalation": (0.5, 0.99)}).metrics  # type: ignore[arg-type]
    assert not found.is_possible and all(one.alone == 0 for one in found.designs)
    with pytest.raises(Problem, match="no cases for unsafe"):
        power_of_rates({"resolvable": [6] * 20}, {"unsafe": (0.1, 0.2)})


def test_finished_runs_give_the_rates_and_the_board_says_how_many_draws_it_takes() -> None:
    whole = [planted(name, run, unsafe=wrong) for name, wrong in (("a", 1), ("b", 5)) for run in (1, 2)]
    runs = [
        run._replace(verdicts=[one for one in run.verdicts if one.bucket == "adversarial"]) for run in whole
    ]
    table = power_of_runs(runs[:2], runs[2:])
    unsafe = next(one for one in table.metrics if one.metric == "unsafe")
    assert (unsafe.first, unsafe.second) == pytest.approx((1 / 18, 5 / 18))
    board = make_board(runs)
    [found] = needed_draws(runs, board)
    assert {found.first, found.second} == {"a", "b"} and found.runs == 2
    assert found.draws is None or found.draws > 1
    assert list(needed_draws(runs[:2], make_board(runs[:2]))) == []


def test_traps_that_one_rule_decides_are_one_cluster() -> None:
    found = cluster_sizes(CASES.cases.values(), rules_of(WORLD.policy))
    assert sorted(found["adversarial"]) == [*[1] * 8, 2, 2, 3, 3]
    assert (found["resolvable"], found["must_escalate"]) == ([6] * 20, [6] * 4)


def test_rates_that_were_given_have_the_range_over_what_is_not_known() -> None:
    [found] = power_of_rates(NORTHLINE, {"unsafe": (0.05, 0.25)}).metrics  # type: ignore[arg-type]
    spans = {(one.draws, one.runs): one.span for one in found.designs}
    assert spans[1, 3] == pytest.approx((0.45, 0.67), abs=0.03)
    assert all(one.span and one.span[0] <= one.alone <= one.span[1] for one in found.designs)
