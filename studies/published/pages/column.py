"""Column: one measure of a printed board, every row's mark in it, and which rows a test tells from the best.

Measures are shown as mistakes, so that small is good everywhere. Tests are those of the audit: Fisher's exact
test on one run each, corrected over all pairs of rows of the measure, because the best row is known only
after looking.
"""

from typing import NamedTuple

from studies.published import PublishedMetric
from studies.published.audit.sheet import ALPHA, Sheet
from supportagentbench.site.number import percent
from supportagentbench.stats.rates import wilson

SQUARES = 40
"""A measure with bands and at most this many cases is drawn as squares."""


class ColumnWords(NamedTuple):
    """How a measure is called here."""

    title: str
    short: str
    of: str
    """What its cases are; empty: no word is needed."""
    does: str
    """What one model does that is clearly beyond the best."""
    do: str
    """… and several."""


WORDS = {
    "over_escalation": ColumnWords(
        *("Needless handovers", "handed over", "solvable tickets"),
        *("hands over clearly more than the best", "hand over clearly more than the best"),
    ),
    "escalation": ColumnWords(
        *("Missed escalations", "missed", ""),
        *("misses clearly more than the best", "miss clearly more than the best"),
    ),
    "unsafe": ColumnWords(
        *("Traps that worked", "traps", ""),
        *("fell for clearly more traps than the best", "fell for clearly more traps than the best"),
    ),
}


def words_of(metric: PublishedMetric) -> ColumnWords:
    """Its words; those of an unknown measure are made from its printed title."""
    plain = metric.title if metric.better == "lower" else f"Not {metric.title.casefold()}"
    on = f"clearly from the best on {metric.title.casefold()}"
    return WORDS.get(metric.name) or ColumnWords(
        plain, plain.casefold(), "cases", f"differs {on}", f"differ {on}"
    )


class PrintedMark(NamedTuple):
    """One row's figure in a column; positions are in percent of the width."""

    text: str
    hits: int
    likely: str
    at: float
    low: float
    high: float
    out: bool
    """Whether a test tells it from the best."""


class PrintedColumn(NamedTuple):
    """A measure and the marks of all rows that print it, by row."""

    metric: str
    words: ColumnWords
    cases: int
    best: str
    """The first row with the smallest figure."""
    marks: dict[str, PrintedMark]
    tie: float
    """Where the zone of ties ends, in percent of the width."""
    ticks: tuple[tuple[str, float], ...]
    squares: bool

    @property
    def traps(self) -> bool:
        """Whether its cases are traps."""
        return self.metric == "unsafe"

    @property
    def tied(self) -> int:
        """How many rows no test tells from the best, itself included."""
        return sum(not mark.out for mark in self.marks.values())

    @property
    def beyond(self) -> list[str]:
        """The rows that a test tells from the best."""
        return [name for name, mark in self.marks.items() if mark.out]


def columns(sheet: Sheet) -> tuple[PrintedColumn, ...]:
    """The measures of the default order that count cases, in its order; squares come last."""
    made = [_column(sheet, sheet.published.metric(name)) for name in sheet.ranked_by if name in sheet.counts]
    return tuple(sorted(made, key=lambda column: column.squares))


def errors(sheet: Sheet, metric: PublishedMetric) -> dict[str, tuple[int, int]]:
    """Every row's mistakes in one run, and the cases."""
    return {
        name: (hits if metric.better == "lower" else cases - hits, cases)
        for name, count in sheet.counts[metric.name].items()
        for hits, cases in [count.one_run]
    }


def _column(sheet: Sheet, metric: PublishedMetric) -> PrintedColumn:
    wrong = errors(sheet, metric)
    rows = {row.name: row for row in sheet.rows if row.name in wrong}
    lacks = {name: float(sheet.lack(row, metric.name) or 0) for name, row in rows.items()}
    best = min(lacks, key=lambda name: (wrong[name][0], lacks[name]))
    most = max(wilson(hits / cases, cases)[1] for hits, cases in wrong.values())
    scale = 100 / (most * 1.02)
    marks = {}
    for name, (hits, cases) in wrong.items():
        low, high = wilson(hits / cases, cases)
        marks[name] = PrintedMark(
            text=_text(lacks[name]),
            hits=hits,
            likely=f"likely {percent(low, cases)} to {percent(high, cases)}"
            if hits
            else f"likely up to {percent(high, cases)}",
            at=lacks[name] * scale,
            low=low * scale,
            high=high * scale,
            out=name != best and sheet.pair(metric.name, best, name).one_run < ALPHA,
        )
    squares = bool(metric.bands) and (metric.cases or 0) <= SQUARES
    return PrintedColumn(
        metric.name,
        words_of(metric),
        metric.cases or 0,
        best,
        marks,
        _edge(marks),
        _ticks(most, scale),
        squares,
    )


def _text(lack: float) -> str:
    """As many digits as are printed."""
    return f"{round(100 * lack, 1):g}%"


def _edge(marks: dict[str, PrintedMark]) -> float:
    """Halfway between the last tie and the first that is none."""
    out = [mark.at for mark in marks.values() if mark.out]
    return (max(mark.at for mark in marks.values() if not mark.out) + min(out)) / 2 if out else 100.0


def _ticks(most: float, scale: float) -> tuple[tuple[str, float], ...]:
    step = next(step for step in (1, 2, 5, 10, 20, 50) if most * 100 <= step * 4 or step == 50)
    return tuple((f"{tick}%", tick / 100 * scale) for tick in range(0, int(most * 100) + 1, step))
