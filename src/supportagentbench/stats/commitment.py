"""Commitment: the last step of a conversation from which on its outcome was settled.

Deciding an early step again also decides everything after it again. So the cause of an outcome is the latest
step at which deciding again still changes it: where the interval of that effect excludes zero.
"""

from collections.abc import Sequence

from scipy.special import betaincinv

from supportagentbench.stats.rates import CONFIDENCE

LASTING = 0.99
"""The share of trials with the recorded outcome from which it counts as settled: one slip is allowed."""


def point_of_commitment(same: Sequence[int], trials: Sequence[int]) -> int | None:
    """The latest step whose effect interval excludes zero, from 0; None if no step's does.

    `same`: how many of the trials from this step on had the recorded outcome. All steps share 5%.
    """
    tail = (1 - CONFIDENCE) / max(1, len(same))
    found = None
    for step, (k, n) in enumerate(zip(same, trials, strict=True)):
        if n and largest_share(k, n, tail) < LASTING:
            found = step
    return found


def largest_share(hits: int, trials: int, tail: float) -> float:
    """The exact upper bound of a share, one-sided."""
    return float(betaincinv(hits + 1, trials - hits, 1 - tail)) if hits < trials else 1.0
