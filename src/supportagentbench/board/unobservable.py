"""Unobservable: the metrics that nothing at a shop's desk can show, which is not the same as never."""

from collections.abc import Iterable

from supportagentbench.board.metrics import METRICS, Metric, RunVerdicts
from supportagentbench.records.board import Board

NOT_OBSERVABLE = "not observable"
"""Printed where another shop has a figure."""


def unobservable_in(runs: Iterable[RunVerdicts]) -> tuple[str, ...]:
    """The names of the metrics whose check cannot observe anything, in any conversation of a desk."""
    first = [run[0] for run in runs if run]
    blind = {found.check for verdict in first for found in verdict.findings if not found.observable}
    return tuple(metric.name for metric in METRICS if metric.name in blind)


def unobservable_metrics(board: Board) -> list[Metric]:
    """The metrics of a board that cannot be observed."""
    return [metric for metric in METRICS if metric.name in board.unobservable]


HIDDEN_ACTS = (
    "it did not use this desk's tools, so nothing that it did can be observed: its only figures are those "
    "about words"
)
"""Said of an agent whose acts are hidden, wherever the others have figures."""


def unobservable_note(board: Board) -> str:
    """Which metrics cannot be observed, in a sentence; empty: all can."""
    titles = [metric.title.casefold() for metric in unobservable_metrics(board)]
    return (
        f"Not observable in this shop or these runs, and so not counted: {', '.join(titles)}."
        if titles
        else ""
    )
