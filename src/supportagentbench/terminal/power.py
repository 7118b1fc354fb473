"""Power: what a planned run can detect."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.metrics import METRICS
from supportagentbench.board.power import (
    DESIGNS,
    UNSURE,
    DetectableDifference,
    MetricPower,
    NeededDraws,
    PowerTable,
)
from supportagentbench.records.counts import counted
from supportagentbench.terminal.escape import on_one_line


def power_table(found: list[DetectableDifference]) -> Group:
    """One row per metric."""
    titles = {metric.name: metric.title for metric in METRICS}
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("metric", no_wrap=True)
    for head in ("clusters", "cases", "runs", "error rate", "detectable difference"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in found:
        shown = "none" if one.difference is None else f"{one.difference * 100:.0f} points"
        row = (str(one.clusters), str(one.cases), str(one.runs), f"{one.expected:.0%}", shown)
        table.add_row(titles[one.metric], *row)
    note = (
        "A paired difference of this size between two agents is found with 80% power, by\n"
        "simulation, for one comparison without correction for others. The error rate\n"
        "of the first agent is a guess. None: too few clusters\n"
        "(case types, or deciding rules if they are coarser) to detect any difference."
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
        spans = (design.span for design in one.designs if one.is_possible)
        table.add_row(Text(f"{rates}, {one.cases} in {one.clusters}", style="dim"), *map(_span, spans))
    about = f"{on_one_line(found.first)} and {on_one_line(found.second)}:" if found.first else ""
    note = (
        "The chance to find the difference between two agents with these rates: alone,\n"
        "and in brackets on a board, which corrects for five metrics. Below: the rates,\n"
        "cases in clusters (case types, or deciding rules if they are coarser), and the\n"
        f"range if clusters have {UNSURE[0]:.0%} to {UNSURE[1]:.0%} of the variance. Their share is taken\n"
        "from the runs, or else guessed from agents with known faults. By simulation with\n"
        "the board's own test. Never: too few clusters for any significant difference."
    )
    return Group(*([Text(about)] if about else []), table, Text(note, style="dim"))


def _cells(one: MetricPower) -> list[str]:
    if not one.is_possible:
        return ["never"] * len(one.designs)
    return [f"{design.alone:.0%} ({design.on_board:.0%})" for design in one.designs]


def _span(span: tuple[float, float] | None) -> Text:
    return Text(f"{100 * span[0]:.0f}–{span[1]:.0%}" if span else "", style="dim")


def needed_lines(found: list[NeededDraws]) -> Text:
    """How many draws would distinguish agents without a significant difference."""
    return Text("\n".join(map(_needed_line, found)), style="dim")


def _needed_line(one: NeededDraws) -> str:
    names = f"{on_one_line(one.first)} and {on_one_line(one.second)}"
    if one.draws is None:
        return f"{names}: no significant difference, and more draws would hardly show one ({one.title})."
    size = f"{counted(one.draws, 'draw')} of {counted(one.runs, 'run')}"
    return f"{names}: no significant difference. If it is as large as it looks, {size} show it ({one.title})."
