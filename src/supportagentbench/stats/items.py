"""Items: whether agents that do well on the other items do well on this one, too."""

from collections.abc import Iterator
from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supportagentbench.stats.rates import correlation

SHUFFLES = 9_999
SEED = 20260629


class ItemRest(NamedTuple):
    """The correlation of an item with the rest of the items, over agents."""

    r: float
    low: float
    high: float
    p_backwards: float
    """How likely it is as far below zero if agents fell on the item at random."""


def item_rest(scores: ArrayLike) -> Iterator[ItemRest | None]:
    """For each column its correlation with the mean of the others; rows are agents, and nan means no score.
    Each item is compared with the others only, or it would correlate with itself. None where fewer than four
    agents
    have scores, or where the item or the rest does not vary.
    """
    table = np.asarray(scores, float)
    known = ~np.isnan(table)
    filled = np.where(known, table, 0.0)
    for item in range(table.shape[1]):
        counts = known.sum(1) - known[:, item]
        have = known[:, item] & (counts > 0)
        own = filled[have, item]
        rest = (filled[have].sum(1) - own) / counts[have]
        found = correlation(own, rest)
        yield ItemRest(*found, _p_below(own, rest)) if found else None


def _p_below(own: NDArray[np.float64], rest: NDArray[np.float64]) -> float:
    """The share of shuffles that fit as badly as what was seen, which counts as one of them."""
    drawn = own[_orders(len(own))] @ rest
    return float((1 + np.sum(drawn <= own @ rest + 1e-9)) / (SHUFFLES + 1))


@lru_cache(maxsize=32)
def _orders(agents: int) -> NDArray[np.int64]:
    return np.random.default_rng(SEED).random((SHUFFLES, agents)).argsort(1)
