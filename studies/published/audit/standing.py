"""Standing: which rows differ significantly, and which places and bands the printed figures allow."""

import numpy as np

from studies.published import Band, PublishedMetric
from studies.published.audit.sheet import ALPHA, ImpliedCount, Sheet
from supportagentbench.records.board import Interval
from supportagentbench.records.record import Record
from supportagentbench.stats.rates import wilson

DRAWS = 4000


class Separability(Record):
    """How many pairs of rows differ significantly on a metric, unpaired, after Holm over all pairs."""

    metric: str
    pairs: int
    one_run: int
    """… if every figure is read as one run."""
    pooled: int
    """… if it is read as all runs together, every trial independent."""
    smallest: float
    """The smallest p-value of one run, before Holm."""
    apart: tuple[tuple[str, str], ...] = ()
    """The pairs that differ significantly as one run."""


class Standing(Record):
    """What one row's printed count allows."""

    row: str
    metric: str
    k: int
    n: int
    count: Interval
    """95% interval for the count, read as one run."""
    pooled: Interval
    """… read as all runs together."""
    places: tuple[int, int]
    """95% interval of its true rank, read as all runs together."""
    bounds: tuple[int, int]
    """Places that no significant difference excludes, read as one run."""
    band: str = ""
    one_run_bands: tuple[str, ...] = ()
    """Every band that the interval reaches."""
    pooled_bands: tuple[str, ...] = ()


def separability(sheet: Sheet, metric: PublishedMetric) -> Separability:
    """Count the pairs that differ significantly on a metric."""
    pairs = sheet.pairs[metric.name]
    apart = tuple((pair.first, pair.second) for pair in pairs if pair.one_run < ALPHA)
    return Separability(
        metric=metric.title,
        pairs=len(pairs),
        one_run=len(apart),
        pooled=sum(pair.pooled < ALPHA for pair in pairs),
        smallest=min((pair.p for pair in pairs), default=1.0),
        apart=apart,
    )


def standings(sheet: Sheet, metric: PublishedMetric) -> tuple[Standing, ...]:
    """Every row's standing on one metric, best printed count first."""
    counts = list(sheet.counts[metric.name].values())
    places = _places(counts, metric.better == "lower")
    rows = [_standing(sheet, metric, count, place) for count, place in zip(counts, places, strict=True)]
    return tuple(sorted(rows, key=lambda row: row.k if metric.better == "lower" else -row.k))


def _standing(
    sheet: Sheet, metric: PublishedMetric, count: ImpliedCount, places: tuple[int, int]
) -> Standing:
    hits, cases = count.one_run
    one_run, pooled = _interval(count.one_run, cases), _interval(count.pooled, cases)
    return Standing(
        row=count.row,
        metric=metric.title,
        k=hits,
        n=cases,
        count=one_run,
        pooled=pooled,
        places=places,
        bounds=_bounds(sheet, metric, count),
        band=metric.band_of(hits),
        one_run_bands=bands_in(metric.bands, one_run),
        pooled_bands=bands_in(metric.bands, pooled),
    )


def _interval(count: tuple[int, int], cases: int) -> Interval:
    hits, trials = count
    low, high = wilson(hits / trials, trials)
    return Interval(low * cases, high * cases)


def bands_in(bands: tuple[Band, ...], interval: Interval) -> tuple[str, ...]:
    """The bands that an interval reaches; an edge is halfway between two counts."""
    return tuple(
        band.name for band in bands if interval.low < band.high + 0.5 and interval.high >= band.low - 0.5
    )


def _places(counts: list[ImpliedCount], least_first: bool) -> list[tuple[int, int]]:
    """95% intervals of ranks, from rates drawn from each count's Jeffreys posterior."""
    draw = np.random.default_rng(0)
    hits, trials = np.array([count.pooled for count in counts], float).T
    rates = draw.beta(hits + 0.5, trials - hits + 0.5, (DRAWS, len(counts)))
    ranks = (rates if least_first else -rates).argsort(axis=1).argsort(axis=1) + 1
    low, high = np.quantile(ranks, [ALPHA / 2, 1 - ALPHA / 2], axis=0)
    return [(int(first), int(np.ceil(last))) for first, last in zip(low, high, strict=True)]


def _bounds(sheet: Sheet, metric: PublishedMetric, count: ImpliedCount) -> tuple[int, int]:
    others = sheet.counts[metric.name]
    apart = [pair for pair in sheet.pairs[metric.name] if pair.one_run < ALPHA]
    rivals = [
        p.second if p.first == count.row else p.first for p in apart if count.row in (p.first, p.second)
    ]
    ahead = sum((others[rival].rate < count.rate) == (metric.better == "lower") for rival in rivals)
    return 1 + ahead, len(others) - (len(rivals) - ahead)
