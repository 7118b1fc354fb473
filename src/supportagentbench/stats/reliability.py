"""Reliability: how well repeated trials of the same items agree."""

from collections.abc import Sequence
from functools import lru_cache
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

SHUFFLES = 4_999
SEED = 20260629


def all_of(hits: Sequence[int], trials: Sequence[int], k: int) -> float:
    """pass^k: the chance that k trials of an item all succeed, averaged over items; unbiased."""
    if k > min(trials):
        raise ValueError(f"{k} successes in a row cannot be estimated from {min(trials)} trials")
    return float(np.mean([comb(c, k) / comb(n, k) for c, n in zip(hits, trials, strict=True)]))


def flip_rate(hits: ArrayLike, trials: ArrayLike) -> float | None:
    """The chance that two trials of one item differ; None if every item was tried once."""
    k, n = np.asarray(hits, float), np.asarray(trials, float)
    k, n = k[n > 1], n[n > 1]
    return float((2 * k * (n - k) / (n * (n - 1))).mean()) if len(n) else None


def icc(hits: ArrayLike, trials: ArrayLike) -> float | None:
    """ICC(1): the share of variance that is between items; None if nothing varies or repeats."""
    k, n = np.asarray(hits, float), np.asarray(trials, float)
    items, total = len(n), float(n.sum())
    mean = float(k.sum()) / total
    if items < 2 or total == items or mean in (0.0, 1.0):
        return None
    between = float((n * (k / n - mean) ** 2).sum()) / (items - 1)
    within = float((k * (n - k) / n).sum()) / (total - items)
    size = (total - float((n**2).sum()) / total) / (items - 1)
    return (between - within) / (between + (size - 1) * within)


def spread_p(*tables: ArrayLike) -> float:
    """The p-value of the variance of column totals if each row's hits fell on its columns at random.

    Rows are items, columns are runs. This is Cochran's Q with its distribution from shuffling within rows.
    Tables with different columns add up.
    """
    drawn, seen = np.zeros(SHUFFLES), 0.0
    for number, table in enumerate(tables):
        x = np.asarray(table, float)
        x = x[np.ptp(x, axis=1) > 0]
        if len(x):
            drawn += _shuffled_totals(x.sum(1), x.shape[1], number).var(1)
            seen += float(x.sum(0).var())
    return _tail(drawn, seen)


def _shuffled_totals(hits: NDArray[np.float64], runs: int, number: int) -> NDArray[np.int64]:
    """Column totals, a row per shuffle: the hits of an item fall on the first places of its shuffle."""
    totals = np.zeros((SHUFFLES, runs), np.int64)
    for first, places in enumerate(_shuffles(len(hits), runs, number)):
        chosen = places[:, hits > first]
        for run in range(runs):
            totals[:, run] += np.count_nonzero(chosen == run, axis=1)
    return totals


@lru_cache(maxsize=32)
def _shuffles(items: int, runs: int, number: int) -> NDArray[np.uint8]:
    """Shuffled runs of every item: first the runs at first place, then those at second place …

    A run is found by counting smaller neighbours, which is faster than sorting.
    """
    drawn = np.moveaxis(np.random.default_rng(SEED + number).random((SHUFFLES, items, runs)), 2, 0).copy()
    return np.stack([np.sum([other < one for other in drawn], axis=0, dtype=np.uint8) for one in drawn])


def _tail(drawn: ArrayLike, seen: float) -> float:
    """The share of draws at least as large as the observed value, which counts as one of them."""
    return float((1 + np.sum(np.asarray(drawn) >= seen - 1e-9)) / (SHUFFLES + 1))
