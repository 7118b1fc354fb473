"""Rates and their intervals. Intervals are two-sided with 95% confidence unless stated otherwise."""

from collections.abc import Sequence
from functools import lru_cache
from math import atanh, sqrt, tanh
from statistics import NormalDist
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betaincinv, gammaln, stdtrit

CONFIDENCE = 0.95
Z = NormalDist().inv_cdf((1 + CONFIDENCE) / 2)

FEW_CLUSTERS = 10
"""With fewer clusters than this, an interval for new clusters is only a rough guide."""


def wilson(rate: float, trials: float, quantile: float = Z) -> tuple[float, float]:
    """Wilson's interval for a rate observed in a number of independent trials."""
    z = quantile
    middle = (rate + z * z / (2 * trials)) / (1 + z * z / trials)
    half = z / (1 + z * z / trials) * sqrt(rate * (1 - rate) / trials + z * z / (4 * trials**2))
    return max(0.0, min(rate, middle - half)), min(1.0, max(rate, middle + half))


def exact(hits: int, trials: int) -> tuple[float, float]:
    """The Clopper-Pearson interval: covers at least as often as stated, usually more often."""
    return _lower(hits, trials, (1 - CONFIDENCE) / 2), _upper(hits, trials, (1 - CONFIDENCE) / 2)


def at_most(hits: int, trials: int) -> float:
    """The one-sided exact upper bound: after 0 of 54, the rate may still be 5.4%."""
    return _upper(hits, trials, 1 - CONFIDENCE)


def at_least(hits: int, trials: int) -> float:
    """The one-sided exact lower bound."""
    return _lower(hits, trials, 1 - CONFIDENCE)


def _lower(hits: int, trials: int, tail: float) -> float:
    return float(betaincinv(hits, trials - hits + 1, tail)) if hits else 0.0


def _upper(hits: int, trials: int, tail: float) -> float:
    return float(betaincinv(hits + 1, trials - hits, 1 - tail)) if hits < trials else 1.0


class RepeatedTrials(NamedTuple):
    """Items tried repeatedly, and how many independent trials they are worth."""

    rate: float
    noise: float
    """Variance between trials of the same item, summed over items, plus one imaginary differing trial."""
    worth: float


def repeated_trials(hits: ArrayLike, trials: ArrayLike) -> RepeatedTrials:
    """What trials of the same items are worth for an interval about these items.

    Only variation between trials of one item is noise, so items that differ from each other make the
    interval narrower than plain Wilson. The imaginary differing trial prevents certainty by luck. Items
    tried once say nothing about their noise and count in full.
    """
    k, n = np.asarray(hits, float), np.asarray(trials, float)
    total = float(n.sum())
    rate = float(k.sum()) / total
    noise = 1 + float(np.where(n > 1, k * (n - k) / np.maximum(n - 1, 1), rate * (1 - rate)).sum())
    return RepeatedTrials(rate, noise, max(total, total**2 * rate * (1 - rate) / noise))


def repeated_wilson(hits: ArrayLike, trials: ArrayLike) -> tuple[float, float]:
    """Wilson's interval for the pooled rate if the same items were tried again."""
    found = repeated_trials(hits, trials)
    return wilson(found.rate, found.worth)


def run_again(hits: ArrayLike, trials: ArrayLike) -> tuple[float, float]:
    """The interval for the pooled rate if the same items were tried again: the only one that is printed.

    After none or only hits, it ends at the one-sided exact bound, which also decides words and limits.
    """
    total, hit = round(float(np.sum(trials))), float(np.sum(hits))
    if hit == 0:
        return 0.0, at_most(0, total)
    return (at_least(total, total), 1.0) if hit == total else repeated_wilson(hits, trials)


class ClusteredRates(NamedTuple):
    """Rates that come in clusters, and how many independent trials they are worth."""

    mean: float
    between: float
    """Variance between clusters, corrected for their number."""
    among: float
    """Variance between items, corrected for their number."""
    imaginary: float
    """Size of the imaginary hit and of the imaginary miss, in items."""
    pulled: float
    """The mean with both of them included."""
    variance: float
    """Of that mean."""
    worth: float
    quantile: float
    """Student's, because clusters are few; of unequal clusters, as many count as would be worth the same."""


def clustered_rates(
    rates: Sequence[float], clusters: Sequence[str], weights: Sequence[float] | None = None
) -> ClusteredRates:
    """What clustered rates (or scores from 0 to 1) are worth for an interval about new clusters.

    The worth is the number of independent trials that would have the same variance: between clusters, or
    between items if that is larger. An imaginary hit and an imaginary miss, each worth the square root of
    the cluster size, prevent rare events from looking certain.
    """
    x, w = np.asarray(rates, float), np.ones(len(rates)) if weights is None else np.asarray(weights, float)
    count, groups = len(x), len(set(clusters))
    w = w * count / w.sum()
    mean = float(w @ x) / count
    residuals = w * (x - mean)
    sizes = cluster_sums(w, clusters)
    between = _unbiased(sizes) * float((cluster_sums(residuals, clusters) ** 2).sum())
    among = count / max(count - 1, 1) * float((residuals**2).sum())
    size = sqrt(count / groups)
    whole = count + 2 * size
    pulled = (count * mean + size) / whole
    variance = (max(between, among) + size**2 * (pulled**2 + (1 - pulled) ** 2)) / whole**2
    if groups < 2:
        return ClusteredRates(mean, between, among, size, pulled, variance, 1.0, Z)
    worth = max(pulled * (1 - pulled) / variance, 1.0)
    freedom = float(sizes.sum() ** 2 / (sizes**2).sum()) - 1
    return ClusteredRates(mean, between, among, size, pulled, variance, worth, student(freedom))


