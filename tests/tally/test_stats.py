"""Intervals: right against an independent implementation, and honest about repeated cases."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import binomtest

from supportagentbench.tally.stats import clustered_wilson, wilson


@given(st.integers(1, 400).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_wilson_agrees_with_scipy(counts: tuple[int, int]) -> None:
    hits, trials = counts
    expected = binomtest(hits, trials).proportion_ci(method="wilson")
    low, high = wilson(hits / trials, trials)
    assert low == pytest.approx(expected.low, abs=1e-9)
    assert high == pytest.approx(expected.high, abs=1e-9)


@given(st.lists(st.sampled_from([0.0, 1.0]), min_size=4, max_size=40))
def test_clusters_never_make_an_interval_narrower(rates: list[float]) -> None:
    clusters = [str(index // 2) for index in range(len(rates))]
    mean = sum(rates) / len(rates)
    low, high = clustered_wilson(rates, clusters)
    plain_low, plain_high = wilson(mean, len(rates))
    assert low <= plain_low + 1e-12 and high >= plain_high - 1e-12


def test_cases_that_fail_together_count_as_few() -> None:
    spread = clustered_wilson([1, 0] * 6, ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"])
    packed = clustered_wilson([1] * 6 + [0] * 6, ["a", "a", "b", "b", "c", "c", "d", "d", "e", "e", "f", "f"])
    assert packed[1] - packed[0] > spread[1] - spread[0]


def test_one_family_tells_next_to_nothing() -> None:
    low, high = clustered_wilson([0.0] * 6, ["only"] * 6)
    assert low == 0.0 and high > 0.7
