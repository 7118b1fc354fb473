"""Association: whether a value goes with a label, a second value or an outcome; p-values by shuffling.

Every function returns None where nothing could be found: with one label, without variation, with too little.
"""

from collections import defaultdict
from collections.abc import Sequence
from itertools import permutations
from math import factorial
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from supportagentbench.stats.rates import ranks

Floats = NDArray[np.float64]

SHUFFLES = 4_999
SEED = 20260629

ENUMERATED = 8
"""Up to this many values every order is tried; above it, a seeded sample of orders."""

NEAR = 1e-9


class RankAgreement(NamedTuple):
    """How two orders of the same things agree."""

    rho: float
    """Spearman's: 1 if they are the same, -1 if one is the other turned round."""
    p: float
    least: float
    """The smallest p-value that this number of things allows."""


class StratifiedGap(NamedTuple):
    """By how much a value is larger where something happened than where it did not, within strata."""

    gap: float
    """The mean over strata in which both occurred."""
    p: float
    strata: int


def labels_matter(values: ArrayLike, labels: Sequence[str]) -> float | None:
    """How likely labels without meaning separate the values this much, by the variance between labels."""
    x, names = np.asarray(values, float), list(dict.fromkeys(labels))
    if len(names) < 2 or not np.ptp(x):
        return None
    member = np.array([[label == name for label in labels] for name in names], float)
    shuffled = np.vstack([x, _shuffled(x)])
    between = ((shuffled @ member.T) ** 2 / member.sum(1)).sum(1)
    return float((between >= between[0] - NEAR).mean())


def ranks_agree(first: ArrayLike, second: ArrayLike) -> RankAgreement | None:
    """Spearman's rank correlation, with the share of all orders that agree at least as closely."""
    x, y = ranks(first), ranks(second)
    if len(x) < 3 or not np.ptp(x) or not np.ptp(y):
        return None
    x, y = x - x.mean(), y - y.mean()
    orders = _every_order(y) if len(y) <= ENUMERATED else np.vstack([y, _shuffled(y)])
    found = orders @ x
    p = float((np.abs(found) >= abs(y @ x) - NEAR).mean())
    least = 2 / factorial(len(y)) if len(y) <= ENUMERATED else 1 / len(orders)
    return RankAgreement(float(y @ x / np.sqrt((x @ x) * (y @ y))), p, least)


def goes_with(values: ArrayLike, happened: Sequence[bool], strata: Sequence[str]) -> StratifiedGap | None:
    """Whether a value is larger or smaller where something happened, shuffled only within strata."""
    inside: dict[str, list[int]] = defaultdict(list)
    for at, name in enumerate(strata):
        inside[name].append(at)
    x, hit = np.asarray(values, float), np.asarray(happened, bool)
    mixed = [np.array(some) for some in inside.values() if len({*hit[some].tolist()}) > 1]
    if not mixed:
        return None
    random = np.random.default_rng(SEED)
    gaps = np.zeros(SHUFFLES + 1)
    for some in mixed:
        labels = np.tile(hit[some], (SHUFFLES + 1, 1))
        labels[1:] = random.permuted(labels[1:], axis=1)
        count = int(hit[some].sum())
        gaps += labels @ x[some] / count - ~labels @ x[some] / (len(some) - count)
    gaps /= len(mixed)
    return StratifiedGap(float(gaps[0]), float((np.abs(gaps) >= abs(gaps[0]) - NEAR).mean()), len(mixed))


def _every_order(values: Floats) -> Floats:
    return np.array(list(permutations(values.tolist())))


def _shuffled(values: Floats) -> Floats:
    """Many random orders of these values, the same ones every time."""
    return np.random.default_rng(SEED).permuted(np.tile(values, (SHUFFLES, 1)), axis=1)
