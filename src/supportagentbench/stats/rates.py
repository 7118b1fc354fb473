"""Statistics of rates: numbers in, numbers out. No word of ours in here.

Intervals are two-sided 95% ones unless they say otherwise.
"""

from collections.abc import Sequence
from math import atanh, comb, sqrt, tanh
from statistics import NormalDist

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, stdtrit

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

FEW_CLUSTERS = 10
"""Below so many clusters an interval for more of the same kind deserves a warning."""


def wilson(rate: float, trials: float, quantile: float = Z) -> tuple[float, float]:
    """Wilson's interval for a rate seen in so many independent trials."""
    z = quantile
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials**2))
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def exact(hits: int, trials: int) -> tuple[float, float]:
    """Clopper and Pearson's interval: never covers too seldom, often too much."""
    return _lower(hits, trials, (1 - CONFIDENCE) / 2), _upper(hits, trials, (1 - CONFIDENCE) / 2)


def at_most(hits: int, trials: int) -> float:
    """The one-sided exact bound: with none seen in 54 the rate may still be 5.4%."""
    return _upper(hits, trials, 1 - CONFIDENCE)


def _lower(hits: int, trials: int, tail: float) -> float:
    return float(betaincinv(hits, trials - hits + 1, tail)) if hits else 0.0


def _upper(hits: int, trials: int, tail: float) -> float:
    return float(betaincinv(hits + 1, trials - hits, 1 - tail)) if hits < trials else 1.0


def repeated_wilson(hits: ArrayLike, trials: ArrayLike) -> tuple[float, float]:
    """Wilson's interval for the pooled rate of these very items, were they tried again.

    Only what varies between an item's own trials counts as noise, so items that differ among themselves
    make it narrower than plain Wilson. One imaginary item in which one trial differs keeps luck from
    looking like certainty; items tried once tell nothing of their noise and count in full.
    """
    k, n = np.asarray(hits, float), np.asarray(trials, float)
    total = float(n.sum())
    rate = float(k.sum()) / total
    noise = 1 + float(np.where(n > 1, k * (n - k) / np.maximum(n - 1, 1), rate * (1 - rate)).sum())
    return wilson(rate, max(total, total**2 * rate * (1 - rate) / noise))


def clustered_wilson(
    rates: Sequence[float], clusters: Sequence[str], weights: Sequence[float] | None = None
) -> tuple[float, float]:
    """Wilson's interval for the mean of rates (or scores from 0 to 1) that come in clusters.

    The number of trials is what independent ones would have to be for the variance between clusters, or
    between items where that is larger, and Student's t replaces z because clusters are few. An imaginary
    hit and an imaginary miss, each worth the root of a cluster, keep rare events from looking certain.
    """
    x, w = np.asarray(rates, float), np.ones(len(rates)) if weights is None else np.asarray(weights, float)
    count, groups = len(x), len(set(clusters))
    w = w * count / w.sum()
    mean = float(w @ x) / count
    if groups < 2:
        return wilson(mean, 1)
    residuals = w * (x - mean)
    between = groups / (groups - 1) * float((cluster_sums(residuals, clusters) ** 2).sum())
    among = count / (count - 1) * float((residuals**2).sum())
    size = sqrt(count / groups)
    whole = count + 2 * size
    pulled = (count * mean + size) / whole
    variance = (max(between, among) + size**2 * (pulled**2 + (1 - pulled) ** 2)) / whole**2
    return wilson(mean, max(pulled * (1 - pulled) / variance, 1.0), student(groups - 1))


def student(freedom: float) -> float:
    """The quantile of Student's t that takes the place of z."""
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def cluster_sums(values: NDArray[np.float64], clusters: Sequence[str]) -> NDArray[np.float64]:
    """Sums by cluster over the last axis, in the order in which clusters first appear."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    member = np.zeros((len(clusters), len(numbers)))
    member[np.arange(len(clusters)), [numbers[name] for name in clusters]] = 1.0
    return values @ member


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """P-values adjusted for how many there are, after Holm; in the order given."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def fisher(first: tuple[int, int], second: tuple[int, int]) -> float:
    """The p-value that two counts (hits, trials) share one rate, where nothing pairs them."""
    (a, m), (b, n) = first, second
    hits = a + b
    ways = [comb(m, k) * comb(n, hits - k) for k in range(hits + 1)]
    return sum(count for count in ways if count <= ways[a]) / comb(m + n, hits)


def grim(percentage: float, trials: int, decimals: int = 0, runs: int = 1) -> bool:
    """Whether a printed percentage can be a median of so many runs of so many trials each.

    The median of an odd number of runs is one of them; that of an even number may lie halfway between two.
    Halves may have been rounded either way.
    """
    steps = trials if runs % 2 else 2 * trials
    nearest = min(max(round(percentage / 100 * steps), 0), steps)
    return abs(100 * nearest / steps - percentage) <= 0.5 * 10.0**-decimals + 1e-9


def ranks(values: ArrayLike) -> NDArray[np.float64]:
    """The place of each value, 1 for the smallest; equal values share the mean of their places."""
    found = np.asarray(values, float)
    ordered = np.sort(found)
    return (np.searchsorted(ordered, found, "left") + np.searchsorted(ordered, found, "right") + 1) / 2


def correlation(first: ArrayLike, second: ArrayLike) -> tuple[float, float, float] | None:
    """Pearson's r and its interval after Fisher; none below four pairs or where nothing varies."""
    x, y = np.asarray(first, float), np.asarray(second, float)
    if len(x) < 4 or not np.ptp(x) or not np.ptp(y):
        return None
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))
    if abs(r) == 1:
        return r, r, r
    half = Z / sqrt(len(x) - 3)
    return r, tanh(atanh(r) - half), tanh(atanh(r) + half)
