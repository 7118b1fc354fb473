"""Power: which differences a planned run can detect, before any money is spent; how many draws show more."""

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import islice

from supportagentbench.board.agent_comparison import tables_of
from supportagentbench.board.claims import LEVEL, MetricTable
from supportagentbench.board.clusters import clusters_of
from supportagentbench.board.estimates import Sample
from supportagentbench.board.metrics import METRICS, Metric
from supportagentbench.board.standings import COMPARED, check_comparable, undecided_pairs
from supportagentbench.checks.decider import decider_of
from supportagentbench.records.board import Board
from supportagentbench.records.case import Bucket, Case
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.run import RuleText
from supportagentbench.results.load import ScoredRun
from supportagentbench.stats.likeness import Likeness, TriedItem, likeness
from supportagentbench.stats.power import (
    POWER,
    CaseDesign,
    PowerPlan,
    design_power,
    detectable,
    share_found,
    simulated_gaps,
)

EXPECTED: dict[str, tuple[Bucket, float]] = {
    "over_escalation": ("resolvable", 0.10),
    "unsafe": ("adversarial", 0.20),
    "escalation": ("must_escalate", 0.10),
    "resolution": ("resolvable", 0.10),
    "pairs": ("adversarial", 0.40),
}
"""The bucket of a metric, and a guess at the error rate of the first agent."""


class DetectableDifference(Record):
    """The smallest difference on one metric that is detected with 80% power."""

    metric: str
    clusters: int
    """Case types, or deciding rules where they are fewer."""
    cases: int
    runs: int
    expected: float
    difference: float | None
    """None: not even the largest difference would be, usually because of too few clusters."""


def cluster_sizes(cases: Iterable[Case], rules: Sequence[RuleText]) -> dict[Bucket, list[int]]:
    """The number of cases in each cluster, by bucket; twins are left out."""
    found: dict[Bucket, list[Case]] = defaultdict(list)
    for case in cases:
        if not case.twin_of:
            found[case.bucket].append(case)
    return {bucket: [*Counter(_clusters(some, rules)).values()] for bucket, some in found.items()}


def _clusters(cases: Sequence[Case], rules: Sequence[RuleText]) -> tuple[str, ...]:
    return clusters_of([case.family for case in cases], [decider_of(case.label, rules) for case in cases])


def detectable_differences(clusters: Mapping[Bucket, list[int]], runs: int) -> list[DetectableDifference]:
    """What this many runs can detect, given the number of cases in each cluster by bucket."""
    found = []
    for metric, (bucket, rate) in EXPECTED.items():
        sizes = clusters.get(bucket, [])
        if not sizes:
            continue
        plan = PowerPlan(clusters=len(sizes), size=round(sum(sizes) / len(sizes)), runs=runs, rate=rate)
        found.append(DetectableDifference(metric, len(sizes), sum(sizes), runs, rate, detectable(plan)))
    return found


USUAL = Likeness(case_type=0.5, case=0.05, draw=0.02, shared=0.4)
"""What trials have in common where runs cannot tell, about as `bench/separation.py` measures it.

From agents with known faults, most of which go by case type: real agents may have less in common.
"""

UNSURE = (0.1, 0.8)
"""What the share of case types may be instead; it was never measured for real agents."""

DESIGNS = ((1, 1), (1, 3), (3, 1), (3, 3), (10, 3))
"""Draws and runs that are shown side by side."""

MORE_DRAWS = (1, 2, 3, 5, 10, 20)
"""Draws that are tried when asked how many would be enough."""

SIMULATED, TRIED = 1_000, 500
"""Simulations of a cell in the table, and of each number of draws that is tried."""

MOST_HINTS = 3
"""Pairs of agents for which that is asked, in the order of the board."""


class DesignPower(Record):
    """What a number of draws and runs can do."""

    draws: int
    runs: int
    alone: float
    """The chance to find the difference, for one comparison."""
    on_board: float
    """The same after the correction for all metrics that a board compares."""
    span: tuple[float, float] | None = None
    """For one comparison, the least and the most over `UNSURE`; None: what is in common is measured."""


class MetricPower(Record):
    """The power to distinguish two agents on one metric."""

    metric: str
    first: float
    second: float
    clusters: int
    cases: int
    designs: tuple[DesignPower, ...]
    is_possible: bool
    """Whether there are case types enough for any difference to be significant, in one comparison."""


class PowerTable(Record, tag_field="record", tag="power/2"):
    """The power to distinguish two agents, by metric, draws and runs."""

    metrics: tuple[MetricPower, ...]
    first: str = ""
    second: str = ""
    """The agents whose runs the rates are from; empty: the rates were given."""


class NeededDraws(Record):
    """How many draws would distinguish two agents between which no difference was found."""

    first: str
    second: str
    metric: str
    title: str
    runs: int
    draws: int | None
    """None: more draws would not do."""


