"""Sample: one agent's trials of one metric, case by case; and the estimate that comes of them."""

from collections import defaultdict
from collections.abc import Sequence
from math import fsum, isfinite, sqrt
from statistics import NormalDist, median, variance
from typing import NamedTuple

from supportagentbench.board.metrics import Metric, card_of
from supportagentbench.records.board import Estimate, Interval, Slice
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.comparison import paired
from supportagentbench.stats.rates import clustered_wilson, repeated_wilson
from supportagentbench.stats.shrinkage import shrunk

Z = NormalDist().inv_cdf(0.975)


class Sample(NamedTuple):
    """Values of a metric: a line a case, a value a run that has one."""

    cases: tuple[str, ...]
    families: tuple[str, ...]
    """One for each case."""
    values: tuple[tuple[float, ...], ...]
    """For each case, in the order of the runs."""
    runs: tuple[float, ...]
    """Every run's own mean."""

    @property
    def rates(self) -> list[float]:
        """One number a case, whatever the number of runs: repeating a case is no new case."""
        return [_mean(found) for found in self.values]


def sample_of(metric: Metric, runs: Sequence[list[Verdict]]) -> Sample | None:
    """What a metric counts in these runs of one agent; None if there is nothing to count."""
    values: dict[tuple[str, str], list[float]] = defaultdict(list)
    by_run = []
    for verdicts in runs:
        trials = list(metric.trials(verdicts))
        for trial in trials:
            values[trial.case, trial.family].append(float(trial.value))
        if trials:
            by_run.append(_mean([trial.value for trial in trials]))
    if not values:
        return None
    cases, families = zip(*values, strict=True)
    return Sample(cases, families, tuple(tuple(found) for found in values.values()), tuple(by_run))


def _mean(values: Sequence[float]) -> float:
    return fsum(values) / len(values)


def estimate(metric: Metric, sample: Sample) -> Estimate:
    """Median, mean and both intervals; of a metric without a claim card there is none."""
    card_of(metric)
    every = [value for found in sample.values for value in found]
    again, like = _intervals(metric, sample)
    return Estimate(
        metric=metric.name,
        value=float(median(sample.runs)),
        mean=_mean(every),
        n=len(every),
        runs=sample.runs,
        k=round(sum(every)) if metric.unit == "share" else None,
        rerun_interval=again,
        # Whoever draws new cases also runs them anew, so the wider claim is never the narrower interval.
        new_cases_interval=_union(like, again),
        families=len(set(sample.families)),
        judge=metric.judge,
    )


def _intervals(metric: Metric, sample: Sample) -> tuple[Interval | None, Interval | None]:
    rates, families = sample.rates, sample.families
    if metric.unit == "share":
        hits, trials = [sum(found) for found in sample.values], [len(found) for found in sample.values]
        weights = [float(number) for number in trials]
        return (
            Interval(*repeated_wilson(hits, trials)),
            Interval(*clustered_wilson(rates, families, weights)),
        )
    most = 1.0 if metric.unit == "score" else float("inf")
    again = _repeated(sample, most)
    if metric.unit == "score":
        return again, Interval(*clustered_wilson(rates, families))
    spread = paired(rates, [0.0] * len(rates), families)
    return again, Interval(max(0.0, spread.low), spread.high) if isfinite(spread.high) else None


def _repeated(sample: Sample, most: float) -> Interval | None:
    """For means: only what varies between the runs of one case is noise; with a single run nobody knows."""
    noise = [variance(found) / len(found) for found in sample.values if len(found) > 1]
    if not noise:
        return None
    middle, half = _mean(sample.rates), Z * sqrt(_mean(noise) / len(sample.cases))
    return Interval(max(0.0, middle - half), min(most, middle + half))


def _union(one: Interval | None, other: Interval | None) -> Interval | None:
    """From the lower of both ends to the upper; where the first is unknown, so is the whole."""
    if one is None or other is None:
        return one
    return Interval(min(one.low, other.low), max(one.high, other.high))


def slices(metric: Metric, sample: Sample, runs: Sequence[list[Verdict]]) -> list[Slice]:
    """The metric family by family; families with few trials lean on the others."""
    names = list(dict.fromkeys(sample.families))
    table = [_by_family(metric, verdicts) for verdicts in runs]
    found = {name: [run.get(name, []) for run in table] for name in names}
    hits = [round(fsum(fsum(values) for values in found[name])) for name in names]
    trials = [sum(len(values) for values in found[name]) for name in names]
    rates, lows, highs = shrunk(hits, trials)
    return [
        Slice(
            metric=metric.name,
            family=name,
            k=hits[number],
            n=trials[number],
            runs=tuple(round(fsum(values)) for values in found[name]),
            rate=float(rates[number]),
            low=float(lows[number]),
            high=float(highs[number]),
        )
        for number, name in enumerate(names)
    ]


def _by_family(metric: Metric, verdicts: list[Verdict]) -> dict[str, list[float]]:
    """What a metric counts in one run, family by family."""
    found: dict[str, list[float]] = defaultdict(list)
    for trial in metric.trials(verdicts):
        found[trial.family].append(trial.value)
    return found
