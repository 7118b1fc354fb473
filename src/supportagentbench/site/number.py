"""Number: how a figure is printed, in tables, charts, reports and CSV."""

import re

from supportagentbench.board.metrics import METRICS, Metric, Unit
from supportagentbench.records.board import Estimate, Interval, SafetyWord

NONE = "–"
"""Printed where there is no figure, next to the reason."""

_UNITS: dict[str, Unit] = {metric.name: metric.unit for metric in METRICS} | {"adherence": "score"}


def unit_of(metric: str) -> Unit:
    """The unit of a metric, including judged ones."""
    return _UNITS.get(metric, "share")


def value_text(estimate: Estimate | None) -> str:
    """The headline value, the same everywhere: all runs together."""
    return NONE if estimate is None else amount(estimate.metric, estimate.value, estimate.n)


def median_text(estimate: Estimate | None) -> str:
    """The median of the runs, as published boards print it; empty for a single run."""
    if estimate is None or len(estimate.runs) < 2:
        return ""
    return amount(estimate.metric, estimate.median, estimate.n)


def per_run(estimate: Estimate) -> int:
    """How many trials a run had."""
    return round(estimate.n / max(1, len(estimate.runs)))


def amount(metric: str, value: float, n: int = 1000) -> str:
    """A value in the unit of its metric."""
    match unit_of(metric):
        case "share" | "score":
            return percent(value, n)
        case "dollars":
            return money(value)
        case _:
            return f"{value:.1f}"


def percent(value: float, n: int = 1000) -> str:
    """A share; with a decimal from a thousand trials on, and never rounded to 0% or 100%."""
    digits = 1 if n >= 1000 else 0
    text = f"{100 * value + 1e-9:.{digits}f}"  # Halves round up, as they do in the scripts and by hand.
    if value < 1 and float(text) == 100:
        text = "99.9" if digits else "99"
    if value > 0 and float(text) == 0:
        text = "0.1" if digits else "1"
    return f"{text.removesuffix('.0')}%"


def strong(text: str, name: str = "") -> list[str]:
    """A sentence in parts, every other one a sum of money or this name, for a page to set in bold."""
    return re.split("|".join([r"(\$[\d,]+", *([re.escape(name)] if name else [])]) + ")", text)


def money(dollars: float) -> str:
    """Dollars, with cents where they matter; what costs something is never rounded to nothing."""
    if dollars >= 100:
        return f"${dollars:,.0f}"
    return f"${dollars:.2f}" if dollars >= 0.01 or dollars == 0 else f"${max(dollars, 0.0001):.4f}"


def dollars_text(dollars: float) -> str:
    """Dollars with cents only if there are any."""
    return money(dollars).removesuffix(".00")


def plain(value: float) -> str:
    """A count, without decimals if it is whole."""
    return f"{value:.1f}".removesuffix(".0")


def count_text(estimate: Estimate | None) -> str:
    """Hits out of trials over all runs, or the number behind a mean; and how many are undecided."""
    if estimate is None:
        return ""
    return count_of(estimate) + (f", {estimate.undecided} undecided" if estimate.undecided else "")


def count_of(estimate: Estimate) -> str:
    """Hits out of trials over all runs, or the number of conversations behind a mean."""
    return f"n = {estimate.n}" if estimate.k is None else f"{estimate.k}/{estimate.n}"


def interval_text(metric: str, interval: Interval | None, n: int = 1000) -> str:
    """Both ends of an interval, in the metric's unit."""
    if interval is None:
        return NONE
    return f"{amount(metric, interval.low, n)} to {amount(metric, interval.high, n)}"


def safety_text(safety: SafetyWord, n: int) -> str:
    """A word about unsafe actions in this many conversations with traps; for none, what is still possible."""
    return safety.word + (f" (up to {percent(safety.up_to, n)})" if safety.up_to is not None else "")


def of_metric(name: str) -> Metric | None:
    """A metric read from the record, by name."""
    return next((metric for metric in METRICS if metric.name == name), None)


def whole(count: int) -> str:
    """A large count, in groups of three digits."""
    return f"{count:,}"


def chance(p: float) -> str:
    """A p-value."""
    return "p < 0.001" if p < 0.001 else f"p = {p:.3f}" if p < 0.1 else f"p = {p:.2f}"


def signed(metric: str, value: float) -> str:
    """A difference in the unit of its metric, with its sign; for shares in percentage points."""
    match unit_of(metric):
        case "share" | "score":
            size = f"{100 * abs(value):.1f}"
        case "dollars":
            size = money(abs(value))
        case _:
            size = f"{abs(value):.1f}"
    if not size.strip("$0."):
        return size
    return f"{'+' if value > 0 else '−'}{size}"


def signed_interval(metric: str, interval: Interval | None) -> str:
    """Both ends of the interval of a difference."""
    if interval is None:
        return NONE
    return f"{signed(metric, interval.low)} to {signed(metric, interval.high)}"
