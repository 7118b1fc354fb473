"""Worked: an interval and a test gone through step by step, with an entry's real numbers."""

from typing import NamedTuple

import numpy as np

from supportagentbench.board.estimates import Sample, sample_of, union
from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate, Interval
from supportagentbench.records.claim import Claim
from supportagentbench.site.data import SiteData
from supportagentbench.site.number import signed, signed_interval
from supportagentbench.stats.comparison import ENUMERATED, FLIPS, paired
from supportagentbench.stats.rates import FEW_CLUSTERS, cluster_sums, clustered_rates, repeated_trials, wilson


class Step(NamedTuple):
    """One line of a calculation."""

    words: str
    formula: str
    value: str


class Worked(NamedTuple):
    """A calculation and where it ends."""

    steps: list[Step]
    interval: Interval


class Example(NamedTuple):
    """One entry's figure of one metric, with both its intervals worked out."""

    entry: AgentResults
    metric: Metric
    estimate: Estimate
    rerun_interval: Worked
    new_cases_interval: Worked


class PairExample(NamedTuple):
    """Two entries on one metric, held against each other."""

    first: str
    second: str
    metric: Metric
    steps: list[Step]
    sentence: str
    """What may be said of them, if anything; empty otherwise."""


def example_of(data: SiteData) -> Example | None:
    """The first entry, on the metric of many families that varies in it; None if it has no such figure."""
    entry = data.board.agents[0]
    found = [(metric, one) for metric in _compared() if (one := entry.of(metric.name))]
    if not found:
        return None
    metric, figure = max(
        found, key=lambda pair: (pair[1].families >= FEW_CLUSTERS, pair[1].mean * (1 - pair[1].mean))
    )
    sample = _sample(data, entry.name, metric)
    return Example(entry, metric, figure, again(sample), like(sample))


def _compared() -> list[Metric]:
    return [metric for metric in METRICS if metric.name in COMPARED]


def _sample(data: SiteData, agent: str, metric: Metric) -> Sample:
    found = sample_of(metric, [RunVerdicts(run.verdicts) for run in data.runs if run.header.agent == agent])
    assert found is not None, "the board has an estimate of it"
    return found


def again(sample: Sample) -> Worked:
    """These cases, run again: only what varies between the runs of one case is noise."""
    trials = [len(found) for found in sample.values]
    hits = [sum(found) for found in sample.values]
    differ = sum(0 < k < n for k, n in zip(hits, trials, strict=True))
    found = repeated_trials(hits, trials)
    ends = wilson(found.rate, found.worth)
    steps = [
        Step(
            "Hits k among trials N, over all cases and runs",
            "p = k / N",
            f"{sum(hits):g} / {sum(trials)} = {_g(found.rate)}",
        ),
        Step("Cases whose runs do not agree", "0 < kᵢ < nᵢ", f"{differ} of {len(trials)}"),
        Step(
            "Noise: what varies within cases, and one imaginary trial that differs",
            "s = 1 + Σ kᵢ (nᵢ − kᵢ) / (nᵢ − 1)",
            _g(found.noise),
        ),
        Step("What the trials are worth, at least their number", "n = N² p (1 − p) / s", _g(found.worth)),
        Step(
            "Wilson's interval with n trials, z = 1.96",
            "(p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)",
            _ends(ends),
        ),
    ]
    return Worked(steps, Interval(*ends))


def like(sample: Sample) -> Worked:
    """Cases like these: families drawn anew, one rate a case whatever the number of runs."""
    count, groups = len(sample.rates), len(set(sample.families))
    found = clustered_rates(sample.rates, sample.families, [float(len(runs)) for runs in sample.values])
    ends = union(Interval(*wilson(found.mean, found.worth, found.quantile)), again(sample).interval)
    assert ends is not None, "both intervals are known"
    steps = [
        Step(
            "Cases C in families G, one rate pᵢ a case",
            "p = Σ pᵢ / C",
            f"{count} in {groups}, p = {_g(found.mean)}",
        ),
        Step(
            "Spread between families, and between cases",
            "Σ over families (Σ (pᵢ − p))²; Σ (pᵢ − p)²",
            f"{_g(found.between)}; {_g(found.among)}",
        ),
        Step(
            "An imaginary hit and an imaginary miss, each worth m cases",
            "m = √(C / G); q = (C p + m) / (C + 2m)",
            f"m = {_g(found.imaginary)}, q = {_g(found.pulled)}",
        ),
        Step(
            "Variance, of the wider spread",
            "v = (spread + m² (q² + (1 − q)²)) / (C + 2m)²",
            _g(found.variance),
        ),
        Step("What the cases are worth", "n = q (1 − q) / v", _g(found.worth)),
        Step(
            f"Wilson's interval with n trials and Student's t of {max(groups - 1, 1)} in place of z",
            "and never narrower than the interval above",
            _ends((ends.low, ends.high)),
        ),
    ]
    return Worked(steps, ends)


def pair_example(data: SiteData, metric: Metric) -> PairExample | None:
    """The first two entries above the line on one metric; None if there are no two."""
    names = [entry.name for entry in data.board.agents if is_ranked(entry) and entry.of(metric.name)]
    if len(names) < 2:
        return None
    first, second = (_sample(data, name, metric) for name in names[:2])
    rates = dict(zip(second.cases, second.rates, strict=True))
    pairs = [
        (rate, rates[case], family)
        for case, family, rate in zip(first.cases, first.families, first.rates, strict=True)
        if case in rates
    ]
    mine, theirs, families = zip(*pairs, strict=True)
    found = paired(mine, theirs, families)
    differ = sum(one != other for one, other, _ in pairs)
    moved = cluster_sums(np.array(mine) - np.array(theirs), families)
    patterns = f"2^{found.clusters - 1}" if found.clusters <= ENUMERATED else f"{FLIPS + 1:,} drawn"
    steps = [
        Step("Cases both answered; cases in which they differ", "dᵢ = pᵢ − qᵢ", f"{len(pairs)}; {differ}"),
        Step(
            "Mean difference, with Student's interval over families",
            "d = Σ dᵢ / C",
            _difference(metric, found.difference, Interval(found.low, found.high)),
        ),
        Step(
            "Families in which the sum of differences is not nought",
            "D = Σ dᵢ of a family",
            f"{int((abs(moved) > 1e-9).sum())} of {found.clusters}",
        ),
        Step("Patterns of signs: each family's D may as well have been −D", "|Σ ± D| ≥ |Σ D|", patterns),
        Step("Share of the patterns that put them at least as far apart", "p", _g(found.p)),
    ]
    claim = _claim(data.board, metric, set(names[:2]))
    if claim:
        words = f"The same after correction for all {data.board.comparisons:,} comparisons on this board"
        steps.append(Step(words, f"has to be {claim.needs}", _g(claim.value)))
    return PairExample(names[0], names[1], metric, steps, claim.sentence if claim and claim.holds else "")


def _claim(board: Board, metric: Metric, names: set[str]) -> Claim | None:
    """What was to be shown of these two."""
    beats = (claim for claim in board.claims if claim.kind == "beats" and claim.metric == metric.name)
    return next((claim for claim in beats if {claim.subject, claim.other} == names), None)


def _difference(metric: Metric, value: float, interval: Interval) -> str:
    unit = " points" if metric.unit == "share" else ""
    return f"{signed(metric.name, value)}{unit} ({signed_interval(metric.name, interval)})"


def _ends(ends: tuple[float, float]) -> str:
    return f"{_g(ends[0])} to {_g(ends[1])}"


def _g(value: float) -> str:
    """Four digits, as one would write them beside a calculation."""
    return f"{value:.4g}"
