"""Estimates: one agent's trials of one metric by case, and the figures with their intervals."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cached_property
from math import fsum, isfinite, sqrt
from statistics import median

import numpy as np

from supportagentbench.board.clusters import clusters_of
from supportagentbench.board.metrics import Metric, RunVerdicts, card_of
from supportagentbench.records.board import Estimate, Interval, Slice, VarianceShares
from supportagentbench.records.record import Record
from supportagentbench.stats.comparison import Floats
from supportagentbench.stats.rates import (
    Z,
    at_least,
    at_most,
    clustered_wilson,
    like_these,
    mean_half_width,
    run_again,
)
from supportagentbench.stats.reliability import spread_p
from supportagentbench.stats.variance import nested_shares


class Sample(Record, dict=True):
    """All values of a metric for one agent, by case and run.

    A case that was drawn several times is as many cases, of one family.
    """

    cases: tuple[str, ...]
    families: tuple[str, ...]
    """The family of each case."""
    values: tuple[tuple[float, ...], ...]
    """The values of each case, in run order; a run without a value is skipped."""
    runs: tuple[float, ...]
    """The mean of each run."""
    undecided: int = 0
    """Trials that code could not decide, over all runs."""
    draws: tuple[str, ...] = ()
    """The draw of each case; empty if there is one."""
    run_draws: tuple[str, ...] = ()
    """The draw of each run; empty if there is one."""
    rules: tuple[str, ...] = ()
    """The rule that decides each case, empty if no single one does; nothing if all are so."""

    @cached_property
    def clusters(self) -> tuple[str, ...]:
        """The cluster of each case."""
        return clusters_of(self.families, self.deciders)

    @cached_property
    def deciders(self) -> tuple[str, ...]:
        """The rule that decides each case; empty if no single one does."""
        return self.rules or ("",) * len(self.cases)

    @cached_property
    def rates(self) -> list[float]:
        """One number per case, however many runs: repeating a case does not make a new case."""
        return [_mean(found) for found in self.values]

    @cached_property
    def pooled(self) -> float:
        """The mean over all trials: for a share, hits of trials."""
        return _mean([value for found in self.values for value in found])

    @cached_property
    def items(self) -> list[tuple[str, str]]:
        """Draw and name of each case."""
        return list(zip(self.draws or [""] * len(self.cases), self.cases, strict=True))

    @cached_property
    def run_tables(self) -> list[Floats]:
        """For each draw its cases by its runs, for the cases that have a value in every one of them."""
        runs = Counter(self.run_draws or [""] * len(self.runs))
        kept: dict[str, list[tuple[float, ...]]] = {draw: [] for draw in runs}
        for (draw, _), found in zip(self.items, self.values, strict=True):
            if len(found) == runs[draw]:
                kept[draw].append(found)
        return [np.array(table, float) for table in kept.values() if table]

    @property
    def is_repeated(self) -> bool:
        """Whether some draw was run more than once."""
        return max(Counter(self.run_draws or [""] * len(self.runs)).values(), default=0) > 1

    @cached_property
    def spread_p(self) -> float:
        """How likely the runs of one draw differ this much by chance."""
        return spread_p(*self.run_tables)


def sample_of(metric: Metric, runs: Sequence[RunVerdicts]) -> Sample | None:
    """The values of a metric in one agent's runs; None if it applies nowhere."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    family_of: dict[str, str] = {}
    decider_of: dict[str, str] = {}
    by_run, run_draws, undecided = [], [], 0
    for run in runs:
        cases, families, found, unclear = metric.trials(run)
        undecided += unclear
        family_of.update(zip(cases, families, strict=True))
        decider_of.update((verdict.case, verdict.decider) for verdict in run)
        for case, value in zip(cases, found, strict=True):
            values[run.draw, case].append(value)
        if found:
            by_run.append(_mean(found))
            run_draws.append(run.draw)
    if not values:
        return None
    return Sample(
        tuple(case for _, case in values),
        tuple(family_of[case] for _, case in values),
        tuple(map(tuple, values.values())),
        tuple(by_run),
        undecided,
        tuple(draw for draw, _ in values),
        tuple(run_draws),
        tuple(decider_of.get(case, "") for _, case in values),
    )


