"""Confidence sequence: an interval for a rate that stays valid however often one looks and tops up.

A bet on every possible rate at once, weighted by Jeffreys' prior, multiplies its capital with each trial. The
rates against which it has gained 20 times its start are excluded; the true one is with at most 5% (Ville).
"""

from math import exp, inf, log

from scipy.special import betaln

from supportagentbench.stats.rates import CONFIDENCE

PRIOR = 0.5
STEPS = 60
"""Halvings of an interval, after which floats end."""


def rate_sequence(hits: int, trials: int) -> tuple[float, float]:
    """The rates that these trials do not exclude, whenever one stops."""
    if not trials:
        return 0.0, 1.0
    gained = float(betaln(hits + PRIOR, trials - hits + PRIOR) - betaln(PRIOR, PRIOR))
    limit, seen = gained + log(1 - CONFIDENCE), hits / trials
    low = _border(hits, trials, limit, 0.0, seen) if hits else 0.0
    high = _border(hits, trials, limit, 1.0, seen) if hits < trials else 1.0
    return low, high


def _border(hits: int, trials: int, limit: float, outside: float, inside: float) -> float:
    """Where the likelihood of a rate falls below the limit, between a rate outside and one inside."""
    for _ in range(STEPS):
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