def _unbiased(sizes: NDArray[np.float64]) -> float:
    """What corrects the variance between clusters for their number: with G of equal size, G / (G - 1)."""
    total, squares = float(sizes.sum()), float((sizes**2).sum())
    seen = squares - 2 * float((sizes**3).sum()) / total + squares**2 / total**2
    return squares / seen if len(sizes) > 1 else 1.0


def clustered_wilson(
    rates: Sequence[float], clusters: Sequence[str], weights: Sequence[float] | None = None
) -> tuple[float, float]:
    """Wilson's interval for the mean rate if new clusters of the same kind were drawn."""
    found = clustered_rates(rates, clusters, weights)
    return wilson(found.mean, found.worth, found.quantile)


def like_these(hits: Sequence[float], trials: Sequence[int], clusters: Sequence[str]) -> tuple[float, float]:
    """The interval for the pooled rate if other items like these were tried: the only one that is printed.

    Other items are also other trials, so it is never narrower than that of `run_again`.
    """
    rates = [hit / count for hit, count in zip(hits, trials, strict=True)]
    low, high = clustered_wilson(rates, clusters, trials)
    lower, higher = run_again(hits, trials)
    return min(low, lower), max(high, higher)


def mean_half_width(values: Sequence[float], clusters: Sequence[str]) -> float:
    """Half of Student's interval for a mean if new clusters of the same kind were drawn.

    From the variance between clusters or between items, whichever is larger; infinite for one cluster.
    """
    x, count, groups = np.asarray(values, float), len(values), len(set(clusters))
    if groups < 2:
        return float("inf")
    residuals = x - x.mean()
    between = groups / (groups - 1) * float((cluster_sums(residuals, clusters) ** 2).sum())
    among = count / (count - 1) * float((residuals**2).sum())
    return student(groups - 1) * sqrt(max(between, among)) / count


@lru_cache(maxsize=256)
def student(freedom: float) -> float:
    """The quantile of Student's t that replaces z."""
    return float(stdtrit(freedom, (1 + CONFIDENCE) / 2))


def cluster_sums(values: NDArray[np.float64], clusters: Sequence[str]) -> NDArray[np.float64]:
    """Sums per cluster over the last axis, in order of first appearance."""
    numbers = {name: number for number, name in enumerate(dict.fromkeys(clusters))}
    member = np.zeros((len(clusters), len(numbers)))
    member[np.arange(len(clusters)), [numbers[name] for name in clusters]] = 1.0
    return values @ member


def holm(p_values: ArrayLike) -> NDArray[np.float64]:
    """Holm-adjusted p-values, in the order given."""
    p = np.asarray(p_values, float)
    order = np.argsort(p, kind="stable")
    stepped = np.maximum.accumulate(p[order] * np.arange(len(p), 0, -1))
    adjusted = np.empty(len(p))
    adjusted[order] = np.minimum(stepped, 1.0)
    return adjusted


def fisher(first: tuple[int, int], second: tuple[int, int]) -> float:
    """Fisher's exact test of two unpaired counts (hits, trials): the p-value of an equal rate."""
    (a, m), (b, n) = first, second
    hits = a + b
    k = np.arange(max(0, hits - n), min(m, hits) + 1)
    chance = np.exp(_log_ways(m, k) + _log_ways(n, hits - k) - _log_ways(m + n, np.array(hits)))
    # Tables as likely as the one seen count too; rounding must not leave them out.
    return min(1.0, float(chance[chance <= chance[k == a] * (1 + 1e-9)].sum()))


def _log_ways(trials: int, hits: NDArray[np.int64]) -> NDArray[np.float64]:
    """The logarithm of the number of ways to choose this many of the trials."""
    return gammaln(trials + 1) - gammaln(hits + 1) - gammaln(trials - hits + 1)


def grim(percentage: float, trials: int, decimals: int = 0, runs: int = 1) -> bool:
    """Whether a printed percentage can be the median of this many runs of this many trials.

    The median of an odd number of runs is one of them; that of an even number may be halfway between two.
    Halves may have been rounded up or down.
    """
    steps = trials if runs % 2 else 2 * trials
    nearest = min(max(round(percentage / 100 * steps), 0), steps)
    return abs(100 * nearest / steps - percentage) <= 0.5 * 10.0**-decimals + 1e-9


def ranks(values: ArrayLike) -> NDArray[np.float64]:
    """The rank of each value, 1 for the smallest; equal values share the mean of their ranks."""
    found = np.asarray(values, float)
    ordered = np.sort(found)
    return (np.searchsorted(ordered, found, "left") + np.searchsorted(ordered, found, "right") + 1) / 2


def correlation(first: ArrayLike, second: ArrayLike) -> tuple[float, float, float] | None:
    """Pearson's r with Fisher's interval; None with fewer than four pairs or without variation."""
    x, y = np.asarray(first, float), np.asarray(second, float)
    if len(x) < 4 or not np.ptp(x) or not np.ptp(y):
        return None
    r = float(np.clip(np.corrcoef(x, y)[0, 1], -1.0, 1.0))
    if abs(r) == 1:
        return r, r, r
    half = Z / sqrt(len(x) - 3)
    return r, tanh(atanh(r) - half), tanh(atanh(r) + half)
