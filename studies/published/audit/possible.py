"""Possible: whether each printed share can be a median of counts over its cases (the GRIM test)."""

from collections.abc import Iterator
from typing import NamedTuple

from studies.published import PublishedRow
from studies.published.audit.sheet import Sheet
from studies.published.figure import PrintedFigure, read_figure
from supportagentbench.records.record import Record
from supportagentbench.stats.rates import grim


class Doubt(Record):
    """A printed figure that cannot be a median of its runs."""

    row: str
    metric: str
    printed: str
    reason: str


class Possible(Record):
    """Every printed share compared with its number of cases."""

    checked: int
    several: int
    """Figures that fit more than one count; the nearest is used."""
    doubts: tuple[Doubt, ...]
    mixed: tuple[str, ...]
    """Metrics printed with decimals in some rows and without in others."""


class _Printed(NamedTuple):
    row: str
    metric: str
    text: str
    cases: int
    runs: int
    """The number of runs behind the median."""

    @property
    def figure(self) -> PrintedFigure:
        figure = read_figure(self.text)
        assert figure is not None, "files are checked on reading"
        return figure

    @property
    def can_be(self) -> bool:
        """Whether a median of its runs can give this figure."""
        figure = self.figure
        return bool(figure.trials) or grim(float(figure.value * 100), self.cases, figure.decimals, self.runs)


def possible(sheet: Sheet) -> Possible:
    """Check all shares except those marked as approximate."""
    board = [printed for row in sheet.rows for printed in _shares(sheet, row) if not printed.figure.about]
    further = [printed for row in sheet.rows for printed in _further(sheet, row) if not printed.figure.about]
    mixed = []
    for metric in sheet.shares:
        digits = {p.figure.decimals for p in board if p.metric == metric.title and not p.figure.trials}
        if len(digits) > 1:
            mixed.append(metric.title)
    return Possible(
        checked=len(board) + len(further),
        several=sum(len(printed.figure.counts(printed.cases)) > 1 for printed in board),
        doubts=tuple(_doubt(sheet, p) for p in (*board, *further) if not p.can_be),
        mixed=tuple(mixed),
    )


def _shares(sheet: Sheet, row: PublishedRow) -> Iterator[_Printed]:
    """The figures that the board prints for a row."""
    for metric in sheet.shares:
        if metric.cases and (text := row.figures.get(metric.name)):
            yield _Printed(row.name, metric.title, text, metric.cases, sheet.published.runs_of(row))


def _further(sheet: Sheet, row: PublishedRow) -> Iterator[_Printed]:
    """The figures that other pages print for it: repeated, per run, and over all runs."""
    runs = sheet.published.runs_of(row)
    for metric in sheet.shares:
        cases = metric.cases or 0
        if text := row.again.get(metric.name):
            yield _Printed(row.name, metric.title, text, cases, runs)
        for text in row.each.get(metric.name, ()):
            yield _Printed(row.name, f"{metric.title}, one run", text, cases, 1)
        if text := row.pooled.get(metric.name):
            yield _Printed(row.name, f"{metric.title}, all runs", text, cases * runs, 1)


def _doubt(sheet: Sheet, printed: _Printed) -> Doubt:
    cases, pools = printed.cases, range(1, max(3, sheet.published.runs) + 1)
    figure = printed.figure
    fitting = next((pool for pool in pools if figure.counts(cases * pool)), None)
    tried = pools if fitting is None else pools[: fitting - 1]
    reason = f"It is not {' or '.join(f'k/{cases * pool}' for pool in tried)}"
    if fitting is not None:
        hits = " or ".join(str(hits) for hits in figure.counts(cases * fitting))
        median = f"the median of {printed.runs}" if printed.runs > 1 else "one run"
        reason += f"; {hits}/{cases * fitting} fits: a mean over {fitting} runs, not {median}"
    return Doubt(printed.row, printed.metric, printed.text, reason)