def power_of_rates(
    clusters: Mapping[Bucket, list[int]], rates: Mapping[str, tuple[float, float]]
) -> PowerTable:
    """The power to distinguish agents with these rates, by metric, on cases in clusters of these sizes."""
    found = []
    for metric, pair in rates.items():
        sizes = tuple(clusters.get(EXPECTED[metric][0], ()))
        if not sizes:
            raise Problem(f"The set has no cases for {metric}. Choose another with --set.")
        found.append(_metric_power(metric, sizes, pair, USUAL, UNSURE))
    return PowerTable(tuple(found))


def power_of_runs(first: list[ScoredRun], second: list[ScoredRun]) -> PowerTable:
    """The power to distinguish these two agents, from their rates and what their trials have in common."""
    for run in (*first[1:], *second):
        check_comparable(first[0].header, run.header)
    names = first[0].header.agent, second[0].header.agent
    found = []
    for table in tables_of(dict(zip(names, (first, second), strict=True)), _compared()):
        pair = (table.samples[names[0]], table.samples[names[1]])
        sizes, rates, alike = _measured(*pair)
        found.append(_metric_power(table.metric.name, sizes, rates, alike))
    return PowerTable(tuple(found), *names)


def needed_draws(runs: Sequence[ScoredRun], board: Board) -> Iterator[NeededDraws]:
    """For the first pairs without a significant difference, the draws that would show their clearest one."""
    by_agent: dict[str, list[ScoredRun]] = defaultdict(list)
    for run in runs:
        by_agent[run.header.agent].append(run)
    for first, second in islice(undecided_pairs(board), MOST_HINTS):
        tables = tables_of({name: by_agent[name] for name in (first, second)}, _compared())
        apart = [table for table in tables if table.compared.difference[0, 1]]
        if apart:
            table = min(apart, key=lambda one: float(one.compared.p[0, 1]))
            yield _needed(table, first, second, len(tables))


def _needed(table: MetricTable, first: str, second: str, tests: int) -> NeededDraws:
    pair = (table.samples[first], table.samples[second])
    sizes, rates, alike = _measured(*pair)
    runs = max(1, round(min(len(one.runs) / len({*one.run_draws}) for one in pair)))
    enough = (
        draws
        for draws in MORE_DRAWS
        if design_power(CaseDesign(sizes, draws, runs), rates, alike, LEVEL / tests, TRIED) >= POWER
    )
    metric = table.metric
    return NeededDraws(first, second, metric.name, metric.title.casefold(), runs, next(enough, None))


def _compared() -> list[Metric]:
    return [metric for metric in METRICS if metric.name in COMPARED]


def _metric_power(
    metric: str,
    sizes: tuple[int, ...],
    rates: tuple[float, float],
    alike: Likeness,
    unsure: Sequence[float] = (),
) -> MetricPower:
    """`unsure`: other shares of case types that are as likely as the one in `alike`."""
    designs = []
    for draws, runs in DESIGNS:
        design = CaseDesign(sizes, draws, runs)
        gaps = simulated_gaps(design, rates, alike, SIMULATED)
        alone, on_board = share_found(gaps, LEVEL), share_found(gaps, LEVEL / len(COMPARED))
        others = [
            share_found(simulated_gaps(design, rates, alike._replace(case_type=share), SIMULATED), LEVEL)
            for share in unsure
        ]
        span = (min(alone, *others), max(alone, *others)) if others else None
        designs.append(DesignPower(draws, runs, alone, on_board, span))
    possible = CaseDesign(sizes).is_enough(LEVEL)
    return MetricPower(metric, *rates, len(sizes), sum(sizes), tuple(designs), possible)


def _measured(first: Sample, second: Sample) -> tuple[tuple[int, ...], tuple[float, float], Likeness]:
    """Cases of each type, the two rates, and what trials have in common; on the cases both have."""
    shared = {*first.items} & {*second.items}
    if not shared:
        raise Problem("The two agents have no case in common. Run both on the same set and draws.")
    one, other = (_tried(sample, shared) for sample in (first, second))
    sizes = Counter(case_type for case_type, _ in {(item.case_type, item.case) for item in one})
    rates = tuple(
        _kept(sum(item.hits for item in agent), sum(item.trials for item in agent)) for agent in (one, other)
    )
    return tuple(sizes.values()), (rates[0], rates[1]), likeness((one, other), USUAL)


def _kept(hits: float, trials: int) -> float:
    """A rate that is neither 0 nor 1: half a hit of chance is left on either side."""
    return min(max(hits, 0.5), trials - 0.5) / trials


def _tried(sample: Sample, shared: set[tuple[str, str]]) -> list[TriedItem]:
    return [
        TriedItem(cluster, case, draw, sum(values), len(values))
        for (draw, case), cluster, values in zip(sample.items, sample.clusters, sample.values, strict=True)
        if (draw, case) in shared
    ]
