"""Sequential: whether something got worse, asked after every trial, with a bound on false alarms.

The evidence is a bet's winnings. Before each trial a share of the capital is bet that the difference (after
minus before, from -1 to 1) exceeds a margin. If it does not on average, capital does not grow on average
either, and with 95% certainty it never reaches 20 times its start, however often one looks (Ville).

If every item is expected to exceed the margin by nothing, one may look after every trial, in any order, and
bet on each item by itself as well: what got worse here is then not hidden by what got better there. If
only their mean is, some may exceed it and others make up for that: then one may look once all items were
tried equally often, because a product is never above the power of its mean.
"""

from collections import defaultdict
from collections.abc import Iterable
from functools import cache
from math import exp, fsum, log, log1p

from supportagentbench.stats.rates import CONFIDENCE

LEVEL = 1 - CONFIDENCE

SHARES = (0.3, 0.5, 0.7, 0.9)
"""The shares of what could be lost that are bet side by side, each with a part of the capital."""

ITEM_SHARES = (0.5, 0.95)
"""The same for a single item, which has few trials: one bet is nearly everything."""

SMALLEST_STEP = 0.005
"""How finely `most_worse` searches."""


@cache
def _bets(margin: float, shares: tuple[float, ...]) -> tuple[float, ...]:
    """Bets per point of difference: no trial can lose more than its share."""
    return tuple(share / (1 + margin) for share in shares)


class Evidence:
    """The evidence for differences above a margin, trial by trial."""

    def __init__(self, margin: float = 0.0, shares: tuple[float, ...] = SHARES) -> None:
        self.margin = margin
        self.trials = 0
        self._bets = _bets(margin, shares)
        self._logs = [0.0] * len(shares)

    def add(self, difference: float) -> None:
        """Take in one trial: after minus before, positive if it got worse."""
        gained = difference - self.margin
        self._logs = [old + log1p(bet * gained) for old, bet in zip(self._logs, self._bets, strict=True)]
        self.trials += 1

    @property
    def value(self) -> float:
        """How often the capital has multiplied; 20 is what chance exceeds in one of twenty tests."""
        return fsum(exp(min(one, 700.0)) for one in self._logs) / len(self._logs)

    def is_enough(self, level: float = LEVEL) -> bool:
        """Whether chance alone would show this much with at most this probability."""
        return log(self.value) >= -log(level) if self.value > 0 else False


POOLED = 2 / 3
"""The part of the capital that is bet on all items equally; the rest is bet on some of them."""

SOME = 0.4
"""How likely an item is to be among those: their product is a bet on every choice of items at once."""


class ItemEvidence:
    """The evidence that some item got worse, regardless of the others."""

    def __init__(self) -> None:
        self._pooled = Evidence()
        self._items: dict[str, Evidence] = defaultdict(lambda: Evidence(shares=ITEM_SHARES))
        self._parts: dict[str, float] = {}
        """By item, the logarithm of its factor in the bet on some of them."""

    def add(self, item: str, difference: float) -> None:
        """Take in one trial of an item: after minus before, positive if it got worse."""
        self._pooled.add(difference)
        self._items[item].add(difference)
        self._parts[item] = log1p(SOME * (self._items[item].value - 1))

    @property
    def value(self) -> float:
        """How often the capital has multiplied."""
        return POOLED * self._pooled.value + (1 - POOLED) * exp(min(fsum(self._parts.values()), 700.0))

    def is_enough(self, level: float = LEVEL) -> bool:
        """Whether chance alone would show this much with at most this probability."""
        return self.value * level >= 1


def most_worse(differences: Iterable[float], level: float = LEVEL) -> float:
    """The largest mean difference that these trials do not refute; 1 if they refute none."""
    found = list(differences)
    low, high = -1.0, 1.0
    while high - low > SMALLEST_STEP:
        middle = (low + high) / 2
        low, high = (low, middle) if _refutes(found, middle, level) else (middle, high)
    return high


def _refutes(differences: list[float], mean: float, level: float) -> bool:
    """Whether a mean difference of at least this much is refuted: the same bet, the other way round."""
    evidence = Evidence(-mean)
    for one in differences:
        evidence.add(-one)
    return evidence.is_enough(level)
