"""Take: one line on a model, from its printed figures only.

It counts, and names ties and prices. It calls no figure good or bad that no test tells from another.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from statistics import median, pstdev

from studies.published import PublishedRow
from studies.published.audit.sheet import ALPHA, Sheet
from studies.published.pages.column import PrintedColumn


def take(sheet: Sheet, row: PublishedRow, columns: Sequence[PrintedColumn]) -> str:
    """What a reader should know first."""
    clear = [column for column in columns if row.name in column.beyond]
    if clear:
        does = clear[0].words.does.replace("the best", clear[0].best)
        return f"{does[0].upper()}{does[1:]}."
    said = list(_counts(row, columns))
    if less := _for_less(sheet, row, columns):
        said = [*said[:1], f"{less.name} ties at {_tier(less)}"]
    elif row.tier and sum(other.tier == row.tier for other in sheet.rows) == 1:
        said = [*said[:1], f"the only one at {_tier(row)}"]
    line = "; ".join(said[:2] or ["No figure stands out"])
    return f"{line[0].upper()}{line[1:]}."


def _for_less(sheet: Sheet, row: PublishedRow, columns: Sequence[PrintedColumn]) -> PublishedRow | None:
    """A row in a lower price tier, printed nowhere behind this one and tied with it."""
    found = [
        other
        for other in sheet.rows
        if other.tier and row.tier and other.tier < row.tier and sheet.dominates(other, row)
        if all(sheet.pair(column.metric, other.name, row.name).one_run >= ALPHA for column in columns)
    ]
    return min(found, key=lambda other: other.tier or 0, default=None)


def _tier(row: PublishedRow) -> str:
    return "$" * (row.tier or 0)


def _counts(row: PublishedRow, columns: Sequence[PrintedColumn]) -> Iterator[str]:
    """Counts that are worth a word, such as `1 in 40 handed over`: the furthest from the field first."""
    for column in sorted(columns, key=lambda column: -_distance(column, row.name)):
        mark = column.marks.get(row.name)
        if mark is None:
            continue
        share, short = Fraction(mark.hits, column.cases), column.words.short
        if column.squares or share > Fraction(1, 3):
            yield f"{mark.hits} of {column.cases} {short}"
        elif mark.hits:
            yield f"1 in {round(1 / share)} {short}"
        else:
            yield f"none {short}"


def _distance(column: PrintedColumn, row: str) -> float:
    """How far a figure is from the middle of its column, in units of the column's spread."""
    hits = [mark.hits for mark in column.marks.values()]
    mark = column.marks.get(row)
    return abs(mark.hits - median(hits)) / (pstdev(hits) or 1) if mark else 0.0
