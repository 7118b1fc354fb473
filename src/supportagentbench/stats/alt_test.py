"""Alt-test: whether a judge may take the place of one of several annotators.

Calderon, Reichart and Dror 2025, arXiv 2501.10970. Each annotator is left out in turn. Annotator and judge
are then compared with the others, item by item: which of the two agrees with more of them?
"""

from collections.abc import Hashable, Mapping, Sequence
from math import sqrt
from statistics import fmean, stdev
from typing import TypeVar

import msgspec
from scipy.special import stdtr

from supportagentbench.stats.rates import CONFIDENCE

Item = TypeVar("Item", bound=Hashable)

LEAST_ANNOTATORS = 3
LEAST_ITEMS = 30
"""Items per annotator that at least one other annotator labelled too."""

ALLOWANCE = 0.15
"""How much worse than a trained annotator a judge may be and still replace one, because it costs less."""


class AltTest(msgspec.Struct, frozen=True):
    """Whether a judge represents the group as well as an annotator does."""

    annotators: int
    items: int
    wins: int
    """Annotators that the judge may replace, with the false discovery rate controlled."""
    advantage: float
    """How often the judge agrees with the others at least as much as the annotator left out."""

    @property
    def passes(self) -> bool:
        return 2 * self.wins >= self.annotators


def alt_test(said: Mapping[Item, bool], given: Mapping[str, Mapping[Item, bool]]) -> AltTest | None:
    """The test on all items that the judge and two or more people decided; None below three annotators."""
    shared = {
        item: names
        for item in said
        if len(names := [name for name, verdicts in given.items() if item in verdicts]) > 1
    }
    p_values, advantages = [], []
    for left_out, verdicts in given.items():
        leads = []
        for item, names in shared.items():
            if left_out in names:
                rest = [given[name][item] for name in names if name != left_out]
                leads.append(_sign(rest.count(verdicts[item]) - rest.count(said[item])))
        if len(leads) >= LEAST_ITEMS:
            p_values.append(_is_less(leads, ALLOWANCE))
            advantages.append(sum(lead <= 0 for lead in leads) / len(leads))
    if len(p_values) < LEAST_ANNOTATORS:
        return None
    return AltTest(len(p_values), len(shared), discoveries(p_values), sum(advantages) / len(advantages))


def discoveries(p_values: Sequence[float]) -> int:
    """How many of these count, false discoveries kept in check by Benjamini and Yekutieli's step-up rule."""
    step = (1 - CONFIDENCE) / sum(len(p_values) / rank for rank in range(1, len(p_values) + 1))
    return max((rank for rank, p in enumerate(sorted(p_values), 1) if p <= rank * step), default=0)


def _sign(number: int) -> int:
    return (number > 0) - (number < 0)


def _is_less(values: Sequence[int], bound: float) -> float:
    """One-sided p-value that the mean is below the bound; 0 or 1 if nothing varies."""
    if len(set(values)) == 1:
        return float(values[0] >= bound)
    t = (fmean(values) - bound) / stdev(values) * sqrt(len(values))
    return float(stdtr(len(values) - 1, t))
