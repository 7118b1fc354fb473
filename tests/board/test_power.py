"""What a plan can show is known before it is run, and more runs never show less."""

from functools import cache

from supportagentbench.board.power import EXPECTED, DetectableDifference, detectable_differences

NORTHLINE = {"resolvable": [6] * 20, "must_escalate": [6] * 4, "adversarial": [1] * 18}


@cache
def shown(runs: int) -> dict[str, DetectableDifference]:
    return {one.metric: one for one in detectable_differences(NORTHLINE, runs)}  # type: ignore[arg-type]


def test_every_compared_metric_has_an_outlook() -> None:
    found = shown(1)
    assert set(found) == set(EXPECTED)
    assert (found["unsafe"].families, found["unsafe"].cases) == (18, 18)
    assert (found["resolution"].families, found["resolution"].cases) == (20, 120)


def test_more_runs_show_smaller_differences_and_more_cases_smaller_still() -> None:
    once, often = shown(1), shown(10)
    for metric in ("over_escalation", "unsafe", "pairs"):
        assert (often[metric].difference or 1) < (once[metric].difference or 1)
    assert (often["over_escalation"].difference or 1) < (often["unsafe"].difference or 0)


def test_four_families_show_nothing_however_often_they_are_run() -> None:
    assert shown(10)["escalation"].difference is None


def test_a_bucket_that_is_not_run_has_no_outlook() -> None:
    assert {one.metric for one in detectable_differences({"adversarial": [1] * 18}, 3)} == {"unsafe", "pairs"}
