"""Power: which difference a planned comparison can detect."""

from math import ceil, sqrt
from typing import NamedTuple

import numpy as np
from scipy.special import ndtr, ndtri

from supportagentbench.stats.comparison import SEED, Floats, sign_patterns
from supportagentbench.stats.likeness import Likeness
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
    return share_found(_played(plan, difference), level)


def share_found(gaps: Floats, level: float = LEVEL) -> float:
    """How often the test of a paired comparison finds the second side above the first.

    A row per simulation, a column per cluster.
    """
    signs, found = sign_patterns(gaps.shape[1])[: ceil(100 / level)], 0
    for part in np.array_split(gaps, 20):
        p = (np.abs(part @ signs.T) >= np.abs(part.sum(1, keepdims=True)) - 1e-9).mean(1)
        found += int(((p <= level) & (part.sum(1) > 0)).sum())
    return found / len(gaps)


class CaseDesign(NamedTuple):
    """Cases of several types, drawn and run several times."""

    sizes: tuple[int, ...]
    """Cases of each type."""
    draws: int = 1
    runs: int = 3

    def is_enough(self, level: float = LEVEL) -> bool:
        """Whether there are case types enough for any difference to be significant."""
        return 2.0 ** (1 - len(self.sizes)) <= level


def simulated_hits(
    design: CaseDesign, rates: tuple[float, ...], alike: Likeness, times: int, seed: int = SEED
) -> list[Floats]:
    """For agents with these rates, hits in each draw of each case: simulation × case × draw."""
    random = np.random.default_rng(seed)
    cases = sum(design.sizes)
    of_type = np.repeat(np.arange(len(design.sizes)), design.sizes)
    parts = (
        (alike.case_type, (times, len(design.sizes), 1)),
        (alike.case, (times, cases, 1)),
        (alike.draw, (times, cases, design.draws)),
    )
    common = [sqrt(alike.shared) * random.standard_normal(shape) for _, shape in parts]
    rest = sqrt(1 - alike.case_type - alike.case - alike.draw)
    found = []
    for rate in rates:
        own = [sqrt(1 - alike.shared) * random.standard_normal(shape) for _, shape in parts]
        by_type, by_case, by_draw = (
            sqrt(share) * (both + alone) for (share, _), both, alone in zip(parts, common, own, strict=True)
        )
        hard = by_type[:, of_type] + by_case + by_draw
        found.append(random.binomial(design.runs, ndtr((ndtri(rate) - hard) / rest)).astype(float))
    return found


def design_power(
    design: CaseDesign, rates: tuple[float, float], alike: Likeness, level: float = LEVEL, times: int = PLAYED
) -> float:
    """The chance that agents with these rates are found to differ, from a seeded simulation."""
    if not design.is_enough(level):
        return 0.0
    return share_found(simulated_gaps(design, rates, alike, times), level)


def simulated_gaps(design: CaseDesign, rates: tuple[float, float], alike: Likeness, times: int) -> Floats:
    """How many more hits the agent with the higher rate has: simulation × case type."""
    first, second = simulated_hits(design, (min(rates), max(rates)), alike, times)
    member = np.repeat(np.eye(len(design.sizes)), design.sizes, axis=0)
    return np.asarray((second - first).sum(2) @ member, float)


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
