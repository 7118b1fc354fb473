"""Generic: a table or JSON lines with one row for each event, whose columns the user names.

A row belongs to the ticket in its column `ticket`; the rows of a ticket need not be together.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Any, NamedTuple

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import TicketAct, Who
from supportagentbench.tickets.column_map import Column, ColumnMap
from supportagentbench.tickets.export_file import Export, ExportFile, json_rows, table_rows
from supportagentbench.tickets.moment import BadMoment, moment
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import TicketDraft, words

NEEDED: tuple[Column, ...] = ("ticket", "who", "text")
_HELP = "give a column map such as `ticket=case_no,who=author,text=body,customer=client,human=clerk`"


class GenericRow(NamedTuple):
    """One row, by what its columns hold."""

    place: str
    line: int | None
    cells: dict[Column, str]

    def cell(self, column: Column) -> str:
        """What it holds; empty without this column."""
        return self.cells.get(column, "").strip()


def read_csv(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every ticket of these tables."""
    _check(export.columns)
    yield from _tickets(export, [(file, list(_from_table(file, export.columns))) for file in export.files])


def read_jsonl(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every ticket of these files of JSON lines."""
    _check(export.columns)
    yield from _tickets(export, [(file, list(_from_json(file, export.columns))) for file in export.files])


def _check(columns: ColumnMap) -> None:
    for column in NEEDED:
        if column not in columns.columns:
            raise Problem(f"Nothing says which column holds `{column}`; {_HELP}.")
    if "customer" not in columns.whom.values():
        raise Problem(f"Nothing says which value of `who` is the customer; {_HELP}.")


def _from_table(file: ExportFile, columns: ColumnMap) -> Iterator[GenericRow | DroppedRow]:
    for row in table_rows(file):
        if isinstance(row, str):
            yield DroppedRow(row, "a row with more cells than the table has columns")
            continue
        if missing := next((name for name in columns.columns.values() if name not in row.cells), None):
            if len(row.cells) == 0 or row.line <= 2:
                raise Problem(f"has no column {missing!r}; correct the column map.", place=file.path, line=1)
            yield DroppedRow(row.place, "a row with fewer cells than the table has columns")
            continue
        cells = {column: row.cells[name] for column, name in columns.columns.items()}
        yield GenericRow(row.place, row.line, cells)


def _from_json(file: ExportFile, columns: ColumnMap) -> Iterator[GenericRow | DroppedRow]:
    for row in json_rows(file):
        try:
            found = row.read(dict[str, Any])
        except msgspec.MsgspecError as error:
            yield DroppedRow(row.place, f"not an object ({error})")
            continue
        cells = {column: words(found.get(name)) for column, name in columns.columns.items()}
        yield GenericRow(row.place, None, cells)


def _tickets(
    export: Export, files: list[tuple[ExportFile, list[GenericRow | DroppedRow]]]
) -> Iterator[RawTicket | DroppedRow]:
    drafts: dict[str, TicketDraft] = {}
    for _, rows in files:
        for row in rows:
            if isinstance(row, DroppedRow):
                yield row
            elif not row.cell("ticket"):
                yield DroppedRow(row.place, "a row without the number of a ticket")
            else:
                number = row.cell("ticket")
                draft = drafts.setdefault(number, TicketDraft("generic", number, row.place))
                _event(draft, row, export.columns)
    for draft in drafts.values():
        yield from draft.rows()


def _event(draft: TicketDraft, row: GenericRow, columns: ColumnMap) -> None:
    who = columns.whom.get(row.cell("who").lower())
    if who is None:
        raise Problem(
            f"the value in the column {columns.columns['who']!r} is not in the column map; say who it is, "
            "such as `human=clerk|manager`.",
            place=row.place,
        )
    draft.has_numbers(row.cell("number"))
    person = _person(draft, row, who)
    at = _moment(row, columns)
    if row.cell("act"):
        draft.does(who, TicketAct(row.cell("act")), row.place, at=at, person=person, text=row.cell("text"))
    else:
        draft.says(who, row.place, plain=row.cell("text"), at=at, is_exact=True, person=person)


def _person(draft: TicketDraft, row: GenericRow, who: Who) -> int | None:
    marks: tuple[Column, ...] = ("name", "email", "phone", "address")
    name, email, phone, address = map(row.cell, marks)
    if not any((name, email, phone, address)):
        return None
    return draft.person(
        who, (email or name).lower(), name=name, emails=[email], phones=[phone], addresses=[address]
    )


def _moment(row: GenericRow, columns: ColumnMap) -> datetime | None:
    try:
        return moment(row.cell("when"), columns.zone, columns.dates)
    except BadMoment as error:
        raise Problem(f"the date {error}.", place=row.place) from None
