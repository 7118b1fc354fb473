"""Judge scores: printed below the board, never part of it."""

from collections.abc import Iterator

from rich.console import Group
from rich.table import Table
from rich.text import Text

from supportagentbench.judges.people import calibration_note
from supportagentbench.records.board import Board
from supportagentbench.terminal.escape import on_one_line
from supportagentbench.terminal.figure_cell import figure_cell

HEADS = {
    "adherence": "policy\nadherence",
    "judged_resolution": "resolved,\njudged",
    "sentiment": "mood as\ngood",
}


def judge_scores_table(board: Board) -> Group:
    """One table per judge, with its name and whether it is calibrated on people's labels."""
    parts: list[Table | Text] = []
    for judge in board.judges:
        table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
        table.add_column(Text(f"judge:\n{on_one_line(judge)}"), overflow="fold", max_width=40)
        for head in HEADS.values():
            table.add_column(head, justify="right", no_wrap=True)
        for agent in board.agents:
            table.add_row(
                Text(on_one_line(agent.name)), *(figure_cell(agent.of(metric, judge)) for metric in HEADS)
            )
        notes = [*_on_resolution(board, judge), calibration_note(None, judge, "adherence")]
        parts += [table, Text("\n".join(map(on_one_line, notes)), style="dim")]
    return Group(*parts)


def _on_resolution(board: Board, judge: str) -> Iterator[str]:
    """Resolution with this judge deciding what code cannot, and how often it agrees on the rest."""
    for agent in board.agents:
        settled, agreed = agent.of("settled_resolution", judge), agent.of("resolution_agreement", judge)
        if settled and agreed:
            yield (
                f"{agent.name}: resolved {settled.k}/{settled.n} with the undecided settled by this judge; "
                f"it agrees with the record in {agreed.k}/{agreed.n}."
            )
