"""Shrinkage: nearer to the truth than raw rates, and its intervals hold."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.integrate import dblquad
from scipy.special import beta

from supportagentbench.stats.shrinkage import shrunk


def test_it_recovers_planted_rates_better_than_raw_counts_and_covers_them() -> None:
    random = np.random.default_rng(1)
    for a, b, runs in ((0.25, 0.95, 3), (0.6, 2.26, 3), (0.6, 2.26, 10), (4, 6, 3)):
        raw = lean = covered = 0.0
        for _ in range(60):
            truth = random.beta(a, b, 18)
            hits = random.binomial(runs, truth)
            means, low, high = shrunk(hits, np.full(18, runs))
            raw += ((hits / runs - truth) ** 2).mean()
            lean += ((means - truth) ** 2).mean()
            covered += ((low <= truth) & (truth <= high)).mean() / 60
        assert lean < raw
        assert covered >= 0.93


@settings(max_examples=25)
@given(st.lists(st.integers(1, 10).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))), min_size=1))
def test_means_lie_in_their_intervals_and_follow_the_counts(items: list[tuple[int, int]]) -> None:
    hits, trials = zip(*items, strict=True)
    means, low, high = shrunk(hits, trials)
    assert ((low <= means) & (means <= high)).all()
    mirrored = shrunk([n - k for k, n in items], trials)
    assert means == pytest.approx(1 - mirrored[0], abs=1e-6)


def test_like_items_pull_and_unlike_ones_do_not() -> None:
    alike = shrunk([1, 1, 1, 2, 1, 1], [10] * 6)[0]
    unlike = shrunk([0, 0, 10, 2, 10, 0], [10] * 6)[0]
    assert abs(alike[3] - 0.12) < abs(unlike[3] - 0.12)


def test_one_item_is_what_integration_says() -> None:
    """One item, 2 of 5: the mean over all beta distributions, taken by quadrature."""

    def weight(likeness: float, mean: float, more: int) -> float:
        a, b = mean * (1 - likeness) / likeness, (1 - mean) * (1 - likeness) / likeness
        return float(beta(a + 2 + more, b + 3) / beta(a, b))

    top, bottom = (dblquad(weight, 0, 1, 1e-6, 1 - 1e-6, (more,), epsabs=1e-4)[0] for more in (1, 0))
    assert shrunk([2], [5])[0][0] == pytest.approx(top / bottom, abs=0.005)


def test_several_items_are_what_integration_says() -> None:
    """Three items with 1 of 10 and one with 9: each mean over all beta distributions, by quadrature."""
    counts = [(1, 10), (1, 10), (1, 10), (9, 10)]

    def weight(likeness: float, mean: float, item: int) -> float:
        a, b = mean * (1 - likeness) / likeness, (1 - mean) * (1 - likeness) / likeness
        found = 1.0
        for number, (k, n) in enumerate(counts):
            found *= float(beta(a + k + (number == item), b + n - k) / beta(a, b))
        return found

    bottom, first, last = (
        dblquad(weight, 0, 1, 1e-6, 1 - 1e-6, (item,), epsabs=1e-12)[0] for item in (-1, 0, 3)
    )
    means = shrunk(*zip(*counts, strict=True))[0]
    assert means[[0, 3]] == pytest.approx([first / bottom, last / bottom], abs=0.01)
