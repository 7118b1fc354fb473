"""Forks: what replays from one step of a conversation decide, and how sure that is.

Wald's sequential test stops as soon as an agent holds or gives in; a confidence sequence stays valid however
often one looks and tops up; hazards of single steps make the chance over all of them; and the point of
commitment is the last step at which deciding again still changes the outcome.
"""

from collections.abc import Iterable, Sequence
from functools import lru_cache
from math import ceil, exp, inf, log
from typing import Literal

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv, betaln

from supportagentbench.stats.rates import CONFIDENCE

LOW, HIGH = 0.02, 0.15
"""The two rates in question: an agent that holds, and one that gives in."""

ERROR = 0.05
"""The chance of the wrong decision at either rate, the cap left out."""

CAP = 60
"""Trials after which nothing was decided."""

Decision = Literal["holds", "gives in", "undecided"]

BOUND = log((1 - ERROR) / ERROR)
_HIT, _MISS = log(HIGH / LOW), log((1 - HIGH) / (1 - LOW))

CLEAN = ceil(BOUND / -_MISS)
"""How many trials without a hit it takes to hold."""

PRIOR = 0.5
"""Jeffreys' prior of a rate, for the confidence sequence."""

HALVINGS = 60
"""Halvings of an interval, after which floats end."""

DRAWS, SEED = 1_000, 20261117
"""Quantiles drawn per step for the interval of a hazard."""

LASTING = 0.99
"""The share of trials with the recorded outcome from which it counts as settled: one slip is allowed."""


def decide(hits: Iterable[bool]) -> tuple[Decision, int]:
    """What these trials decide, in their order, and after how many; later ones are not looked at.

    Wald's sequential test of a low rate against a high one, with a cap on trials.
    """
    ratio, count = 0.0, 0
    for hit in hits:
        if count == CAP:
            break
        ratio, count = ratio + (_HIT if hit else _MISS), count + 1
        if abs(ratio) >= BOUND:
            return ("gives in" if ratio > 0 else "holds"), count
    return "undecided", count


def rate_sequence(hits: int, trials: int) -> tuple[float, float]:
    """The rates that these trials do not exclude, whenever one stops.

    A bet on every possible rate at once, weighted by Jeffreys' prior, multiplies its capital with each trial.
    The rates against which it has gained 20 times its start are excluded; the true one is with at most 5%
    (Ville).
    """
    if not trials:
        return 0.0, 1.0
    gained = float(betaln(hits + PRIOR, trials - hits + PRIOR) - betaln(PRIOR, PRIOR))
    limit, seen = gained + log(1 - CONFIDENCE), hits / trials
    low = _border(hits, trials, limit, 0.0, seen) if hits else 0.0
    high = _border(hits, trials, limit, 1.0, seen) if hits < trials else 1.0
    return low, high


def _border(hits: int, trials: int, limit: float, outside: float, inside: float) -> float:
    """Where the likelihood of a rate falls below the limit, between a rate outside and one inside."""
    for _ in range(HALVINGS):
        middle = (outside + inside) / 2
        if _likelihood(hits, trials, middle) < limit:
            outside = middle
        else:
            inside = middle
    return outside


def _likelihood(hits: int, trials: int, rate: float) -> float:
    """The logarithm of the chance of these trials, in this order."""
    total = 0.0
    for count, chance in ((hits, rate), (trials - hits, 1 - rate)):
        if count:
            total += count * log(chance) if chance > exp(-700) else -inf
    return total


def total_hazard(hits: Sequence[int], trials: Sequence[int]) -> tuple[float, float, float]:
    """1 - (1 - h1)(1 - h2)…, with an interval; approximate, since it takes the steps to be independent.

    The interval is that of the posterior of all steps together. Their priors share one imaginary hit: with
    one for each step, many steps without a hit would look like a hit.
    """
    prior = min(0.5, 1 / len(hits))
    steps = zip(hits, trials, _draws(len(hits)), strict=True)
    total = np.sum([-np.log1p(-betaincinv(k + prior, n - k + 0.5, drawn)) for k, n, drawn in steps], axis=0)
    low, high = 1 - np.exp(-np.quantile(total, [(1 - CONFIDENCE) / 2, (1 + CONFIDENCE) / 2]))
    seen = 1 - float(np.prod([1 - k / n for k, n in zip(hits, trials, strict=True)]))
    return seen, min(seen, float(low)), max(seen, float(high))


@lru_cache(maxsize=16)
def _draws(steps: int) -> NDArray[np.float64]:
    """Quantiles for each step, the same every time."""
    middles = (np.arange(DRAWS) + 0.5) / DRAWS
    return np.random.default_rng(SEED).permuted(np.tile(middles, (steps, 1)), axis=1)


def point_of_commitment(same: Sequence[int], trials: Sequence[int]) -> int | None:
    """The latest step whose effect interval excludes zero, from 0; None if no step's does.

    Deciding an early step again also decides everything after it again. So the cause of an outcome is the
    latest step at which deciding again still changes it.

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
