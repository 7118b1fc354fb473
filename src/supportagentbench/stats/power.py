"""Power: what difference a plan can show, before anything is run. No word of ours in here."""

from math import ceil
from typing import NamedTuple

import numpy as np

from supportagentbench.stats.comparison import SEED, Floats, sign_patterns
from supportagentbench.stats.rates import CONFIDENCE

LEVEL = 1 - CONFIDENCE
POWER = 0.8
PLAYED = 2_000
STEPS = 9
"""Halvings of the range in the search for a difference: to half a point at most."""


class PowerPlan(NamedTuple):
    """What is going to be tried, and what is expected of the one to be compared with."""

    clusters: int
    size: int
    """Items a cluster."""
    runs: int
    rate: float
    icc: float = 0.45
    """How much items differ: the share of a trial's variance that lies between them."""


def power(plan: PowerPlan, difference: float, level: float = LEVEL) -> float:
    """The chance that a paired comparison finds a rate higher by so much, from seeded play.

    Both sides share the items' rates. The difference sits in half of the clusters, or in as many as it takes.
    """
    signs = sign_patterns(plan.clusters)[: ceil(100 / level)]
    gaps = _played(plan, difference)
    found = 0
    for part in np.array_split(gaps, 20):
        p = (np.abs(part @ signs.T) >= np.abs(part.sum(1, keepdims=True)) - 1e-9).mean(1)
        found += int(((p <= level) & (part.sum(1) > 0)).sum())
    return found / len(gaps)


def detectable(plan: PowerPlan, level: float = LEVEL) -> float | None:
    """The difference that the plan finds four times in five; none if it misses even the largest."""
    low, high = 0.0, 1 - plan.rate
    if power(plan, high, level) < POWER:
        return None
    for _ in range(STEPS):
        middle = (low + high) / 2
        low, high = (low, middle) if power(plan, middle, level) >= POWER else (middle, high)
    return high


def _played(plan: PowerPlan, difference: float) -> Floats:
    """How many hits more, a line a play and a column a cluster."""
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
