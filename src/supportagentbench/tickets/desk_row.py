"""Desk row: the base of what desks export; their fields by their names, and unknown fields ignored.

Desks add fields at any time and leave out what they like, so every field has a default and may be null.
"""

from collections.abc import Callable, Iterable
from typing import TypeVar

import msgspec

from supportagentbench.tickets.export_file import JsonRow
from supportagentbench.tickets.raw import DroppedRow

Text = str | None
Number = int | float | str | None
"""A number or an id, which some desks write as text."""
Flag = bool | None


class DeskRow(msgspec.Struct, kw_only=True):
    """An object of a desk."""


Row = TypeVar("Row", bound=DeskRow)


def desk_row(row: JsonRow, kind: type[Row], noun: str) -> Row | DroppedRow:
    """The object of a desk in this row."""
    try:
        return row.read(kind)
    except msgspec.MsgspecError as error:
        return DroppedRow(row.place, f"not {noun} ({error})")


def newest(
    rows: Iterable[tuple[str, Row] | DroppedRow],
    number: Callable[[Row], object],
    updated: Callable[[Row], str | float | None] = lambda _: None,
) -> tuple[dict[str, tuple[str, Row]], list[DroppedRow]]:
    """By number, the place and the newest row of it, in the order in which the numbers came; and the others.

    Pages by time repeat rows. Of rows that are as new, the later one counts.
    """
    kept: dict[str, tuple[str, Row]] = {}
    dropped: list[DroppedRow] = []
    for found in rows:
        if isinstance(found, DroppedRow):
            dropped.append(found)
            continue
        place, row = found
        key = "" if (value := number(row)) is None else f"{value}"
        if not key:
            dropped.append(DroppedRow(place, "a row without a number of its own"))
            continue
        if before := kept.get(key):
            older = str(updated(row) or "") < str(updated(before[1]) or "")
            dropped.append(DroppedRow(place if older else before[0], "a row that another one repeats"))
            if older:
                continue
        kept[key] = (place, row)
    return kept, dropped
