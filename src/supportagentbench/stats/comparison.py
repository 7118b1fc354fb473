"""Comparison: which rows of a table differ, where each column is the same item for every row."""

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise as pairs
from math import sqrt
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supportagentbench.stats.rates import CONFIDENCE, cluster_sums, exact

Floats = NDArray[np.float64]

ENUMERATED = 14
"""Up to this many clusters every sign pattern is tried; above it, a seeded sample of patterns."""

FLIPS = 9_999

NEAR = 1e-9
"""Sums that differ by less than this are equal."""

RESAMPLES = 4_000
SEED = 20260629


class PairedDifference(NamedTuple):
    """The difference of two rows."""

    difference: float
    """Mean of the first minus mean of the second, over the items both have."""
    low: float
    high: float
    """As large as can be, or infinite, with so few clusters that nothing could be excluded."""
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


def paired(
    first: ArrayLike, second: ArrayLike, clusters: Sequence[str] | None = None, largest: float = 1.0
) -> PairedDifference:
    """Two rows of rates, compared item by item; items that one of them lacks (nan) are left out.

    The p-value comes from flipping the sign of whole clusters. The interval has every difference that the
    same test does not exclude, so it is without zero exactly if p is 0.05 or less. Where few items differ the
    test excludes too much, because others like these may differ. So both ends are as far away as the exact
    bound after no hit allows, unless that brings zero in. The bound counts trials between clusters and items,
    as `clustered_rates` does, each a hit if it differs by `largest` (0: not known, so there is no bound).
    """
    gap = np.asarray(first, float) - np.asarray(second, float)
    names = np.arange(len(gap)).astype(str) if clusters is None else np.asarray(clusters)
    names, gap = names[~np.isnan(gap)], gap[~np.isnan(gap)]
    if not len(gap):
        raise ValueError("no item in common")
    sums = cluster_sums(gap, names.tolist())
    sizes = cluster_sums(np.ones(len(gap)), names.tolist())
    signs = sign_patterns(len(sums))
    p = float((np.abs(signs @ sums) >= abs(sums.sum()) - NEAR).mean())
    mean, (low, high) = float(gap.mean()), _not_excluded(sums, sizes, signs)
    unseen = largest * exact(0, int(sqrt(len(gap) * len(sums))))[1]
    lower, higher = min(low, mean - unseen), max(high, mean + unseen)
    low, high = (low if lower <= 0 < low else lower), (high if high < 0 <= higher else higher)
    if largest:
        low, high = max(low, -largest), min(high, largest)
    return PairedDifference(mean, low, high, p, len(sums))


def _not_excluded(sums: Floats, sizes: Floats, signs: Floats) -> tuple[float, float]:
    """The smallest and the largest shift of all items that flipping signs does not exclude.

    A pattern is at least as extreme as what was seen for the shifts between two points, one for each of its
    halves: the mean of the items whose sign it keeps, and of those whose sign it turns. The mean of all is
    between them. So the share of patterns grows up to that mean and falls after it.
    """
    total, flipped = sums.sum(), signs @ sums
    count, turned = sizes.sum(), signs @ sizes
    kept, lost = _ratio(total + flipped, count + turned), _ratio(total - flipped, count - turned)
    needed = int((1 - CONFIDENCE) * len(signs))
    lows = np.where(np.isnan(lost), -np.inf, np.fmin(kept, lost))
    highs = np.where(np.isnan(lost), np.inf, np.fmax(kept, lost))
    return float(np.sort(lows)[needed]), float(np.sort(highs)[-1 - needed])


def _ratio(part: Floats, size: Floats) -> Floats:
    """Their ratio; nan where there is nothing, and zero where rounding alone makes it something else."""
    part = np.where(np.abs(part) < NEAR, 0.0, part)
    found: Floats = np.divide(part, size, out=np.full(len(part), np.nan), where=size > NEAR)
    return found


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
