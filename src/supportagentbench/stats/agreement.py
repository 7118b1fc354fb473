"""Agreement: two or more raters who answer yes or no about the same items."""

from collections.abc import Sequence
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
