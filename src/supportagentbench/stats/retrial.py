"""Retrial: whether items got worse, by one exact test of all of them and by trying suspicious ones again.

An item is tried before and after a change; a hit is bad. Nothing is assumed about the rate of an item, so
that an item with many hits before may have many now. First all items are tested together. Then every item
with a hit, whatever it was before, is tried again: these fresh trials do not depend on those that made it
suspicious, so a correction for the number of suspects is enough (and one for clean items only would not be).
"""

from collections.abc import Iterable
from functools import cache, lru_cache
from math import comb
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

LOOKS = (5, 10)
"""Fresh trials of a suspect after which it is tested."""

RATES = 999
"""Common rates, evenly spaced between 0 and 1, for which a threshold has to keep its level."""

MARGIN = 0.999
"""Share of the level that may be used on those rates, because a rate between two of them may need more."""


class ItemTrials(NamedTuple):
    """How often an item was tried before and after, and the hits."""

    before: int
    tried_before: int
    after: int
    tried_after: int


@cache
def _hits(total: int, before: int, after: int) -> tuple[float, ...]:
    """How likely 0, 1, 2 … of these hits are among the trials after, if when does not matter."""
    ways = comb(before + after, total)
    return tuple(
        comb(after, hits) * comb(before, total - hits) / ways for hits in range(min(after, total) + 1)
    )


@cache
def fisher(trials: ItemTrials) -> float:
    """How likely at least so many hits fall to the trials after, if nothing changed (one-sided)."""
    chances = _hits(trials.before + trials.after, trials.tried_before, trials.tried_after)
    return min(1.0, sum(chances[trials.after :]))


def together(items: Iterable[ItemTrials]) -> float:
    """The same for the hits of all items, each with a rate of its own: exact, however different they are."""
    chances, hits = np.ones(1), 0
    for one in items:
        chances = np.convolve(chances, _hits(one.before + one.after, one.tried_before, one.tried_after))
        hits += one.after
    return min(1.0, float(chances[hits:].sum()))


@cache
def threshold(tried_before: int, level: float) -> float:
    """The largest p-value of `fisher`, at either look, that is reached with at most this probability.

    It holds for every rate that an unchanged item may have (Boschloo's calibration of Fisher's test): the
    test by itself would be far too strict with so few trials. 0: no result is unlikely enough.
    """
    best, weights = _outcomes(tried_before)
    order = np.argsort(best, kind="stable")
    size = np.maximum.accumulate(np.cumsum(weights[order], axis=0).max(axis=1))
    last = np.append(best[order][1:] > best[order][:-1], True)  # Equal p-values are rejected together.
    allowed = best[order][last & (size <= level * MARGIN)]
    return float(allowed[-1]) if len(allowed) else 0.0


@lru_cache(16)
def _outcomes(tried_before: int) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Every possible result: the smallest p-value of its looks, and how likely it is at each rate."""
    first, last = LOOKS
    more = last - first
    rates = np.arange(1, RATES + 1) / (RATES + 1)
    best, weights = [], []
    for before in range(tried_before + 1):
        for early in range(first + 1):
            for late in range(more + 1):
                looks = ((early, first), (early + late, last))
                best.append(min(fisher(ItemTrials(before, tried_before, *look)) for look in looks))
                ways = comb(tried_before, before) * comb(first, early) * comb(more, late)
                hits = before + early + late
                weights.append(ways * rates**hits * (1 - rates) ** (tried_before + last - hits))
    return np.array(best), np.array(weights)
