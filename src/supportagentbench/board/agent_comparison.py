"""Agent comparison: two agents compared case by case, metric by metric."""

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

import numpy as np
from msgspec.structs import replace

from supportagentbench.board.claims import LEVEL, MetricTable
from supportagentbench.board.estimates import sample_of
from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts
from supportagentbench.board.standings import check_comparable
from supportagentbench.records.board import Interval
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.run import Run
from supportagentbench.results.load import ScoredRun
from supportagentbench.stats.comparison import Floats, PairedDifference, paired
from supportagentbench.stats.rates import holm

FIRST, SECOND = "first", "second"
"""The two sides of a comparison; they may be two runs of the same agent."""


class MetricDifference(Record):
    """One metric of two agents."""

    metric: str
    title: str
    first: float
    second: float
    difference: float
    """First minus second, over the cases both have."""
    interval: Interval | None
    """None: there is no estimate of the error, with few clusters or where no two cases differ otherwise."""
    p: float
    adjusted: float
    """After Holm's correction for all metrics compared together."""
    cases: int
    is_share: bool
    differing_cases: tuple[str, ...]
    """Largest difference first."""

    @property
    def is_significant(self) -> bool:
        return self.adjusted <= LEVEL


class AgentComparison(Record, tag_field="record", tag="comparison/1"):
    """All metrics of two agents."""

    first: str
    second: str
    differences: tuple[MetricDifference, ...]


def compare_agents(first: list[ScoredRun], second: list[ScoredRun]) -> AgentComparison:
    """Two agents on every metric both have; paired by case, corrected for all metrics."""
    for run in (*first[1:], *second):
        check_comparable(first[0].header, run.header)
    names = first[0].header.agent, second[0].header.agent
    draws = [{run.header.case_seed for run in side} for side in (first, second)]
    if not draws[0] & draws[1]:
        raise Problem(
            f"{names[0]} and {names[1]} differ in case_seed and cannot be compared: no draw is in both. "
            "Run both with the same --case-seed."
        )
    tables = tables_of({FIRST: first, SECOND: second}, METRICS)
    found = differences_between(tables, FIRST, SECOND)
    if not found:
        raise Problem(f"{names[0]} and {names[1]} have no case in common. Run both on the same set.")
    return AgentComparison(*names, found)


def refuse_itself(first: list[ScoredRun], second: list[ScoredRun]) -> None:
    """Refuse to compare runs with themselves: nothing would ever differ."""
    if [_identity(run) for run in first] == [_identity(run) for run in second]:
        raise Problem(
            f"{first[0].header.agent} would be compared with itself: these are the same runs. "
            "Name two agents, or run a changed one with --name v2."
        )


def _identity(run: ScoredRun) -> tuple[Run, frozenset[str]]:
    return run.header, frozenset(verdict.transcript for verdict in run.verdicts)


def tables_of(runs: Mapping[str, list[ScoredRun]], metrics: Iterable[Metric]) -> list[MetricTable]:
    """One table per metric that applies to at least two of these names."""
    found = []
    verdicts = {
        name: [RunVerdicts(run.verdicts, run.header.case_seed) for run in some] for name, some in runs.items()
    }
    for metric in metrics:
        samples = {name: sample for name, some in verdicts.items() if (sample := sample_of(metric, some))}
        if len(samples) > 1:
            found.append(MetricTable(metric, samples))
    return found


def differences_between(
    tables: Iterable[MetricTable], first: str, second: str
) -> tuple[MetricDifference, ...]:
    """First minus second on each of these metrics, with p-values corrected for all of them."""
    return corrected(filter(None, (_difference(table, first, second) for table in tables)))


def corrected(differences: Iterable[MetricDifference]) -> tuple[MetricDifference, ...]:
    """The same differences, with p-values corrected by Holm for all shown together."""
    found = tuple(differences)
    adjusted = holm([one.p for one in found])
    return tuple(replace(one, adjusted=float(p)) for one, p in zip(found, adjusted, strict=True))


def _difference(table: MetricTable, first: str, second: str) -> MetricDifference | None:
    if first not in table.agents or second not in table.agents:
        return None
    one, other = (table.values[table.agents.index(name)] for name in (first, second))
    shared = ~np.isnan(one - other)
    if not shared.any():
        return None
    found = paired(one, other, table.clusters, largest=1.0 if _is_share(table.metric) else 0.0)
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
        differing_cases=tuple(dict.fromkeys(_differing(table.items, np.nan_to_num(one - other)))),
    )


def _differing(items: list[tuple[str, str]], differences: Floats) -> Iterator[str]:
    """The cases in which the two differ in some draw, largest difference first."""
    for number in sorted(range(len(items)), key=lambda at: (-abs(differences[at]), *items[at][::-1])):
        if abs(differences[number]) > 0:
            yield items[number][1]


def _is_share(metric: Metric) -> bool:
    return metric.unit in ("share", "score")


def _interval(metric: Metric, found: PairedDifference) -> Interval | None:
    """The interval; None if there is no estimate of the error."""
    if _is_share(metric):
        return Interval(found.low, found.high)
    is_known = isfinite(found.low) and isfinite(found.high) and found.low < found.high
    return Interval(found.low, found.high) if is_known else None
