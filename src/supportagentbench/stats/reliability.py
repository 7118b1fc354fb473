"""Reliability: how far repeated trials of the same items agree. No word of ours in here."""

from collections.abc import Sequence
from math import comb

import numpy as np
from numpy.typing import ArrayLike

SHUFFLES = 4_999
SEED = 20260629


def all_of(hits: Sequence[int], trials: Sequence[int], k: int) -> float:
    """pass^k: the chance that k trials of an item all hit, averaged over items; unbiased."""
    if k > min(trials):
        raise ValueError(f"{k} in a row cannot be told from {min(trials)}")
    return float(np.mean([comb(c, k) / comb(n, k) for c, n in zip(hits, trials, strict=True)]))


def flip_rate(hits: ArrayLike, trials: ArrayLike) -> float | None:
    """The chance that two trials of one item differ; unknown while each was tried once."""
    k, n = np.asarray(hits, float), np.asarray(trials, float)
    k, n = k[n > 1], n[n > 1]
    return float((2 * k * (n - k) / (n * (n - 1))).mean()) if len(n) else None


def icc(hits: ArrayLike, trials: ArrayLike) -> float | None:
    """ICC(1): the share of all variance that lies between items; none where nothing varies or repeats."""
    k, n = np.asarray(hits, float), np.asarray(trials, float)
    items, total = len(n), float(n.sum())
    mean = float(k.sum()) / total
    if items < 2 or total == items or mean in (0.0, 1.0):
        return None
    between = float((n * (k / n - mean) ** 2).sum()) / (items - 1)
    within = float((k * (n - k) / n).sum()) / (total - items)
    size = (total - float((n**2).sum()) / total) / (items - 1)
    return (between - within) / (between + (size - 1) * within)


def spread_p(table: ArrayLike) -> float:
    """The p-value of the spread of column totals, if each row's hits fall on its columns by chance.

    Rows are items, columns are runs. It is Cochran's Q, its distribution taken by shuffling within rows.
    """
    x = np.asarray(table, float)
    x = x[np.ptp(x, axis=1) > 0]
    if not len(x):
        return 1.0
    order = np.random.default_rng(SEED).random((SHUFFLES, *x.shape)).argsort(-1)
    totals = (order < x.sum(1)[:, None]).sum(1)
    return _tail(totals.var(1), float(x.sum(0).var()))


def _tail(drawn: ArrayLike, seen: float) -> float:
    """The share that reaches what was seen, the seen one among them."""
    return float((1 + np.sum(np.asarray(drawn) >= seen - 1e-9)) / (SHUFFLES + 1))
