"""A rise against a margin: called, ruled out, or neither."""

import numpy as np
import pytest

from supportagentbench.stats.margin import PairedCounts, is_above, most_rise


def test_ten_of_120_for_the_worse_are_above_three_points_and_not_with_as_many_better() -> None:
    assert is_above(PairedCounts(10, 0, 120), 0.03, 0.05)
    assert not is_above(PairedCounts(14, 4, 120), 0.03, 0.05), "the same eight points, with more noise"
    assert not is_above(PairedCounts(10, 10, 120), 0.0, 0.05)


@pytest.mark.parametrize(
    ("counts", "bound"),
    [
        ((0, 0, 120), 0.022),
        ((5, 5, 120), 0.048),
        ((14, 4, 120), 0.1455),
        ((0, 0, 5), 0.351),
        ((5, 0, 5), 1.0),
    ],
)
def test_the_largest_rise_that_is_not_ruled_out(counts: tuple[int, int, int], bound: float) -> None:
    assert most_rise(PairedCounts(*counts), 0.05) == pytest.approx(bound, abs=0.001)


@pytest.mark.parametrize(("base", "spread"), [(0.02, 0.0), (0.1, 0.0), (0.3, 0.0), (0.3, 0.3)])
def test_an_unchanged_agent_is_called_worse_as_often_as_the_level_says(base: float, spread: float) -> None:
    """Cases with rates of their own make it rarer; a rise of exactly the margin is the worst case."""
    random = np.random.default_rng(7)
    rates = np.clip(base + spread * random.uniform(-1, 1, 120), 0, 0.9)
    before = random.random((3_000, 120)) < rates
    for margin in (0.0, 0.03):
        after = random.random((3_000, 120)) < rates + margin
        worse, better = (after & ~before).sum(1), (before & ~after).sum(1)
        called = [
            is_above(PairedCounts(int(one), int(other), 120), margin, 0.05)
            for one, other in zip(worse, better, strict=True)
        ]
        assert np.mean(called) <= 0.063, (base, spread, margin)
