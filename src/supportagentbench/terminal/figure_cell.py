"""Figure cell: value, count, interval and median of runs in a table, with the same digits as on the pages."""

from rich.text import Text

from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.number import amount, count_of, median_text, value_text


def figure_cell(estimate: Estimate | None) -> Text:
    """One line each; an estimate from one run has no median."""
    if estimate is None:
        return Text("–", style="dim")
    median = median_text(estimate)
    below = (count_of(estimate), _span(estimate, estimate.new_cases_interval), median and f"med {median}")
    return Text.assemble(value_text(estimate), ("".join(f"\n{line}" for line in below if line), "dim"))


def _span(estimate: Estimate, interval: Interval | None) -> str:
    """Both ends without the unit, which is shown with the value above."""
    if interval is None:
        return ""
    ends = (amount(estimate.metric, end, estimate.n).strip("$%") for end in (interval.low, interval.high))
    return "–".join(ends)
