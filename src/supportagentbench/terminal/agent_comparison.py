"""Agent comparison: two agents on every metric."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.agent_comparison import AgentComparison, MetricDifference
from supportagentbench.language.counts import counted
from supportagentbench.terminal.escape import on_one_line

LISTED = ("over_escalation", "unsafe", "escalation", "resolution", "pairs")
"""The metrics whose differing cases are listed."""

MOST_CASES = 8
"""Cases listed per metric; further ones are only counted."""


def comparison_table(found: AgentComparison) -> Group:
    """Two agents on every metric, and the cases where they differ."""
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("metric", no_wrap=True, max_width=24)
    for head in ("first", "second", "difference, 95%", "p"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in found.differences:
        if one.first or one.second:
            table.add_row(*_row(one), style="bold" if one.is_significant else "")
    significant = sum(one.is_significant for one in found.differences)
    bold = ", in bold" if significant else ""
    lines = [
        f"First: {on_one_line(found.first)}. Second: {on_one_line(found.second)}.",
        "Shares in percent. Paired by case; p from sign flips of whole case types, after",
        "Holm's correction for all metrics. With four case types p is at least 0.125.",
        f"Significant differences: {significant} of {counted(len(found.differences), 'metric')}{bold}.",
    ]
    for one in found.differences:
        if one.differing_cases and one.metric in LISTED:
            more = len(one.differing_cases) - MOST_CASES
            listed = ", ".join(map(on_one_line, one.differing_cases[:MOST_CASES]))
            lines.append(f"{one.title}: {listed}{f' … and {more} more' if more > 0 else ''}.")
    return Group(table, Text("\n".join(lines), style="dim"))


def _row(one: MetricDifference) -> tuple[str, ...]:
    scale = 100 if one.is_share else 1
    first, second, difference = (scale * value for value in (one.first, one.second, one.difference))
    ends = one.interval
    span = f"  {scale * ends.low:+.1f} to {scale * ends.high:+.1f}" if ends else ""
    return one.title, f"{first:.1f}", f"{second:.1f}", f"{difference:+.1f}{span}", f"{one.adjusted:.3f}"
