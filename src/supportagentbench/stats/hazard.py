"""Hazard: the chance that something happens on one of several steps, each tried by itself."""

from collections.abc import Sequence
from functools import lru_cache

import numpy as np
from numpy.typing import NDArray
from scipy.special import betaincinv

from supportagentbench.stats.rates import CONFIDENCE

DRAWS, SEED = 1_000, 20261117


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
