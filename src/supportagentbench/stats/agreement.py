"""Agreement: two or more raters who answer about the same items, or about items of the same kind."""

from collections import Counter
from collections.abc import Hashable, Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from supportagentbench.stats.rates import wilson


class Confusion(NamedTuple):
    """Counts of two raters' answers about the same items."""

    both: int
    first_only: int
    second_only: int
    neither: int

    @property
    def items(self) -> int:
        """The number of items."""
        return sum(self)


def confusion(first: Sequence[bool], second: Sequence[bool]) -> Confusion:
    """Counts of yes and yes, yes and no, no and yes, no and no."""
    x, y = np.asarray(first, bool), np.asarray(second, bool)
    return Confusion(int((x & y).sum()), int((x & ~y).sum()), int((~x & y).sum()), int((~x & ~y).sum()))


def kappa(found: Confusion) -> float | None:
    """Cohen's kappa: agreement beyond chance; None if neither rater ever varies."""
    n = found.items
    first, second = (found.both + found.first_only) / n, (found.both + found.second_only) / n
    chance = first * second + (1 - first) * (1 - second)
    return ((found.both + found.neither) / n - chance) / (1 - chance) if chance < 1 else None


def ac1(found: Confusion) -> float:
    """Gwet's AC1: like kappa, but stable if nearly all answers are the same; then it is generous."""
    n = found.items
    yes = (2 * found.both + found.first_only + found.second_only) / (2 * n)
    chance = 2 * yes * (1 - yes)
    return ((found.both + found.neither) / n - chance) / (1 - chance)


def recall_of_no(found: Confusion) -> tuple[float, float, float] | None:
    """The share of the first rater's noes that the second repeats, with its interval; None without a no."""
    noes = found.second_only + found.neither
    rate = found.neither / noes if noes else 0.0
    return (rate, *wilson(rate, noes)) if noes else None


class AnswerAgreement(NamedTuple):
    """How often two answers are the same, and how often they would be by chance."""

    shares: tuple[float, ...]
    """Item by item, the share of comparisons in which they are."""
    chance: float

    @property
    def same(self) -> float:
        """The mean over items."""
        return sum(self.shares) / len(self.shares)

    @property
    def kappa(self) -> float | None:
        """Agreement beyond chance; None if nothing else was possible."""
        return (self.same - self.chance) / (1 - self.chance) if self.chance < 1 else None


def same_items(first: Sequence[Hashable], second: Sequence[Hashable]) -> AnswerAgreement:
    """Two raters who answer with a category about the same items; the kappa is Cohen's."""
    return AnswerAgreement(
        tuple(float(x == y) for x, y in zip(first, second, strict=True)), _by_chance(first, second)
    )


def like_items(
    first: Sequence[Hashable], second: Sequence[Hashable], others: Sequence[Sequence[int]]
) -> AnswerAgreement:
    """A first rater about one item, a second about each of the `others` that it is compared with.

    Every item has at least one other. It counts once, however many it is compared with.
    """
    shares = (
        sum(x == second[other] for other in some) / len(some) for x, some in zip(first, others, strict=True)
    )
    return AnswerAgreement(tuple(shares), _by_chance(first, second))


def _by_chance(first: Sequence[Hashable], second: Sequence[Hashable]) -> float:
    """How often two answers would be the same if they had nothing to do with the item."""
    ours, theirs = Counter(first), Counter(second)
    return sum(count * theirs[answer] for answer, count in ours.items()) / (len(first) * len(second))


def alpha(readings: ArrayLike) -> float | None:
    """Krippendorff's alpha for categories: a row per rater, a column per item, nan where unrated."""
    x = np.asarray(readings, float)
    values = np.unique(x[~np.isnan(x)])
    counts = np.stack([(x == value).sum(0) for value in values], 1).astype(float)
    counts = counts[counts.sum(1) > 1]
    totals, pairable = counts.sum(0), counts.sum()
    expected = pairable**2 - (totals**2).sum()
    if not expected:
        return None
    sizes = counts.sum(1)
    observed = ((sizes**2 - (counts**2).sum(1)) / (sizes - 1)).sum()
    return float(1 - (pairable - 1) * observed / expected)
