"""Worked example: an interval and a test step by step, with one agent's real numbers."""

from typing import NamedTuple

import numpy as np

from supportagentbench.board.estimates import Sample, sample_of, union
from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts
from supportagentbench.board.standings import COMPARED, is_ranked
from supportagentbench.records.board import AgentResults, Board, Estimate, Interval
from supportagentbench.records.claim import Claim
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.number import signed, signed_interval
from supportagentbench.stats.comparison import ENUMERATED, FLIPS, paired
from supportagentbench.stats.rates import (
    FEW_CLUSTERS,
    cluster_sums,
    clustered_rates,
    repeated_trials,
    run_again,
    wilson,
)


class Step(NamedTuple):
    """One step of a calculation."""

    words: str
    formula: str
    value: str


class WorkedInterval(NamedTuple):
    """A calculation and its result."""

    steps: list[Step]
    interval: Interval


class Example(NamedTuple):
    """One agent's figure of one metric, with both intervals worked out."""

    agent: AgentResults
    metric: Metric
    estimate: Estimate
    rerun_interval: WorkedInterval
    new_cases_interval: WorkedInterval


class PairExample(NamedTuple):
    """Two agents compared on one metric."""

    first: str
    second: str
    metric: Metric
    steps: list[Step]
    sentence: str
    """The claim about them, if it holds; empty otherwise."""


def example_of(data: SiteData) -> Example | None:
    """The first agent, on a metric that has many case types and varies; None if it has no such figure."""
    agent = data.board.agents[0]
    found = [(metric, one) for metric in _compared() if (one := agent.of(metric.name))]
    if not found:
        return None
    metric, figure = max(
        found, key=lambda pair: (pair[1].clusters >= FEW_CLUSTERS, pair[1].value * (1 - pair[1].value))
    )
    sample = _sample(data, agent.name, metric)
    return Example(agent, metric, figure, rerun(sample), new_cases(sample))


def _compared() -> list[Metric]:
    return [metric for metric in METRICS if metric.name in COMPARED]


def _sample(data: SiteData, agent: str, metric: Metric) -> Sample:
    own = [run for run in data.runs if run.header.agent == agent]
    found = sample_of(metric, [RunVerdicts(run.verdicts, run.header.case_seed) for run in own])
    assert found is not None, "the board has an estimate of it"
    return found


def rerun(sample: Sample) -> WorkedInterval:
    """The rerun interval: only what varies between the runs of one case is noise."""
    counts = [len(found) for found in sample.values]
    hits = [sum(values) for values in sample.values]
    differing = sum(0 < k < n for k, n in zip(hits, counts, strict=True))
    found, ends = repeated_trials(hits, counts), run_again(hits, counts)
    steps = [
        Step(
            "Hits k among trials N, over all cases and runs",
            "p = k / N",
            f"{sum(hits):g} / {sum(counts)} = {_g(found.rate)}",
        ),
    ]
    if found.rate in (0, 1):
        words = "None or all are hits: the one-sided exact bound"
        return WorkedInterval([*steps, Step(words, "0.05 = (1 − bound)ᴺ", _ends(ends))], Interval(*ends))
    steps += [
        Step("Cases whose runs do not agree", "0 < kᵢ < nᵢ", f"{differing} of {len(counts)}"),
        Step(
            "Noise: variation within cases, plus one imaginary trial that differs",
            "s = 1 + Σ kᵢ (nᵢ − kᵢ) / (nᵢ − 1)",
            _g(found.noise),
        ),
        Step("Effective number of trials, at least their number", "n = N² p (1 − p) / s", _g(found.worth)),
        Step(
            "Wilson's interval with n trials, z = 1.96",
            "(p + z²/2n ± z √(p(1−p)/n + z²/4n²)) / (1 + z²/n)",
            _ends(ends),
        ),
    ]
    return WorkedInterval(steps, Interval(*ends))