def variance_shares(metric: Metric, sample: Sample) -> VarianceShares | None:
    """What case types, cases, draws and runs add to the variance; None if nothing varies."""
    every = [
        (value, family, case, draw)
        for (draw, case), family, values in zip(sample.items, sample.families, sample.values, strict=True)
        for value in values
    ]
    values, *levels = zip(*every, strict=True)
    found = nested_shares(values, *levels)
    return VarianceShares(metric.name, *found) if found else None


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def estimate(metric: Metric, sample: Sample) -> Estimate:
    """The pooled value, the median of the runs and both intervals; a metric needs a card."""
    card_of(metric)
    every = [value for found in sample.values for value in found]
    hits = round(sum(every)) if metric.unit == "share" else None
    rerun, new_cases = _intervals(metric, sample)
    return Estimate(
        metric=metric.name,
        value=sample.pooled,
        median=float(median(sample.runs)),
        n=len(every),
        runs=sample.runs,
        k=hits,
        undecided=sample.undecided,
        rerun_interval=rerun,
        new_cases_interval=new_cases,
        clusters=len({*sample.clusters}),
        judge=metric.judge,
        at_least=at_least(hits, len(every)) if hits is not None else None,
        at_most=at_most(hits, len(every)) if hits is not None else None,
    )


def _intervals(metric: Metric, sample: Sample) -> tuple[Interval | None, Interval | None]:
    """Both are about the pooled value: a case with more trials weighs more in them, too."""
    rates, clusters = sample.rates, sample.clusters
    trials = [len(found) for found in sample.values]
    weights = [float(number) for number in trials]
    if metric.unit == "share":
        hits = [sum(found) for found in sample.values]
        return Interval(*run_again(hits, trials)), Interval(*like_these(hits, trials, clusters))
    most = 1.0 if metric.unit == "score" else float("inf")
    rerun = _rerun_of_means(sample, most)
    if metric.unit == "score":
        return rerun, union(Interval(*clustered_wilson(rates, clusters, weights)), rerun)
    half = mean_half_width(rates, clusters)
    return rerun, union(_around(sample.pooled, half, most) if isfinite(half) else None, rerun)


def _rerun_of_means(sample: Sample, most: float) -> Interval | None:
    """For means: only variation between runs of one case is noise; None if every case has one run."""
    noise = [_variance(found) / len(found) for found in sample.values if len(found) > 1]
    if not noise:
        return None
    return _around(sample.pooled, Z * sqrt(_mean(noise) / len(sample.cases)), most)


def _around(middle: float, half: float, most: float) -> Interval:
    return Interval(max(0.0, middle - half), min(most, middle + half))


def _variance(values: Sequence[float]) -> float:
    mean = _mean(values)
    return fsum((value - mean) ** 2 for value in values) / (len(values) - 1)


def union(one: Interval | None, other: Interval | None) -> Interval | None:
    """From the lower of both starts to the higher of both ends; None if the first is unknown.

    New cases are also new runs, so the wider claim never has the narrower interval.
    """
    if one is None or other is None:
        return one
    return Interval(min(one.low, other.low), max(one.high, other.high))


def slices(metric: Metric, sample: Sample, runs: Sequence[RunVerdicts]) -> list[Slice]:
    """The metric by case family, with the interval for the same cases, run again."""
    tried: dict[str, list[tuple[float, ...]]] = defaultdict(list)
    for family, values in zip(sample.families, sample.values, strict=True):
        tried[family].append(values)
    by_run = [_by_family(metric, verdicts) for verdicts in runs]
    found = []
    for family, cases in tried.items():
        hits, trials = [fsum(values) for values in cases], [len(values) for values in cases]
        low, high = run_again(hits, trials)
        each = tuple(round(fsum(run.get(family, ()))) for run in by_run)
        found.append(Slice(metric.name, family, round(fsum(hits)), sum(trials), each, low, high))
    return found


def _by_family(metric: Metric, verdicts: RunVerdicts) -> dict[str, list[float]]:
    """The values of one run by family."""
    found: dict[str, list[float]] = defaultdict(list)
    trials = metric.trials(verdicts)
    for family, value in zip(trials.families, trials.values, strict=True):
        found[family].append(value)
    return found
