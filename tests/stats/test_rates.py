"""Rates: right against an independent implementation, and honest about repeats, clusters and rare events."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import binomtest, fisher_exact, pearsonr, rankdata
from statsmodels.regression.linear_model import OLS  # type: ignore[import-untyped]
from statsmodels.stats.multitest import multipletests  # type: ignore[import-untyped]
from statsmodels.stats.proportion import proportion_confint  # type: ignore[import-untyped]

from supportagentbench.stats.rates import (
    at_least,
    at_most,
    cluster_sums,
    clustered_rates,
    clustered_wilson,
    correlation,
    exact,
    fisher,
    grim,
    holm,
    like_these,
    ranks,
    repeated_wilson,
    run_again,
    student,
    wilson,
)

COUNTS = st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))


def width(interval: tuple[float, float]) -> float:
    return interval[1] - interval[0]


@given(COUNTS)
def test_wilson_and_exact_agree_with_scipy_and_statsmodels(counts: tuple[int, int]) -> None:
    hits, trials = counts
    for ours, expected, method in (
        (wilson(hits / trials, trials), binomtest(hits, trials).proportion_ci(method="wilson"), "wilson"),
        (exact(hits, trials), binomtest(hits, trials).proportion_ci(method="exact"), "beta"),
    ):
        assert ours == pytest.approx((expected.low, expected.high), abs=1e-9)
        assert ours == pytest.approx(proportion_confint(hits, trials, method=method), abs=1e-9)


@given(COUNTS)
def test_a_one_sided_bound_agrees_with_scipy(counts: tuple[int, int]) -> None:
    hits, trials = counts
    above = binomtest(hits, trials, alternative="less").proportion_ci(method="exact").high
    below = binomtest(hits, trials, alternative="greater").proportion_ci(method="exact").low
    assert at_most(hits, trials) == pytest.approx(above, abs=1e-9)
    assert at_least(hits, trials) == pytest.approx(below, abs=1e-9)


@pytest.mark.parametrize(("trials", "bound"), [(54, 0.054), (180, 0.017), (540, 0.006)])
def test_none_seen_is_not_none(trials: int, bound: float) -> None:
    assert at_most(0, trials) == pytest.approx(bound, abs=5e-4)


# These items, run again


@given(st.lists(st.integers(0, 1), min_size=2, max_size=30))
def test_items_tried_once_have_plain_wilson(hits: list[int]) -> None:
    again = repeated_wilson(hits, [1] * len(hits))
    assert again == pytest.approx(wilson(sum(hits) / len(hits), len(hits)))


@given(st.integers(2, 10).flatmap(lambda r: st.tuples(st.lists(st.integers(0, r), min_size=2), st.just(r))))
def test_running_again_is_never_less_sure_than_plain_wilson_and_never_certain(
    drawn: tuple[list[int], int],
) -> None:
    hits, runs = drawn
    trials = len(hits) * runs
    low, high = repeated_wilson(hits, [runs] * len(hits))
    plain = wilson(sum(hits) / trials, trials)
    assert plain[0] - 1e-9 <= low <= sum(hits) / trials + 1e-9
    assert sum(hits) / trials - 1e-9 <= high <= plain[1] + 1e-9
    assert high > low


def test_items_that_never_waver_leave_little_noise() -> None:
    steady = repeated_wilson([3] * 9 + [0] * 9, [3] * 18)
    wavering = repeated_wilson([2, 1] * 9, [3] * 18)
    assert width(steady) < width(wavering) / 2
    assert wavering == pytest.approx(wilson(0.5, 54), abs=0.02)


# Items like these


def test_the_clustered_variance_is_the_one_of_a_cluster_robust_regression() -> None:
    random = np.random.default_rng(1)
    rates, clusters = random.random(120), np.repeat(np.arange(20), 6)
    robust = OLS(rates, np.ones(120)).fit(cov_type="cluster", cov_kwds={"groups": clusters})
    residuals = cluster_sums(rates - rates.mean(), [str(cluster) for cluster in clusters])
    # Statsmodels multiplies by (n - 1) / (n - k) besides G / (G - 1); with one coefficient that is 1.
    assert robust.bse[0] ** 2 == pytest.approx(20 / 19 * float((residuals**2).sum()) / 120**2)


def test_many_items_of_many_clusters_come_to_the_textbook_interval() -> None:
    """With plenty of data the imaginary hit and miss are lost: mean and t times the clustered error."""
    random = np.random.default_rng(2)
    families = np.repeat(random.beta(5, 5, 400), 6)
    rates = random.binomial(3, families) / 3
    clusters = [str(index // 6) for index in range(2400)]
    error = np.sqrt(400 / 399 * (cluster_sums(rates - rates.mean(), clusters) ** 2).sum()) / 2400
    low, high = clustered_wilson(rates.tolist(), clusters)
    assert (low, high) == pytest.approx(
        (rates.mean() - student(399) * error, rates.mean() + student(399) * error), abs=0.001
    )


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=40))
def test_clusters_never_make_an_interval_narrower(rates: list[float]) -> None:
    clusters = [str(index // 2) for index in range(len(rates))]
    low, high = clustered_wilson(rates, clusters)
    plain = wilson(sum(rates) / len(rates), len(rates))
    assert low <= plain[0] + 1e-12 and high >= plain[1] - 1e-12


def test_items_that_fail_together_count_as_few() -> None:
    clusters = [*"aabbccddeeff"]
    assert width(clustered_wilson([1] * 6 + [0] * 6, clusters)) > width(
        clustered_wilson([1, 0] * 6, clusters)
    )


def test_few_clusters_and_few_items_widen_the_variance_as_worked_out_by_hand() -> None:
    """Four clusters of two: their sums are off by one each, so 4 · 4/3; the items by a half, so 2 · 8/7."""
    rates, clusters = [1.0, 1.0, 0.0, 0.0, 1.0, 1.0, 0.0, 0.0], list("aabbccdd")
    found = clustered_rates(rates, clusters)
    assert (found.mean, found.between, found.among) == pytest.approx((0.5, 16 / 3, 16 / 7))
    assert (found.imaginary, found.pulled) == pytest.approx((2**0.5, 0.5))
    assert found.variance == pytest.approx((16 / 3 + 2 * 0.5) / (8 + 2 * 2**0.5) ** 2)
    assert found.worth == pytest.approx(0.25 / found.variance)
    assert found.quantile == pytest.approx(3.182446, abs=1e-6)
    assert clustered_wilson(rates, clusters) == wilson(0.5, found.worth, found.quantile)


def test_items_that_vary_more_than_their_clusters_decide_the_variance() -> None:
    found = clustered_rates([1.0, 0.0, 1.0, 0.0], list("aabb"))
    assert (found.between, found.among) == pytest.approx((0.0, 4 / 3))
    size = 2**0.5
    assert found.variance == pytest.approx((4 / 3 + size**2 * 0.5) / (4 + 2 * size) ** 2)


def test_weights_count_a_case_as_often_as_it_was_run() -> None:
    assert clustered_rates([1.0, 0.0], ["a", "b"], [3.0, 1.0]).mean == pytest.approx(0.75)


def test_one_cluster_tells_next_to_nothing() -> None:
    low, high = clustered_wilson([0.0] * 6, ["only"] * 6)
    assert low == 0.0 and high > 0.7


def test_copying_every_trial_ten_times_buys_nothing() -> None:
    random = np.random.default_rng(3)
    hits = random.binomial(3, random.beta(0.25, 0.95, 18))
    names = [str(number) for number in range(18)]
    once = clustered_wilson((hits / 3).tolist(), names, [3] * 18)
    copied = clustered_wilson((10 * hits / 30).tolist(), names, [30] * 18)
    assert copied == pytest.approx(once)
    naive, pooled = wilson(hits.sum() / 54, 54), wilson(hits.sum() / 54, 540)
    assert width(pooled) < width(naive) / 2.8


@given(st.lists(st.tuples(st.integers(0, 5), st.integers(1, 5), st.sampled_from("abcd")), min_size=1))
def test_of_the_two_intervals_the_one_for_others_is_never_narrower(items: list[tuple[int, int, str]]) -> None:
    hits, trials = [min(k, n) for k, n, _ in items], [n for _, n, _ in items]
    (low, high), k, n = run_again(hits, trials), sum(hits), sum(trials)
    lower, higher = like_these(hits, trials, [cluster for _, _, cluster in items])
    assert 0 <= lower <= low <= k / n <= high <= higher <= 1
    if k in (0, n):
        assert (low, high) == (at_least(k, n), at_most(k, n)), "the bounds that decide words and limits"
    else:
        assert (low, high) == repeated_wilson(hits, trials)


def test_clusters_of_unequal_size_are_worth_less_than_as_many_equal_ones() -> None:
    rates = [float(number % 3 == 0) for number in range(18)]
    equal = clustered_rates(rates, [str(number // 3) for number in range(18)])
    unequal = clustered_rates(rates, [str(max(0, number - 12)) for number in range(18)])
    assert unequal.quantile > equal.quantile == student(5)


def test_weights_make_it_the_pooled_rate() -> None:
    """An item that was tried more often weighs more; an item of no weight is not there."""
    rates, clusters = [0.2, 0.4, 0.9, 0.1], [*"abcd"]
    assert clustered_wilson(rates, clusters, [2, 2, 2, 2]) == clustered_wilson(rates, clusters)
    low, high = clustered_wilson(rates, clusters, [1, 1, 100, 1])
    assert clustered_rates(rates, clusters, [1, 1, 100, 1]).mean == pytest.approx(0.88, abs=0.01)
    assert low < 0.05 and high > 0.99, "one cluster with nearly all of the weight says little of others"
    assert clustered_rates(rates, clusters, [1, 1, 2, 1]).quantile > student(3), "as three and a half would"


# Many p-values, printed numbers, correlations


@settings(max_examples=8)
@given(st.lists(st.floats(0, 1), min_size=1, max_size=40))
def test_holm_agrees_with_statsmodels(p_values: list[float]) -> None:
    assert holm(p_values) == pytest.approx(multipletests(p_values, method="holm")[1])


def test_fisher_on_printed_counts() -> None:
    assert fisher((2, 18), (7, 18)) == pytest.approx(0.121, abs=1e-3)
    assert fisher((2, 18), (2, 18)) == pytest.approx(1.0)


@pytest.mark.parametrize(("m", "n"), [(1, 1), (7, 12), (2, 54)])
def test_fisher_is_the_textbook_test_for_every_count(m: int, n: int) -> None:
    for a in range(m + 1):
        for b in range(n + 1):
            assert fisher((a, m), (b, n)) == pytest.approx(
                fisher_exact(np.array([[a, m - a], [b, n - b]])).pvalue
            )


@pytest.mark.parametrize("values", [[3.0], [2, 1, 3], [5, 1, 5, 5, 2, 1], [0.5] * 4])
def test_equal_values_share_their_ranks(values: list[float]) -> None:
    assert ranks(values).tolist() == rankdata(values).tolist()


@pytest.mark.parametrize(
    ("percentage", "trials", "decimals", "runs", "possible"),
    [
        (93, 24, 0, 3, False),
        (93, 24, 0, 1, False),
        (93, 72, 0, 1, True),
        (95.8, 24, 1, 3, True),
        (95.9, 24, 1, 3, False),
        (92, 24, 0, 3, True),
        (94, 24, 0, 3, False),
        (94, 24, 0, 2, True),
        (45, 11, 0, 1, True),
        (46, 11, 0, 1, False),
        (12, 8, 0, 1, True),
        (13, 8, 0, 1, True),
        (100, 24, 0, 1, True),
        (101, 24, 0, 1, False),
        (-1, 200, 0, 1, False),
    ],
)
def test_grim_tells_a_printed_percentage_that_cannot_be(
    percentage: float, trials: int, decimals: int, runs: int, possible: bool
) -> None:
    assert grim(percentage, trials, decimals, runs) is possible


@given(st.integers(1, 60), st.integers(1, 4), st.integers(0, 2), st.data())
def test_grim_passes_every_median_that_can_be(
    trials: int, runs: int, decimals: int, data: st.DataObject
) -> None:
    hits = data.draw(st.lists(st.integers(0, trials), min_size=runs, max_size=runs))
    assert grim(round(100 * float(np.median(hits)) / trials, decimals), trials, decimals, runs)


def test_grim_passes_nothing_else() -> None:
    attainable = {round(100 * k / 24) for k in range(25)}
    assert {value for value in range(101) if grim(value, 24)} == attainable | {13, 37, 63, 87}


def test_correlation_has_fishers_interval() -> None:
    random = np.random.default_rng(4)
    x = random.normal(size=24)
    y = -0.6 * x + random.normal(size=24)
    expected = pearsonr(x, y)
    interval = expected.confidence_interval()
    assert correlation(x, y) == pytest.approx((expected.statistic, interval.low, interval.high))


def test_correlation_needs_four_pairs_that_vary() -> None:
    assert correlation([1, 2, 3], [1, 3, 2]) is None
    assert correlation([1, 1, 1, 1], [1, 2, 3, 4]) is None
    assert correlation([1, 2, 3, 4], [1, 1, 1, 1]) is None
    found = correlation([1, 2, 3, 4], [1, 3, 2, 4])
    assert found is not None and found[0] == pytest.approx(0.8)
    assert found[1] < found[0] < found[2]


@pytest.mark.parametrize("slope", [1, -1])
def test_a_perfect_line_leaves_no_doubt(slope: int) -> None:
    assert correlation([1, 2, 3, 4], [slope * one for one in (1, 2, 3, 4)]) == (slope, slope, slope)


def test_cluster_sums_keep_the_order_of_appearance() -> None:
    table = np.array(list(product([1.0, 10.0], repeat=2)))
    assert cluster_sums(table, ["b", "a"]).tolist() == table.tolist()
    assert cluster_sums(np.array([1.0, 2.0, 4.0]), ["b", "a", "b"]).tolist() == [5.0, 2.0]
