"""Small exports written for the tests: invented people of invented shops, with the fields of each desk."""

from collections import Counter
from pathlib import Path

from supportagentbench.records.ticket import SupportTicket
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.read import read_tickets

EXPORTS = Path(__file__).parent / "tickets" / "exports"


def tickets_in(format_name: str, *names: str, columns: str = "") -> list[RawTicket]:
    """The tickets of these exports."""
    return [row for row in rows_in(format_name, *names, columns=columns) if isinstance(row, RawTicket)]


def dropped_in(format_name: str, *names: str, columns: str = "") -> Counter[str]:
    """How often each reason not to take a row of these exports was given."""
    rows = rows_in(format_name, *names, columns=columns)
    return Counter(row.reason for row in rows if isinstance(row, DroppedRow))


def rows_in(format_name: str, *names: str, columns: str = "") -> list[RawTicket | DroppedRow]:
    """All that comes out of these exports."""
    return list(read_tickets(format_name, [EXPORTS / name for name in names], columns))


def rows_of(
    path: Path, text: str | bytes, format_name: str, columns: str = ""
) -> list[RawTicket | DroppedRow]:
    """All that comes out of a file with this content."""
    path.write_bytes(text.encode() if isinstance(text, str) else text)
    return list(read_tickets(format_name, [path], columns))


def talk(ticket: SupportTicket) -> list[str]:
    """What happened, a line each: who did what kind of thing, and its text or the name of the act."""
    return [f"{one.who} {one.kind}: {one.act.name if one.act else one.text}" for one in ticket.events]
