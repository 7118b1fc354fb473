"""Gap: how far two sets of runs are apart, metric by metric, over the cases both have."""

from collections.abc import Iterable, Iterator, Mapping
from math import isfinite

import numpy as np
from msgspec.structs import replace

from supportagentbench.board import Interval
from supportagentbench.tally.claims import Table
from supportagentbench.tally.comparison import Floats, Paired, paired
from supportagentbench.tally.contrast import Gap
from supportagentbench.tally.metrics import METRICS, Metric
from supportagentbench.tally.sample import sample_of
from supportagentbench.tally.standings import COMPARED, Scored
from supportagentbench.tally.stats import holm

SHOWN = (*COMPARED, "unconfirmed", "messages", "words", "cost")
"""The metrics that two entries are compared on."""


def tables_of(runs: Mapping[str, list[Scored]]) -> list[Table]:
    """The metrics shown, each with a line for every name that has anything to count."""
    found = []
    for metric in sorted(
        (one for one in METRICS if one.name in SHOWN), key=lambda one: SHOWN.index(one.name)
    ):
        samples = {
            name: sample
            for name, some in runs.items()
            if (sample := sample_of(metric, [run.verdicts for run in some]))
        }
        if len(samples) > 1:
            found.append(Table(metric, samples))
    return found


def gaps_of(tables: Iterable[Table], first: str, second: str) -> tuple[Gap, ...]:
    """First less second on each of these metrics; p-values are corrected for all of them, after Holm."""
    return corrected(filter(None, (_gap(table, first, second) for table in tables)))


def corrected(gaps: Iterable[Gap]) -> tuple[Gap, ...]:
    """The same gaps, each p-value adjusted for all that are shown together."""
    found = tuple(gaps)
    adjusted = holm([gap.p for gap in found])
    return tuple(replace(gap, adjusted=float(p)) for gap, p in zip(found, adjusted, strict=True))


def _gap(table: Table, first: str, second: str) -> Gap | None:
    if first not in table.agents or second not in table.agents:
        return None
    one, other = (table.values[table.agents.index(name)] for name in (first, second))
    shared = ~np.isnan(one - other)
    if not shared.any():
        return None
    found = paired(one, other, table.families)
    return Gap(
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


def _interval(metric: Metric, found: Paired) -> Interval | None:
    if _is_share(metric):
        return Interval(max(found.low, -1.0), min(found.high, 1.0))
    return Interval(found.low, found.high) if isfinite(found.low) else None
