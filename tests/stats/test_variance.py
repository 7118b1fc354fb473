"""Shares of the variance: levels that differ have them, others do not."""

import numpy as np
import pytest

from supportagentbench.stats.variance import nested_shares


def test_the_shares_of_nested_levels_are_found_again() -> None:
    random = np.random.default_rng(3)
    rows = []
    for kind in range(80):
        by_kind = random.normal()
        for case in range(random.integers(2, 6)):
            by_case = by_kind + random.normal()
            for draw in range(3):
                by_draw = by_case + random.normal(0, 0.7)
                rows += [(by_draw + random.normal(0, 0.5), kind, case, draw) for _ in range(2)]
    values, *levels = zip(*rows, strict=True)
    assert nested_shares(values, *levels) == pytest.approx(np.array([1, 1, 0.49, 0.25]) / 2.74, abs=0.08)


def test_a_level_that_never_splits_has_no_share_of_its_own() -> None:
    assert nested_shares([0, 1, 0, 1], "aabb", "abab", "xxxx") == [0.0, 1.0, None, None]


def test_nothing_that_varies_has_no_shares() -> None:
    assert nested_shares([1, 1, 1, 1], "aabb", "abab") is None
