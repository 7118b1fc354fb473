"""Shrinkage: rates of items with few trials, estimated together."""

from functools import lru_cache

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy.special import betainc

from supportagentbench.stats.rates import CONFIDENCE

Floats = NDArray[np.float64]

MEANS, LIKENESSES, CELLS = 40, 24, 400
"""The grid: mean rates, how much items differ, and cells of possible rates."""


def shrunk(hits: ArrayLike, trials: ArrayLike) -> tuple[Floats, Floats, Floats]:
    """Each item's rate given all items: posterior means, lower and upper ends of 95% credible intervals.

    The rates are assumed to come from one beta distribution with a flat prior over the grid.
    """
    items = np.stack([np.asarray(hits, float), np.asarray(trials, float)])
    (k, n), which, times = np.unique(items, axis=1, return_inverse=True, return_counts=True)
    which = which.ravel()
    prior = _priors()
    middle = (np.arange(CELLS) + 0.5) / CELLS
    likelihood = middle ** k[:, None] * (1 - middle) ** (n - k)[:, None]
    marginal = likelihood @ prior.T
    logs = times @ np.log(marginal)
    weight = np.exp(logs - logs.max())
    posterior = likelihood * ((weight / marginal) @ prior)
    posterior /= posterior.sum(1, keepdims=True)
    reached = posterior.cumsum(1)
    low = (reached < (1 - CONFIDENCE) / 2).sum(1) / CELLS
    high = np.minimum((reached < (1 + CONFIDENCE) / 2).sum(1) + 1, CELLS) / CELLS
    return (posterior @ middle)[which], low[which], high[which]


@lru_cache(maxsize=1)
def _priors() -> Floats:
    """The probability that each beta distribution of the grid gives to each cell."""
    mean = ((np.arange(MEANS) + 0.5) / MEANS)[:, None]
    likeness = (np.arange(LIKENESSES) + 0.5) / LIKENESSES
    strength = (1 - likeness) / likeness
    a, b = (mean * strength).ravel()[:, None], ((1 - mean) * strength).ravel()[:, None]
    return np.diff(betainc(a, b, np.linspace(0, 1, CELLS + 1)))
