"""Two agents beside each other."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.agent_comparison import AgentComparison, MetricDifference
from supportagentbench.terminal.escape import on_one_line

LISTED = ("over_escalation", "unsafe", "escalation", "resolution", "pairs")
"""The metrics whose differing cases are listed."""

MOST_CASES = 8
"""Cases that are listed before the rest is only counted."""


def comparison_table(found: AgentComparison) -> Group:
    """Two agents on every metric, and the cases in which they differ."""
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("metric", no_wrap=True, max_width=24)
    for head in ("first", "second", "difference, 95%", "p"):
        table.add_column(head, justify="right", no_wrap=True)
    for gap in found.gaps:
        if gap.first or gap.second:
            table.add_row(*_row(gap), style="bold" if gap.is_significant else "")
    apart = [gap for gap in found.gaps if gap.is_significant]
    lines = [
        f"First: {on_one_line(found.first)}. Second: {on_one_line(found.second)}.",
        "Shares in per cent. Paired by case; p by sign flips of whole families, after",
        "Holm over all metrics. With four families p cannot fall below 0.125.",
        f"{len(apart)} of {len(found.gaps)} metrics tell them apart" + (", in bold." if apart else "."),
    ]
    for gap in found.gaps:
        if gap.differ and gap.metric in LISTED:
            more = f" … and {len(gap.differ) - MOST_CASES} more" if len(gap.differ) > MOST_CASES else ""
            listed = ", ".join(map(on_one_line, gap.differ[:MOST_CASES]))
            lines.append(f"{gap.title}: {listed}{more}.")
    return Group(table, Text("\n".join(lines), style="dim"))


def _row(gap: MetricDifference) -> tuple[str, ...]:
    scale = 100 if gap.is_share else 1
    first, second, difference = (scale * value for value in (gap.first, gap.second, gap.difference))
    ends = gap.interval
    span = f"  {scale * ends.low:+.1f} to {scale * ends.high:+.1f}" if ends else ""
    return gap.title, f"{first:.1f}", f"{second:.1f}", f"{difference:+.1f}{span}", f"{gap.adjusted:.3f}"
