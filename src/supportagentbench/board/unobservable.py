"""Unobservable: the metrics that nothing at a shop's desk can show, which is not the same as never."""

from supportagentbench.board.metrics import METRICS, Metric
from supportagentbench.checks.observable import missing
from supportagentbench.records.board import Board
from supportagentbench.records.vocabulary import Vocabulary

NOT_OBSERVABLE = "not observable"
"""Printed where another shop has a figure."""


def unobservable_in(vocabulary: Vocabulary) -> tuple[str, ...]:
    """The names of the metrics whose check can see nothing at this desk."""
    return tuple(metric.name for metric in METRICS if missing(metric.name, vocabulary))


def unobservable_metrics(board: Board) -> list[Metric]:
    """The metrics of a board that cannot be observed."""
    return [metric for metric in METRICS if metric.name in board.unobservable]


def unobservable_note(board: Board) -> str:
    """Which metrics cannot be observed, in a sentence; empty: all can."""
    titles = [metric.title.casefold() for metric in unobservable_metrics(board)]
    return f"Not observable in this shop, and so not counted: {', '.join(titles)}." if titles else ""
