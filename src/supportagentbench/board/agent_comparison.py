"""AgentComparison: two agents beside each other, case by case, and what may be said of the difference."""

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

import numpy as np
from msgspec.structs import replace

from supportagentbench.board.claims import LEVEL, MetricTable
from supportagentbench.board.estimates import sample_of
from supportagentbench.board.metrics import METRICS, Metric
from supportagentbench.board.standings import check_alike
from supportagentbench.records.board import Interval
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.results.load import ScoredRun
from supportagentbench.stats.comparison import Floats, PairedDifference, paired
from supportagentbench.stats.rates import holm

FIRST, SECOND = "first", "second"
"""The two sides of a contrast; they may be two runs of one agent."""


class MetricDifference(Record):
    """One metric of two agents."""

    metric: str
    title: str
    first: float
    second: float
    difference: float
    """First less second, over the cases both have."""
    interval: Interval | None
    """None: a single family says nothing of how far a mean may be off."""
    p: float
    adjusted: float
    """After Holm over all metrics compared here."""
    cases: int
    is_share: bool
    differ: tuple[str, ...]
    """The cases in which they differ, the widest apart first."""

    @property
    def is_significant(self) -> bool:
        return self.adjusted <= LEVEL


class AgentComparison(Record, tag_field="record", tag="comparison/1"):
    """All metrics of two agents."""

    first: str
    second: str
    gaps: tuple[MetricDifference, ...]


def compare_agents(first: list[ScoredRun], second: list[ScoredRun]) -> AgentComparison:
    """Two agents on every metric both have; paired by case, corrected for all metrics."""
    for run in (*first[1:], *second):
        check_alike(first[0].header, run.header)
    names = first[0].header.agent, second[0].header.agent
    tables = tables_of({FIRST: first, SECOND: second}, METRICS)
    found = differences_between(tables, FIRST, SECOND)
    if not found:
        raise Problem(f"{names[0]} and {names[1]} have no case in common; run both on one set.")
    return AgentComparison(*names, found)


def tables_of(runs: Mapping[str, list[ScoredRun]], metrics: Iterable[Metric]) -> list[MetricTable]:
    """These metrics, each with a line for every name that has anything to count, if two have."""
    found = []
    for metric in metrics:
        samples = {
            name: sample
            for name, some in runs.items()
            if (sample := sample_of(metric, [run.verdicts for run in some]))
        }
        if len(samples) > 1:
            found.append(MetricTable(metric, samples))
    return found


def differences_between(
    tables: Iterable[MetricTable], first: str, second: str
) -> tuple[MetricDifference, ...]:
    """First less second on each of these metrics; p-values are corrected for all of them, after Holm."""
    return corrected(filter(None, (_gap(table, first, second) for table in tables)))


def corrected(gaps: Iterable[MetricDifference]) -> tuple[MetricDifference, ...]:
    """The same gaps, each p-value adjusted for all that are shown together."""
    found = tuple(gaps)
    adjusted = holm([gap.p for gap in found])
    return tuple(replace(gap, adjusted=float(p)) for gap, p in zip(found, adjusted, strict=True))


def _gap(table: MetricTable, first: str, second: str) -> MetricDifference | None:
    if first not in table.agents or second not in table.agents:
        return None
    one, other = (table.values[table.agents.index(name)] for name in (first, second))
    shared = ~np.isnan(one - other)
    if not shared.any():
        return None
    found = paired(one, other, table.families)
    return MetricDifference(
        metric=table.metric.name,
        title=table.metric.title,
        first=float(one[shared].mean()),
        second=float(other[shared].mean()),
        difference=found.difference,
        interval=_interval(table.metric, found),
        p=found.p,
        adjusted=1.0,
        cases=int(shared.sum()),
        is_share=_is_share(table.metric),
        differ=tuple(_apart(table.cases, np.nan_to_num(one - other))),
    )


def _apart(cases: list[str], differences: Floats) -> Iterator[str]:
    """The cases in which the two differ, the widest apart first."""
    for number in sorted(range(len(cases)), key=lambda at: (-abs(differences[at]), cases[at])):
        if abs(differences[number]) > 0:
            yield cases[number]


def _is_share(metric: Metric) -> bool:
    return metric.unit in ("share", "score")


def _interval(metric: Metric, found: PairedDifference) -> Interval | None:
    """A difference of shares lies between -1 and 1, whatever Student says."""
    if _is_share(metric):
        return Interval(max(found.low, -1.0), min(found.high, 1.0))
    return Interval(found.low, found.high) if isfinite(found.low) else None
