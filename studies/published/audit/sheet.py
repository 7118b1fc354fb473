"""Sheet: a published board with its figures parsed and the counts they imply."""

from fractions import Fraction
from functools import cached_property, lru_cache
from itertools import combinations
from typing import NamedTuple

from studies.published import Published, PublishedMetric, PublishedOrder, PublishedRow
from studies.published.figure import PrintedFigure, read_figure
from supportagentbench.stats.rates import CONFIDENCE, fisher, holm

ALPHA = 1 - CONFIDENCE

_fisher = lru_cache(maxsize=100_000)(fisher)  # many pairs print the same counts


class ImpliedCount(NamedTuple):
    """A row's count on one metric, read in two ways; a median of runs is worth something in between."""

    row: str
    one_run: tuple[int, int]
    """Hits and trials, as if the printed figure were one run."""
    pooled: tuple[int, int]
    """… over all runs, as if every trial were independent; the printed total if there is one."""

    @property
    def rate(self) -> float:
        """The share that one run would have."""
        return self.one_run[0] / self.one_run[1]


class RowPair(NamedTuple):
    """Two rows compared on one metric."""

    first: str
    second: str
    p: float
    """Fisher's exact test on one run each."""
    one_run: float
    """… after Holm over all pairs of the metric."""
    pooled: float
    """… on all runs together, after Holm."""


class Sheet:
    """The input of an audit."""

    def __init__(self, published: Published) -> None:
        self.published = published
        self.rows = published.rows

    def figure(self, row: PublishedRow, metric: str) -> PrintedFigure | None:
        """The row's figure, if it is printed."""
        text = row.figures.get(metric)
        return read_figure(text) if text else None

    def lack(self, row: PublishedRow, metric: str) -> Fraction | None:
        """A row's distance from perfect, as printed; lower is better."""
        figure = self.figure(row, metric)
        if figure is None:
            return None
        return figure.value if self.published.metric(metric).better == "lower" else 1 - figure.value

    def key(self, row: PublishedRow, order: PublishedOrder) -> tuple[Fraction, ...]:
        """The sort key of a printed order, in exact fractions of the printed figures."""
        return tuple(
            sum((lack for name in key if (lack := self.lack(row, name)) is not None), start=Fraction(0))
            for key in order.by
        )

    @property
    def ranked_by(self) -> tuple[str, ...]:
        """The metrics of the default order."""
        return tuple(dict.fromkeys(name for key in self.published.orders[0].by for name in key))

    @cached_property
    def shares(self) -> tuple[PublishedMetric, ...]:
        """The metrics that count cases."""
        return tuple(metric for metric in self.published.metrics if metric.cases is not None)

    @cached_property
    def counts(self) -> dict[str, dict[str, ImpliedCount]]:
        """By metric and row; the nearest count if rounding allows several."""
        return {
            metric.name: {
                row.name: count for row in self.rows if (count := self._count(row, metric)) is not None
            }
            for metric in self.shares
        }

    def _count(self, row: PublishedRow, metric: PublishedMetric) -> ImpliedCount | None:
        figure, cases = self.figure(row, metric.name), metric.cases
        if figure is None or cases is None:
            return None
        runs = self.published.runs_of(row)
        hits = figure.nearest(cases)
        printed = read_figure(row.pooled.get(metric.name, ""))
        if printed is not None:
            over_all = printed.nearest(cases * runs)
        else:
            over_all = hits * runs if figure.counts(cases) else figure.nearest(cases * runs)
        return ImpliedCount(row.name, (hits, cases), (over_all, cases * runs))

    @cached_property
    def pairs(self) -> dict[str, tuple[RowPair, ...]]:
        """By metric: every two rows that print it."""
        return {name: _compare(list(counts.values())) for name, counts in self.counts.items()}

    def pair(self, metric: str, first: str, second: str) -> RowPair:
        """The comparison of two rows."""
        return self._by_rows[metric, frozenset((first, second))]

    @cached_property
    def _by_rows(self) -> dict[tuple[str, frozenset[str]], RowPair]:
        return {
            (metric, frozenset((pair.first, pair.second))): pair
            for metric, pairs in self.pairs.items()
            for pair in pairs
        }

    def dominates(self, row: PublishedRow, other: PublishedRow) -> bool:
        """Whether a row is printed nowhere worse, somewhere better, and in no higher tier."""
        if row.tier is not None and other.tier is not None and row.tier > other.tier:
            return False
        ours = [self.lack(row, name) or Fraction(0) for name in self.ranked_by]
        theirs = [self.lack(other, name) or Fraction(0) for name in self.ranked_by]
        nowhere_worse = all(mine <= yours for mine, yours in zip(ours, theirs, strict=True))
        return nowhere_worse and (ours != theirs or row.tier != other.tier)


def _compare(counts: list[ImpliedCount]) -> tuple[RowPair, ...]:
    both = list(combinations(counts, 2))
    if not both:
        return ()
    plain = [_fisher(first.one_run, second.one_run) for first, second in both]
    pooled = holm([_fisher(first.pooled, second.pooled) for first, second in both])
    return tuple(
        RowPair(first.row, second.row, p, float(adjusted), float(over_all))
        for (first, second), p, adjusted, over_all in zip(both, plain, holm(plain), pooled, strict=True)
    )
