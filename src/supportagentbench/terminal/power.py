"""What a planned run can detect."""

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.board.metrics import METRICS
from supportagentbench.board.power import DetectableDifference


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
