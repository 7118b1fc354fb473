"""Hazard: the chance that something happens on one of several steps, each tried by itself."""

from collections.abc import Sequence
from math import exp, inf, log1p, sqrt

from supportagentbench.stats.rates import wilson


def total_hazard(hits: Sequence[int], trials: Sequence[int]) -> tuple[float, float, float]:
    """1 - (1 - h1)(1 - h2)…, with an interval; approximate, since it takes the steps to be independent.

    The interval adds up the distances of the steps' own limits on the scale of logarithms (MOVER).
    """
    logs = [(_safe(k / n), *map(_safe, wilson(k / n, n))) for k, n in zip(hits, trials, strict=True)]
    total = sum(rate for rate, _, _ in logs)
    if total == inf:
        low = sum(low for _, low, _ in logs)
        return 1.0, 1 - exp(-low), 1.0
    below = sqrt(sum((rate - low) ** 2 for rate, low, _ in logs))
    above = sqrt(sum((high - rate) ** 2 for rate, _, high in logs))
    return 1 - exp(-total), 1 - exp(-max(0.0, total - below)), 1 - exp(-(total + above))


def _safe(rate: float) -> float:
    """The cumulative hazard of a step."""
    return -log1p(-rate) if rate < 1 else inf
