"""Power: which difference a planned comparison can detect."""

from math import ceil
from typing import NamedTuple

import numpy as np

from supportagentbench.stats.comparison import SEED, Floats, sign_patterns
from supportagentbench.stats.rates import CONFIDENCE

LEVEL = 1 - CONFIDENCE
POWER = 0.8
PLAYED = 2_000
STEPS = 9
"""Bisection steps in the search for the smallest difference."""


class PowerPlan(NamedTuple):
    """A planned comparison and the expected rate of the first side."""

    clusters: int
    size: int
    """Items per cluster."""
    runs: int
    rate: float
    icc: float = 0.45
    """The share of a trial's variance that is between items."""


def power(plan: PowerPlan, difference: float, level: float = LEVEL) -> float:
    """The chance that a paired comparison detects this difference in rates, from a seeded simulation.

    Both sides share the items' rates. The difference is in half of the clusters, or in as many as it takes.
    """
    signs = sign_patterns(plan.clusters)[: ceil(100 / level)]
    gaps = _played(plan, difference)
    found = 0
    for part in np.array_split(gaps, 20):
        p = (np.abs(part @ signs.T) >= np.abs(part.sum(1, keepdims=True)) - 1e-9).mean(1)
        found += int(((p <= level) & (part.sum(1) > 0)).sum())
    return found / len(gaps)


def detectable(plan: PowerPlan, level: float = LEVEL) -> float | None:
    """The smallest difference detected with 80% power; None if even the largest possible is not."""
    low, high = 0.0, 1 - plan.rate
    if power(plan, high, level) < POWER:
        return None
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(plan, middle, level) >= POWER else (middle, high)
    return high


def _played(plan: PowerPlan, difference: float) -> Floats:
    """How many more hits the second side has: a row per simulation, a column per cluster."""
    random = np.random.default_rng(SEED)
    shape = (PLAYED, plan.clusters, plan.size)
    strength = (1 - plan.icc) / plan.icc
    rates = random.beta(plan.rate * strength, (1 - plan.rate) * strength, shape)
    part = difference / (1 - plan.rate)
    touched = max(ceil(plan.clusters / 2), ceil(plan.clusters * part - 1e-9))
    lift = np.where(np.arange(plan.clusters) < touched, part * plan.clusters / touched, 0.0)[:, None]
    raised = rates + (1 - rates) * np.minimum(lift, 1.0)
    more = random.binomial(plan.runs, raised) - random.binomial(plan.runs, rates)
    return np.asarray(more.sum(2), float)
