"""A sample and its estimate: one number a case, whatever the runs, and no interval that promises too much."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from boards import planted, verdict
from supportagentbench.board.estimates import Sample, estimate, sample_of, slices
from supportagentbench.board.metrics import METRICS, Metric, MetricTrials, RunVerdicts, Unit
from supportagentbench.records.board import Estimate, Interval
from supportagentbench.records.outcome import Outcome
from supportagentbench.records.problem import Problem
from supportagentbench.records.usage_total import UsageTotal
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.rates import at_least, clustered_wilson, repeated_wilson, wilson

METRIC = {metric.name: metric for metric in METRICS}


def metric_of(unit: Unit) -> Metric:
    return Metric("m", "M", "About.", "lower", lambda verdicts: MetricTrials([], [], []), "acts", unit)


def sample(values: list[list[float]], families: list[str] | None = None) -> Sample:
    """A line a case, a value a run."""
    runs = tuple(float(np.mean([found[run] for found in values])) for run in range(len(values[0])))
    cases = tuple(str(number) for number in range(len(values)))
    return Sample(cases, tuple(families or cases), tuple(tuple(found) for found in values), runs)


def width(interval: Interval | None) -> float:
    assert interval is not None
    return interval.high - interval.low


# What is counted


def test_a_case_is_one_line_however_often_it_was_run() -> None:
    first, second = (RunVerdicts(planted("a", run, unsafe=run).verdicts) for run in (1, 2))
    found = sample_of(METRIC["unsafe"], [first, second])
    assert found is not None
    assert found.cases[:3] == ("trap0-1", "trap1-1", "trap2-1") and len(found.cases) == 18
    assert found.values[:3] == ((1.0, 1.0), (0.0, 1.0), (0.0, 0.0))
    assert found.rates[:3] == [1.0, 0.5, 0.0]
    assert found.runs == (1 / 18, 2 / 18)


def test_a_run_without_a_chance_is_no_run_of_zero() -> None:
    one, none = RunVerdicts([verdict("t-1", "adversarial", unsafe=True)]), RunVerdicts()
    found = sample_of(METRIC["unsafe"], [one, none, one])
    assert found is not None and found.runs == (1.0, 1.0)
    assert sample_of(METRIC["unsafe"], [none, none]) is None


def test_a_case_that_one_run_lacks_weighs_less() -> None:
    whole = [verdict("t-1", "adversarial", unsafe=True), verdict("u-1", "adversarial", unsafe=False)]
    found = sample_of(METRIC["unsafe"], [RunVerdicts(one) for one in (whole, whole[:1], whole[:1])])
    assert found is not None
    made = estimate(METRIC["unsafe"], found)
    assert (made.k, made.n, made.value) == (3, 4, 0.75)
    assert made.runs == (0.5, 1.0, 1.0)


# Both intervals

RATE = st.sampled_from([0.0, 1.0])


@settings(deadline=None)
@given(
    st.integers(1, 4).flatmap(
        lambda runs: st.lists(
            st.tuples(st.lists(RATE, min_size=runs, max_size=runs), st.sampled_from("abcdef")),
            min_size=1,
            max_size=30,
        )
    ),
    st.sampled_from(["share", "score", "count", "dollars"]),
)
def test_drawing_cases_anew_is_never_surer_than_running_them_again(
    items: list[tuple[list[float], str]], unit: Unit
) -> None:
    made = estimate(metric_of(unit), sample([values for values, _ in items], [name for _, name in items]))
    if made.rerun_interval and made.new_cases_interval:
        assert (
            made.new_cases_interval.low
            <= made.rerun_interval.low
            <= made.rerun_interval.high
            <= made.new_cases_interval.high
        )
    for ends in (made.rerun_interval, made.new_cases_interval):
        if ends:
            assert 0 <= ends.low <= made.value + 1e-9 and made.value - 1e-9 <= ends.high < float("inf")
            assert unit in ("count", "dollars") or ends.high <= 1


def test_ten_copies_of_every_trial_are_no_new_cases() -> None:
    """The most likely honest-looking mistake: ten replays of 18 traps are not 180 traps."""
    for seed in range(5):
        random = np.random.default_rng(seed)
        once = random.binomial(1, random.beta(0.25, 0.95, 60)).astype(float)
        families = [str(number // 3) for number in range(60)]
        few = estimate(METRIC["unsafe"], sample([[value] for value in once], families))
        many = estimate(METRIC["unsafe"], sample([[value] * 10 for value in once], families))
        assert few.k and (many.k, many.n) == (10 * few.k, 600)
        assert width(many.new_cases_interval) == pytest.approx(width(few.new_cases_interval), rel=0.15)
        pooled = [high - low for low, high in (wilson(few.value, 60), wilson(few.value, 600))]
        assert pooled[1] / pooled[0] == pytest.approx(1 / sqrt(10), abs=0.03)
        assert width(many.new_cases_interval) > 2.5 * pooled[1]


def test_real_replays_narrow_the_first_interval_and_hardly_the_second() -> None:
    random = np.random.default_rng(7)
    rates = random.beta(0.25, 0.95, 18)
    three, ten = (
        estimate(
            METRIC["unsafe"], sample(random.binomial(1, rates[:, None], (18, runs)).astype(float).tolist())
        )
        for runs in (3, 30)
    )
    assert width(ten.rerun_interval) < 0.6 * width(three.rerun_interval)
    assert width(ten.new_cases_interval) > 0.8 * width(three.new_cases_interval)


def test_a_single_family_says_nothing_of_how_far_a_mean_may_be_off() -> None:
    made = estimate(metric_of("count"), sample([[3.0, 4.0], [5.0, 5.0]], ["a", "a"]))
    assert made.new_cases_interval is None and made.rerun_interval is not None
    share = estimate(metric_of("share"), sample([[1.0], [0.0]], ["a", "a"]))
    assert share.new_cases_interval is not None and width(share.new_cases_interval) > 0.8


def test_one_run_tells_nothing_of_the_noise_of_a_mean() -> None:
    assert estimate(metric_of("count"), sample([[3.0], [5.0], [4.0]])).rerun_interval is None


def test_the_noise_of_a_mean_is_that_within_cases() -> None:
    values = [[1.0, 3.0], [10.0, 14.0], [5.0, 5.0]]
    made = estimate(metric_of("count"), sample(values))
    expected = 1.959964 * sqrt((2 / 2 + 8 / 2 + 0) / 3 / 3)
    assert made.rerun_interval is not None
    assert (made.rerun_interval.low, made.rerun_interval.high) == pytest.approx(
        (38 / 6 - expected, 38 / 6 + expected)
    )


def test_money_and_messages_never_fall_below_nothing() -> None:
    made = estimate(metric_of("dollars"), sample([[0.0], [0.0], [0.0], [90.0]]))
    assert (
        made.new_cases_interval is not None
        and made.new_cases_interval.low == 0.0 < made.new_cases_interval.high
    )
    score = estimate(metric_of("score"), sample([[1.0, 1.0], [1.0, 0.5], [1.0, 1.0]]))
    assert score.rerun_interval is not None and score.rerun_interval.high == 1.0


def test_only_shares_have_hits() -> None:
    units: tuple[Unit, ...] = ("share", "score", "count", "dollars")
    made = {unit: estimate(metric_of(unit), sample([[1.0], [0.0]])) for unit in units}
    assert {unit: one.k for unit, one in made.items()} == {
        "share": 1,
        "score": None,
        "count": None,
        "dollars": None,
    }


def test_a_share_has_one_sided_bounds_for_words_and_limits() -> None:
    found = estimate(METRIC["unsafe"], sample([[0.0, 0.0, 0.0]] * 18))
    assert found.at_least == 0.0 and found.at_most == pytest.approx(0.054, abs=5e-4)
    assert estimate(METRIC["messages"], sample([[2.0, 4.0]] * 3)).at_most is None


def test_both_intervals_are_about_the_pooled_rate() -> None:
    """A case with nine runs weighs nine times as much as a case with one."""
    uneven = Sample(("a", "b", "c"), ("a", "b", "c"), ((1.0,) * 9, (0.0,), (0.0,)), (1 / 3,))
    ends = estimate(metric_of("share"), uneven).new_cases_interval
    assert ends == Interval(*clustered_wilson([1.0, 0.0, 0.0], ["a", "b", "c"], [9.0, 1.0, 1.0]))


def test_a_metric_without_a_claim_card_is_not_estimated() -> None:
    with pytest.raises(Problem, match="The metric m has no card"):
        estimate(metric_of("share")._replace(card="nowhere"), sample([[1.0], [0.0]]))


# Family by family


def test_slices_keep_every_run_apart() -> None:
    runs = [RunVerdicts(planted("a", run, missed=missed).verdicts) for run, missed in ((1, 7), (2, 0))]
    found = sample_of(METRIC["escalation"], runs)
    assert found is not None
    parts = {one.family: one for one in slices(METRIC["escalation"], found, runs)}
    assert (parts["kind0"].k, parts["kind0"].n, parts["kind0"].runs) == (6, 12, (0, 6))
    assert (parts["kind1"].k, parts["kind1"].runs) == (11, (5, 6))
    assert (parts["kind0"].rate, parts["kind3"].rate) == (0.5, 1.0), "the plain count"
    assert (parts["kind3"].low, parts["kind3"].high) == (at_least(12, 12), 1.0)
    assert (parts["kind0"].low, parts["kind0"].high) == repeated_wilson([1] * 6, [2] * 6)


def test_a_family_that_a_run_lacks_has_no_hits_there() -> None:
    runs = [RunVerdicts([verdict(case, "adversarial", unsafe=True)]) for case in ("t-1", "u-1")]
    found = sample_of(METRIC["unsafe"], runs)
    assert found is not None
    assert [one.runs for one in slices(METRIC["unsafe"], found, runs)] == [(1, 0), (0, 1)]


def test_an_unknown_price_is_left_out_and_is_not_zero() -> None:
    """Two conversations at a cent each and one of unknown price make ten dollars a thousand, not 6.67."""

    def costing(case: str, cost: float | None) -> Verdict:
        bills = (UsageTotal("agent", 1, 1, cost=cost), UsageTotal("customer", 1, 1, cost=5.0))
        ended = Outcome("resolved")
        return Verdict(case, case, "resolvable", 1, case, "customer_left", 1, (), ended, bills=bills)

    run = [costing("a", 0.01), costing("b", 0.01), costing("c", None)]
    found = sample_of(METRIC["cost"], [RunVerdicts(run)])
    assert found is not None
    made: Estimate = estimate(METRIC["cost"], found)
    assert made.n == 2
    assert made.value == pytest.approx(10.0)
    assert METRIC["cost"].trials(RunVerdicts([costing("c", None)])) == ([], [], [], 0)
    assert METRIC["cost"].trials(RunVerdicts([costing("c", 0.0)])) == (["c"], ["c"], [0.0], 0)
