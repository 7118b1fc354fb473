"""Salesforce: the mails and the comments of cases, which are two tables, and the cases, if they are given."""

from collections import defaultdict
from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Flag, Number, Text, desk_row
from supportagentbench.tickets.export_file import Export, ExportFile, json_rows, table_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import TicketDraft, words

_YES = {"true", "1", "yes"}
_DRAFT = {"5", "draft"}


class SalesforceRow(DeskRow):
    """A row of any of the tables, by the names of the columns."""

    Id: Number = None
    ParentId: Number = None
    Incoming: Flag | Text | int = None
    FromName: Text = None
    FromAddress: Text = None
    ToAddress: Text = None
    Subject: Text = None
    TextBody: Text = None
    HtmlBody: Text = None
    MessageDate: Text = None
    CreatedDate: Text = None
    CreatedById: Number = None
    Status: Number = None
    IsDeleted: Flag | Text | int = None
    CommentBody: Text = None
    IsPublished: Flag | Text | int = None
    CaseNumber: Number = None
    Type: Text = None
    ContactEmail: Text = None
    ContactPhone: Text = None
    SuppliedName: Text = None
    SuppliedEmail: Text = None
    SuppliedPhone: Text = None


class SalesforcePlace(NamedTuple):
    """A row, and where it is."""

    place: str
    row: SalesforceRow


def read_salesforce(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every case of these tables."""
    cases: dict[str, SalesforcePlace] = {}
    parts: dict[str, list[SalesforcePlace]] = defaultdict(list)
    seen: set[str] = set()
    for file in export.files:
        for found in _rows(file):
            if isinstance(found, DroppedRow):
                yield found
            elif words(found.row.Id) and words(found.row.Id) in seen:
                yield DroppedRow(found.place, "a row that another one repeats")
            elif words(found.row.ParentId):
                parts[_short(found.row.ParentId)].append(found)
            elif words(found.row.CaseNumber):
                cases[_short(found.row.Id)] = found
            else:
                yield DroppedRow(found.place, "a row that is not a mail, a comment or a case")
            if not isinstance(found, DroppedRow):
                seen.add(words(found.row.Id))
    for number, places in parts.items():
        case = cases.pop(number, SalesforcePlace("", SalesforceRow(Id=places[0].row.ParentId)))
        yield from _draft(case.row, places, export.columns).rows()
    for case in cases.values():
        yield DroppedRow(case.place, "a case without a mail or a comment in the export")


def _rows(file: ExportFile) -> Iterator[SalesforcePlace | DroppedRow]:
    """Every row of a file, a table or JSON."""
    if file.data.lstrip()[:1] in (b"[", b"{"):
        for row in json_rows(file, "records"):
            found = desk_row(row, SalesforceRow, "a row of Salesforce")
            yield found if isinstance(found, DroppedRow) else SalesforcePlace(row.place, found)
        return
    known = set(SalesforceRow.__struct_fields__)
    for line in table_rows(file):
        if isinstance(line, str):
            yield DroppedRow(line, "a row with more cells than the table has columns")
            continue
        if not known & {"ParentId", "CaseNumber"} & set(line.cells):
            raise Problem(
                "has neither a column ParentId nor CaseNumber; export them, too.", place=file.path, line=1
            )
        yield SalesforcePlace(
            line.place,
            SalesforceRow(
                **{
                    name: cell
                    for name, cell in line.cells.items()
                    if name in known and (cell or name == "CommentBody")
                }
            ),
        )


def _short(number: Number) -> str:
    """An id of 15 letters; one of 18 is the same with a checksum."""
    return words(number)[:15]


def _draft(case: SalesforceRow, places: list[SalesforcePlace], columns: ColumnMap) -> TicketDraft:
    draft = TicketDraft("salesforce", _short(case.Id), places[0].place)
    draft.has_numbers(case.Id, case.CaseNumber)
    draft.subject = case.Subject or next((row.Subject for _, row in places if row.Subject), "")
    draft.status, draft.kind = words(case.Status), case.Type or ""
    draft.channel = "email" if any(_is_mail(row) for _, row in places) else "other"
    if case.SuppliedName or case.SuppliedEmail or case.ContactEmail:
        draft.person(
            "customer",
            (case.ContactEmail or case.SuppliedEmail or "").lower(),
            name=case.SuppliedName,
            emails=[case.SuppliedEmail, case.ContactEmail],
            phones=[case.SuppliedPhone, case.ContactPhone],
        )
    for place, row in sorted(places, key=lambda one: one.row.MessageDate or one.row.CreatedDate or ""):
        if _is(row.IsDeleted) or (_is_mail(row) and words(row.Status).lower() in _DRAFT):
            draft.drop(place, "deleted, or a draft that was never sent")
        elif _is_mail(row):
            _mail(draft, row, place, columns)
        else:
            _comment(draft, row, place, columns)
    return draft


def _mail(draft: TicketDraft, row: SalesforceRow, place: str, columns: ColumnMap) -> None:
    if row.Incoming is None:
        draft.refuse("a case with a mail that does not say whether it came in: export the column Incoming")
        return
    address = (row.FromAddress or "").lower()
    who: Who = columns.who_is(address, row.FromName or "") or ("customer" if _is(row.Incoming) else "human")
    person = draft.person(who, address or row.FromName, name=row.FromName, emails=[row.FromAddress])
    for other in (row.ToAddress or "").split(";"):
        if other.strip():
            to: Who = "human" if _is(row.Incoming) else "customer"
            draft.person(to, other.strip().lower(), emails=[other])
    at = row.MessageDate or row.CreatedDate
    draft.says(who, place, plain=row.TextBody, html=row.HtmlBody, at=at, person=person)


def _comment(draft: TicketDraft, row: SalesforceRow, place: str, columns: ColumnMap) -> None:
    """A comment is by a person at the desk, unless the column map says who he is."""
    author = words(row.CreatedById)
    who: Who = columns.who_is(author) or "human"
    person = draft.person(who, author, ids=[author])
    is_note = not _is(row.IsPublished)
    draft.says(who, place, plain=row.CommentBody, at=row.CreatedDate, is_note=is_note, person=person)


def _is_mail(row: SalesforceRow) -> bool:
    return row.CommentBody is None


def _is(flag: bool | str | int | None) -> bool:
    return words(flag).lower() in _YES
