"""Contrast: two agents beside each other, case by case, and what may be said of the difference."""

from collections.abc import Iterator
from math import isfinite

from msgspec.structs import replace

from supportagentbench.board import Interval
from supportagentbench.problem import Problem
from supportagentbench.record import Record
from supportagentbench.tally.claims import LEVEL
from supportagentbench.tally.comparison import paired
from supportagentbench.tally.metrics import METRICS, Metric
from supportagentbench.tally.sample import Sample, sample_of
from supportagentbench.tally.standings import Scored, check_alike
from supportagentbench.tally.stats import holm


class Gap(Record):
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
    def is_told_apart(self) -> bool:
        return self.adjusted <= LEVEL


class Contrast(Record, tag_field="record", tag="contrast/1"):
    """All metrics of two agents."""

    first: str
    second: str
    gaps: tuple[Gap, ...]


def contrast(first: list[Scored], second: list[Scored]) -> Contrast:
    """Two agents on every metric both have; paired by case, corrected for all metrics."""
    for run in (*first[1:], *second):
        check_alike(first[0].header, run.header)
    names = first[0].header.agent, second[0].header.agent
    found = list(_gaps(first, second))
    if not found:
        raise Problem(f"{names[0]} and {names[1]} have no case in common; run both on one set.")
    adjusted = holm([gap.p for gap in found])
    return Contrast(
        *names,
        tuple(replace(gap, adjusted=float(p)) for gap, p in zip(found, adjusted, strict=True)),
    )


def _gaps(first: list[Scored], second: list[Scored]) -> Iterator[Gap]:
    for metric in METRICS:
        one = sample_of(metric, [run.verdicts for run in first])
        other = sample_of(metric, [run.verdicts for run in second])
        if one and other and (gap := _gap(metric, one, other)):
            yield gap


def _gap(metric: Metric, one: Sample, other: Sample) -> Gap | None:
    here = dict(zip(one.cases, one.rates, strict=True))
    there = dict(zip(other.cases, other.rates, strict=True))
    families = {case: family for case, family in zip(one.cases, one.families, strict=True) if case in there}
    if not families:
        return None
    rows = [here[case] for case in families], [there[case] for case in families]
    found = paired(*rows, list(families.values()))
    apart = sorted(families, key=lambda case: (-abs(here[case] - there[case]), case))
    return Gap(
        metric=metric.name,
        title=metric.title,
        first=sum(rows[0]) / len(families),
        second=sum(rows[1]) / len(families),
        difference=found.difference,
        interval=_within(metric, found.low, found.high),
        p=found.p,
        adjusted=1.0,
        cases=len(families),
        is_share=metric.unit in ("share", "score"),
        differ=tuple(case for case in apart if here[case] != there[case]),
    )


def _within(metric: Metric, low: float, high: float) -> Interval | None:
    """A difference of shares lies between -1 and 1, whatever Student says."""
    if metric.unit in ("share", "score"):
        return Interval(max(low, -1.0), min(high, 1.0))
    return Interval(low, high) if isfinite(low) else None
