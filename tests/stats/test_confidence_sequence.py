"""The confidence sequence: wider than Wilson's interval, because one may look as often as one likes."""

import pytest

from supportagentbench.stats.confidence_sequence import rate_sequence
from supportagentbench.stats.rates import wilson


@pytest.mark.parametrize(("trials", "most"), [(10, 0.377), (20, 0.224)])
def test_no_hit_allows_what_was_worked_out_by_hand(trials: int, most: float) -> None:
    low, high = rate_sequence(0, trials)
    assert (low, round(high, 3)) == (0.0, most)


def test_hits_and_misses_are_mirrored() -> None:
    low, high = rate_sequence(3, 12)
    assert rate_sequence(9, 12) == pytest.approx((1 - high, 1 - low))


def test_it_holds_the_rate_seen_and_what_wilson_allows() -> None:
    for trials in (1, 7, 30):
        for hits in range(trials + 1):
            low, high = rate_sequence(hits, trials)
            plain = wilson(hits / trials, trials)
            assert low <= hits / trials <= high
            assert trials < 7 or (low <= plain[0] + 0.01 and plain[1] <= high + 0.01)


def test_nothing_seen_excludes_nothing() -> None:
    assert rate_sequence(0, 0) == (0.0, 1.0)
