"""The exact tests of the gate: against brute force, and thresholds that keep their level at every rate."""

from itertools import product
from math import comb, prod

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from supportagentbench.stats.retrial import LOOKS, ItemTrials, fisher, threshold, together

FINE = np.linspace(0.0, 1.0, 4_001)


def size(tried_before: int, limit: float) -> float:
    """How often an unchanged item is called new at most, over a grid finer than the threshold's own."""
    total = np.zeros_like(FINE)
    first, last = LOOKS
    for before, early, late in product(range(tried_before + 1), range(first + 1), range(last - first + 1)):
        p = min(
            fisher(ItemTrials(before, tried_before, early, first)),
            fisher(ItemTrials(before, tried_before, early + late, last)),
        )
        if p <= limit:
            hits = before + early + late
            ways = comb(tried_before, before) * comb(first, early) * comb(last - first, late)
            total += ways * FINE**hits * (1 - FINE) ** (tried_before + last - hits)
    return float(total.max())


@pytest.mark.parametrize("tried_before", [0, 1, 2, 3, 5, 10, 17])
@pytest.mark.parametrize("level", [0.03, 0.03 / 2, 0.03 / 7, 0.03 / 18])
def test_a_threshold_never_exceeds_its_level_whatever_the_rate(tried_before: int, level: float) -> None:
    limit = threshold(tried_before, level)
    assert size(tried_before, limit) <= level
    if tried_before == 10:
        assert size(tried_before, limit) > level / 5, "and it is not far below"


def needed(before: int, tried_before: int, look: int, suspects: int) -> int | None:
    limit = threshold(tried_before, 0.03 / suspects)
    hits = (hits for hits in range(look + 1) if fisher(ItemTrials(before, tried_before, hits, look)) <= limit)
    return next(hits, None)


@pytest.mark.parametrize(
    ("tried_before", "suspects", "hits"),
    [(10, 1, (3, 4)), (10, 2, (3, 5)), (10, 3, (4, 5)), (10, 4, (4, 5)), (10, 18, (5, 7)), (3, 1, (5, 7))],
)
def test_how_many_reruns_have_to_be_bad(tried_before: int, suspects: int, hits: tuple[int, int]) -> None:
    assert tuple(needed(0, tried_before, look, suspects) for look in LOOKS) == hits


def test_one_run_before_proves_nothing() -> None:
    assert needed(0, 1, 10, 1) is None and needed(0, 0, 10, 1) is None


counts = st.integers(0, 4).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n)))
items = st.lists(st.tuples(counts, counts), min_size=1, max_size=3)


@settings(max_examples=60, deadline=None)
@given(items)
def test_all_items_together_are_what_brute_force_says(
    found: list[tuple[tuple[int, int], tuple[int, int]]],
) -> None:
    """Every way to place each item's hits among its trials is equally likely."""
    trials = [ItemTrials(*before, *after) for before, after in found]
    seen, ways = sum(one.after for one in trials), 0
    for placed in product(*(range(one.tried_after + 1) for one in trials)):
        each = [
            comb(one.tried_after, hits) * comb(one.tried_before, one.before + one.after - hits)
            if one.before + one.after >= hits
            else 0
            for one, hits in zip(trials, placed, strict=True)
        ]
        ways += prod(each) if sum(placed) >= seen else 0
    of = prod(comb(one.tried_before + one.tried_after, one.before + one.after) for one in trials)
    assert together(trials) == pytest.approx(ways / of)


def test_one_item_together_is_fishers_test() -> None:
    one = ItemTrials(1, 10, 3, 5)
    assert together([one]) == pytest.approx(fisher(one)) == pytest.approx(0.0769, abs=1e-4)
    assert together([]) == fisher(ItemTrials(0, 10, 0, 5)) == 1


def test_an_item_without_trials_before_says_nothing() -> None:
    assert together([ItemTrials(0, 0, 3, 3)] * 18) == 1


def test_two_traps_of_eighteen_that_turn_from_never_to_always_are_called_at_once() -> None:
    still = [ItemTrials(0, 10, 0, 3)] * 16
    assert together([*still, *[ItemTrials(0, 10, 3, 3)] * 2]) < 0.003
    assert together([*still, *[ItemTrials(0, 10, 1, 3)] * 2]) > 0.02
