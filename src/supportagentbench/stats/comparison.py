"""Comparison: which rows of a table differ, where each column is the same item for every row."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise as pairs
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supportagentbench.stats.rates import CONFIDENCE, cluster_sums, exact, student

Floats = NDArray[np.float64]

ENUMERATED = 14
"""Up to this many clusters every sign pattern is tried; above it, a seeded sample of patterns."""

FLIPS = 9_999
RESAMPLES = 4_000
SEED = 20260629


class PairedDifference(NamedTuple):
    """The difference of two rows."""

    difference: float
    """Mean of the first minus mean of the second, over the items both have."""
    low: float
    high: float
    p: float
    """Share of sign patterns with a difference at least this large."""
    clusters: int


class Pairwise(NamedTuple):
    """Every row compared with every other: square tables, first minus second."""

    difference: Floats
    p: Floats
    adjusted: Floats
    """P-values adjusted for all pairs: they bound the chance of any false finding."""


class Rank(NamedTuple):
    """The ranks that remain possible; 1 is the best."""

    best: int
    worst: int


def paired(first: ArrayLike, second: ArrayLike, clusters: Sequence[str] | None = None) -> PairedDifference:
    """Two rows of rates, compared item by item; items that one of them lacks (nan) are left out.

    The p-value comes from flipping the sign of whole clusters. The interval is Student's, from the variance
    between clusters or between items, whichever is larger. If all items differ by the same amount, the
    interval comes from the exact bound on how many others could differ.
    """
    gap = np.asarray(first, float) - np.asarray(second, float)
    names = np.arange(len(gap)).astype(str) if clusters is None else np.asarray(clusters)
    names, gap = names[~np.isnan(gap)], gap[~np.isnan(gap)]
    if not len(gap):
        raise ValueError("no item in common")
    sums = cluster_sums(gap, names.tolist())
    p = float((np.abs(sign_patterns(len(sums)) @ sums) >= abs(sums.sum()) - 1e-9).mean())
    mean, half = float(gap.mean()), _half_width(gap, names.tolist())
    return PairedDifference(mean, mean - half, mean + half, p, len(sums))


def _half_width(gap: Floats, clusters: Sequence[str]) -> float:
    count, groups = len(gap), len(set(clusters))
    if groups < 2:
        return float("inf")
    if not np.ptp(gap):
        return exact(0, count)[1]
    residuals = gap - gap.mean()
    between = groups / (groups - 1) * float((cluster_sums(residuals, clusters) ** 2).sum())
    among = count / (count - 1) * float((residuals**2).sum())
    return student(groups - 1) * sqrt(max(between, among)) / count


def pairwise(values: ArrayLike, clusters: Sequence[str]) -> Pairwise:
    """Every row compared with every other over the items both have; nan marks a missing item.

    Signs are flipped for all pairs together. The largest studentised gap is compared, stepping down from the
    clearest pair, so that correlated pairs do not cost power (Westfall and Young).
    """
    x = np.atleast_2d(np.asarray(values, float))
    has = ~np.isnan(x)
    rows, columns = np.triu_indices(len(x), 1)
    known = np.where(has, x, 0.0)
    gaps = cluster_sums(known[rows] * has[columns] - known[columns] * has[rows], clusters)
    shared = (has[rows] & has[columns]).sum(1)
    norm = np.sqrt((gaps**2).sum(1))
    scaled = np.divide(gaps, norm[:, None], out=np.zeros_like(gaps), where=norm[:, None] > 0)
    seen = np.abs(scaled.sum(1))
    order = np.argsort(seen)
    reach = (seen[order, None] - 1e-4).astype(np.float32)
    flipped = np.abs(scaled[order].astype(np.float32) @ sign_patterns(gaps.shape[1]).T.astype(np.float32))
    p, adjusted = np.empty(len(rows)), np.empty(len(rows))
    p[order] = _share(flipped >= reach)
    for lower, higher in pairs(flipped):
        np.maximum(lower, higher, out=higher)
    adjusted[order] = np.maximum.accumulate(_share(flipped >= reach)[::-1])[::-1]
    mean = np.divide(gaps.sum(1), shared, out=np.full(len(rows), np.nan), where=shared > 0)
    return Pairwise(_square(mean, len(x), -1.0, 0.0), _square(p, len(x)), _square(adjusted, len(x)))


def _share(table: NDArray[np.bool_]) -> Floats:
    """The share of each row that is true."""
    return np.asarray(np.count_nonzero(table, axis=1) / table.shape[1], float)


def _square(upper: Floats, size: int, mirror: float = 1.0, diagonal: float = 1.0) -> Floats:
    """A square table from its upper half."""
    table = np.full((size, size), diagonal)
    rows, columns = np.triu_indices(size, 1)
    table[rows, columns], table[columns, rows] = upper, mirror * upper
    return table


@lru_cache(maxsize=16)
def sign_patterns(clusters: int) -> Floats:
    """Sign patterns, the observed one first; one of each pattern and its mirror image is enough."""
    if clusters <= ENUMERATED:
        turned = np.arange(2 ** (clusters - 1))[:, None] >> np.arange(clusters) & 1
    else:
        turned = np.random.default_rng(SEED).integers(0, 2, (FLIPS + 1, clusters))
        turned[0] = 0
    return np.where(turned, -1.0, 1.0)


@lru_cache(maxsize=16)
def _draws(groups: int) -> Floats:
    """How often each cluster is drawn, with replacement, one draw fewer than there are clusters."""
    drawn = np.random.default_rng(SEED).multinomial(groups - 1, np.full(groups, 1 / groups), RESAMPLES)
    return drawn.astype(float)


def ranks(found: Pairwise, level: float = 1 - CONFIDENCE) -> list[Rank]:
    """The possible ranks of each row, jointly correct with 95% confidence; higher is better."""
    apart = found.adjusted <= level
    above, below = apart & (found.difference < 0), apart & (found.difference > 0)
    size = len(apart)
    return [Rank(1 + int(a), size - int(b)) for a, b in zip(above.sum(1), below.sum(1), strict=True)]


def dominance(first: ArrayLike, second: ArrayLike, better: Sequence[int], clusters: Sequence[str]) -> float:
    """The share of resamples in which the first is nowhere worse than the second and somewhere better.

    Both are tables with a row per measure and a column per item (nan where a measure does not apply);
    `better` is 1 where higher is better and -1 where lower is. Clusters are drawn with replacement, one
    fewer than there are, which keeps the variance unbiased when they are few (Rao and Wu).
    """
    gap = np.asarray(better)[:, None] * (np.asarray(first, float) - np.asarray(second, float))
    sums = cluster_sums(np.nan_to_num(gap), clusters)
    sizes = cluster_sums((~np.isnan(gap)).astype(float), clusters)
    groups = sums.shape[1]
    drawn = _draws(groups)
    lead = drawn @ sums.T
    known = (drawn @ sizes.T > 0).all(1)
    return float((known & (lead >= -1e-9).all(1) & (lead > 1e-9).any(1)).mean())
