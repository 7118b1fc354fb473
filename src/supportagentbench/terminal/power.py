"""Power: what a planned run can detect."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.metrics import METRICS
from supportagentbench.board.power import DESIGNS, DetectableDifference, MetricPower, NeededDraws, PowerTable
from supportagentbench.records.counts import counted
from supportagentbench.terminal.escape import on_one_line


def power_table(found: list[DetectableDifference]) -> Group:
    """One row per metric."""
    titles = {metric.name: metric.title for metric in METRICS}
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("metric", no_wrap=True)
    for head in ("case types", "cases", "runs", "error rate", "detectable difference"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in found:
        shown = "none" if one.difference is None else f"{one.difference * 100:.0f} points"
        row = (str(one.families), str(one.cases), str(one.runs), f"{one.expected:.0%}", shown)
        table.add_row(titles[one.metric], *row)
    note = (
        "A paired difference of this size between two agents is found with 80% power, by\n"
        "simulation, for one comparison without correction for others. The error rate\n"
        "of the first agent is a guess. None: too few case types to detect any difference."
    )
    return Group(table, Text(note, style="dim"))


def design_table(found: PowerTable) -> Group:
    """One row per metric, one column per number of draws and runs."""
    titles = {metric.name: metric.title for metric in METRICS}
    table = Table(box=None, padding=(0, 0, 0, 1), header_style="bold", pad_edge=False)
    table.add_column("draws × runs", no_wrap=True)
    for draws, runs in DESIGNS:
        table.add_column(f"{draws} × {runs}", justify="right", no_wrap=True)
    for one in found.metrics:
        table.add_row(titles[one.metric], *_cells(one))
        rates = f"{one.first:.0%} and {one.second:.0%}"
        table.add_row(Text(f"{rates}, {one.cases} in {one.families}", style="dim"))
    about = f"{on_one_line(found.first)} and {on_one_line(found.second)}:" if found.first else ""
    note = (
        "The chance to find the difference between two agents with these rates: alone,\n"
        "and in brackets on a board, which corrects for five metrics. Below: the rates,\n"
        "and cases in case types. By simulation with the board's own test. What cases,\n"
        "draws and agents have in common is taken from the runs, or else from agents with\n"
        "known faults. Never: too few case types for any difference to be significant."
    )
    return Group(*([Text(about)] if about else []), table, Text(note, style="dim"))


def _cells(one: MetricPower) -> list[str]:
    if not one.is_possible:
        return ["never"] * len(one.designs)
    return [f"{design.alone:.0%} ({design.on_board:.0%})" for design in one.designs]


def needed_lines(found: list[NeededDraws]) -> Text:
    """How many draws would distinguish agents without a significant difference."""
    return Text("\n".join(map(_needed_line, found)), style="dim")


def _needed_line(one: NeededDraws) -> str:
    names = f"{on_one_line(one.first)} and {on_one_line(one.second)}"
    if one.draws is None:
        return f"{names}: no significant difference, and more draws would hardly show one ({one.title})."
    size = f"{counted(one.draws, 'draw')} of {counted(one.runs, 'run')}"
    return f"{names}: no significant difference. If it is as large as it looks, {size} show it ({one.title})."
