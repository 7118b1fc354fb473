"""Margin: whether something got worse by more than a margin, on the same items before and after.

Tango's score test of paired results: only pairs that differ count. The items are given, and each may have a
rate of its own, which makes the test stricter than its level and never laxer.
"""

from math import sqrt
from statistics import NormalDist
from typing import NamedTuple

STEPS = 40
"""Bisections of a bound: far more than anyone prints."""


class PairedCounts(NamedTuple):
    """Pairs of a result before and one after, and how many of them differ."""

    worse: int
    better: int
    pairs: int

    @property
    def rise(self) -> float:
        """By how much the share of bad results rose."""
        return (self.worse - self.better) / self.pairs


def score(counts: PairedCounts, rise: float) -> float:
    """How many standard errors the observed rise is above this one."""
    n, worse, better = counts.pairs, counts.worse, counts.better
    a, b, c = 2 * n, -worse - better + (2 * n - worse + better) * rise, -better * rise * (1 - rise)
    share = (sqrt(max(0.0, b * b - 4 * a * c)) - b) / (2 * a)
    variance = n * (2 * share + rise * (1 - rise))
    gap = worse - better - n * rise
    if variance > 0:
        return gap / sqrt(variance)
    return 0.0 if abs(gap) < 1e-9 else float("inf") if gap > 0 else float("-inf")


def is_above(counts: PairedCounts, margin: float, level: float) -> bool:
    """Whether a rise of no more than the margin is ruled out."""
    return score(counts, margin) >= NormalDist().inv_cdf(1 - level)


def most_rise(counts: PairedCounts, level: float) -> float:
    """The largest rise that is not ruled out."""
    z, low, high = -NormalDist().inv_cdf(1 - level), counts.rise, 1.0
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (middle, high) if score(counts, middle) > z else (low, middle)
    return high