def new_cases(sample: Sample) -> WorkedInterval:
    """The new-cases interval: cases of a group fail together, so groups are the units that vary."""
    weights = [float(len(found)) for found in sample.values]
    groups = len({*sample.clusters})
    found = clustered_rates(sample.rates, sample.clusters, weights)
    ends = union(Interval(*wilson(found.mean, found.worth, found.quantile)), rerun(sample).interval)
    assert ends is not None, "both intervals are known"
    steps = [
        Step(
            "Cases C in groups G (case types or deciding rules), one rate pᵢ per case",
            "p = Σ pᵢ / C",
            f"{len(sample.cases)} in {groups}, p = {_g(found.mean)}",
        ),
        Step(
            "Spread between groups, and between cases, corrected for their number and sizes",
            "Σ over groups (Σ (pᵢ − p))²; Σ (pᵢ − p)²",
            f"{_g(found.between)}; {_g(found.among)}",
        ),
        Step(
            "An imaginary hit and an imaginary miss, each worth m cases",
            "m = √(C / G); q = (C p + m) / (C + 2m)",
            f"m = {_g(found.imaginary)}, q = {_g(found.pulled)}",
        ),
        Step(
            "Variance, with the wider spread",
            "v = (spread + m² (q² + (1 − q)²)) / (C + 2m)²",
            _g(found.variance),
        ),
        Step("Effective number of cases", "n = q (1 − q) / v", _g(found.worth)),
        Step(
            f"Wilson's interval with n trials and Student's t = {_g(found.quantile)} in place of z",
            "and never narrower than the interval above",
            _ends((ends.low, ends.high)),
        ),
    ]
    return WorkedInterval(steps, ends)


def pair_example(data: SiteData, metric: Metric) -> PairExample | None:
    """The first two ranked agents on one metric; None if there are no two."""
    names = [agent.name for agent in data.board.agents if is_ranked(agent) and agent.of(metric.name)]
    if len(names) < 2:
        return None
    first, second = (_sample(data, name, metric) for name in names[:2])
    rates = dict(zip(second.items, second.rates, strict=True))
    pairs = [
        (rate, rates[case], cluster)
        for case, cluster, rate in zip(first.items, first.clusters, first.rates, strict=True)
        if case in rates
    ]
    mine, theirs, clusters = zip(*pairs, strict=True)
    found = paired(mine, theirs, clusters)
    differ = sum(one != other for one, other, _ in pairs)
    moved = cluster_sums(np.array(mine) - np.array(theirs), clusters)
    patterns = f"2^{found.clusters - 1}" if found.clusters <= ENUMERATED else f"{FLIPS + 1:,} random"
    steps = [
        Step("Cases both have; cases in which they differ", "dᵢ = pᵢ − qᵢ", f"{len(pairs)}; {differ}"),
        Step(
            "Mean difference, and the differences that the test below does not exclude",
            "d = Σ dᵢ / C",
            _difference(metric, found.difference, Interval(found.low, found.high)),
        ),
        Step(
            "Groups (case types or deciding rules) in which the sum of differences is not zero",
            "D = Σ dᵢ of a group",
            f"{int((abs(moved) > 1e-9).sum())} of {found.clusters}",
        ),
        Step("Patterns of signs: each group's D could as well be −D", "|Σ ± D| ≥ |Σ D|", patterns),
        Step("Share of patterns with a difference at least as large", "p", _g(found.p)),
    ]
    claim = _claim(data.board, metric, set(names[:2]))
    if claim:
        words = f"The same after correction for all {data.board.comparisons:,} comparisons on this board"
        steps.append(Step(words, f"must be {claim.needs}", _g(claim.value)))
    return PairExample(names[0], names[1], metric, steps, claim.sentence if claim and claim.holds else "")


def _claim(board: Board, metric: Metric, names: set[str]) -> Claim | None:
    """The claim about these two, whether it holds or not."""
    beats = (claim for claim in board.claims if claim.kind == "beats" and claim.metric == metric.name)
    return next((claim for claim in beats if {claim.subject, claim.other} == names), None)


def _difference(metric: Metric, value: float, interval: Interval) -> str:
    unit = " points" if metric.unit == "share" else ""
    return f"{signed(metric.name, value)}{unit} ({signed_interval(metric.name, interval)})"


def _ends(ends: tuple[float, float]) -> str:
    return f"{_g(ends[0])} to {_g(ends[1])}"


def _g(value: float) -> str:
    """Four digits, as in a calculation by hand."""
    return f"{value:.4g}"
