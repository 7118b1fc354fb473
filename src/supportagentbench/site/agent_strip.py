"""Agent strip: the small axis under a figure, with one agent's value on the board's quartiles."""

from collections.abc import Sequence
from math import ceil, floor
from statistics import quantiles
from typing import NamedTuple

from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site import number

FEWEST_FOR_QUARTILES = 4


class Strip(NamedTuple):
    """An axis with the board's quartiles and one agent on it, all in percent of its length."""

    left: str
    right: str
    """The ends of the axis in words."""
    value: float
    rerun: tuple[float, float] | None
    new_cases: tuple[float, float] | None
    runs: tuple[float, ...]
    quartiles: tuple[float, float, float] | None
    said: str
    """The quartiles in words, or why there are none."""


def strip_of(estimate: Estimate, ranked: Sequence[float], higher_is_better: bool) -> Strip:
    """One agent's estimate among the values of all ranked agents."""
    intervals = (estimate.rerun_interval, estimate.new_cases_interval)
    ends = [end for one in intervals if one for end in (one.low, one.high)]
    low, high = _axis([*ranked, estimate.value, *ends, *estimate.runs], estimate.metric, higher_is_better)

    def at(value: float) -> float:
        return round(100 * (value - low) / (high - low), 1)

    def span(interval: Interval | None) -> tuple[float, float] | None:
        return (at(interval.low), at(interval.high)) if interval else None

    middle = quantiles(ranked, n=4, method="inclusive") if len(ranked) >= FEWEST_FOR_QUARTILES else None
    return Strip(
        left=number.amount(estimate.metric, low),
        right=number.amount(estimate.metric, high),
        value=at(estimate.value),
        rerun=span(estimate.rerun_interval),
        new_cases=span(estimate.new_cases_interval),
        runs=tuple(map(at, estimate.runs)),
        quartiles=(at(middle[0]), at(middle[1]), at(middle[2])) if middle else None,
        said=_quartiles(estimate.metric, middle, len(ranked)),
    )


def _axis(values: list[float], metric: str, higher_is_better: bool) -> tuple[float, float]:
    """Round ends that contain all of these values."""
    if number.unit_of(metric) in ("share", "score"):
        low = floor(10 * min(values)) / 10 if higher_is_better else 0.0
        high = 1.0 if higher_is_better else max(0.1, ceil(10 * max(values)) / 10)
        return min(low, 0.9), min(high, 1.0)
    most = max(values) or 1.0
    step = 10 ** floor(len(str(int(most))) - 1)
    return 0.0, float(ceil(most / step) * step)


def _quartiles(metric: str, middle: list[float] | None, count: int) -> str:
    if middle is None:
        return (
            f"No quartiles: only {count} ranked {'agent has' if count == 1 else 'agents have'} this figure."
        )
    first, second, third = (number.amount(metric, value) for value in middle)
    return f"Board: middle half {first} to {third}, median {second}, {count} agents."
