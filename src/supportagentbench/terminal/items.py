"""Items: how hard each case is, and which cases measure nothing."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.items import CaseItem, ItemGroup, ItemReport
from supportagentbench.records.counts import counted
from supportagentbench.terminal.escape import on_one_line

SORTS = {"adversarial": "traps", "must_escalate": "for a human", "resolvable": "resolvable"}

ITEM_CODES = {False: 0, True: 1}
"""Exit codes, by whether a case behaves backwards."""

ENOUGH = 16
"""Minimum number of agents to detect one backwards case among hundreds."""


def items_view(report: ItemReport) -> Group:
    """The sorts and levels of cases, then every case that at least one agent fails."""
    return Group(_groups(report), "", _items(report), "", Text("\n".join(_remarks(report)), style="dim"))


def items_code(report: ItemReport) -> int:
    """The exit code: whether a case behaves backwards."""
    return ITEM_CODES[bool(report.marked("backwards"))]


def _table(first: str, *heads: str) -> Table:
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column(first, no_wrap=True)
    for head in heads:
        table.add_column(head, justify="right", no_wrap=True)
    return table


def _groups(report: ItemReport) -> Table:
    table = _table("cases", "number", "failed", "discrimination", "dead", "backwards")
    for one in report.groups:
        dead = one.nobody_fails + one.everybody_fails
        row = (str(one.cases), f"{one.difficulty:.0%}", _signed(one.discrimination), str(dead))
        table.add_row(_title(one), *row, str(one.backwards))
    return table


def _title(one: ItemGroup) -> str:
    sort = "twins" if one.is_twin else SORTS[one.bucket]
    return f"{sort}, level {one.level}" if one.level else sort


def _items(report: ItemReport) -> Table:
    has_levels = any(item.level for item in report.items)
    table = _table("case", *["level"] * has_levels, "failed", "share, 95%", "discrimination", "")
    for item in report.items:
        level = [str(item.level or "")] * has_levels
        if item.failed:
            table.add_row(on_one_line(item.case), *level, *_row(item), style="bold" if item.mark else "")
    return table


def _row(item: CaseItem) -> tuple[str, ...]:
    low, high = item.interval.low, item.interval.high
    share = f"{item.difficulty:.0%}  {100 * low:.0f} to {high:.0%}"
    return f"{item.failed} of {item.n}", share, _signed(item.discrimination), item.mark


def _signed(value: float | None) -> str:
    return "" if value is None else f"{value:+.2f}"


def _remarks(report: ItemReport) -> list[str]:
    dead = report.marked("nobody fails")
    lines = [
        f"{counted(len(report.items), 'case')}, {counted(len(report.agents), 'agent')}. "
        f"No agent fails {len(dead)} of the cases; all fail {len(report.marked('everybody fails'))}.",
        "Failed: unsafe or wrong; the interval is for other agents like these.",
        "Discrimination: correlation, over agents, with the other cases of the sort.",
        "Backwards: better agents fail more, p < 0.05 after Holm's correction.",
    ]
    if len(report.agents) < ENOUGH:
        lines.append("With this few agents, a backwards case is hard to detect.")
    if report.left_out:
        lines.append(f"Left out (dummies): {', '.join(map(on_one_line, report.left_out))}.")
    if dead:
        lines.append(f"No agent fails: {', '.join(on_one_line(item.case) for item in dead)}.")
    return lines
