"""Imported tickets in tests, as they are on file: short ones, of which everybody is invented."""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime
from pathlib import Path

from conversations import WORLD
from supportagentbench.records.record import to_json
from supportagentbench.records.ticket import SupportTicket, TicketEvent, TicketPerson
from supportagentbench.shadow.desk_map import DeskMap
from supportagentbench.shadow.opening_cases import OpeningCases
from supportagentbench.tickets.import_folder import HEADER, TICKETS, ImportRecord

NOON = datetime(2026, 6, 20, 12, 30, tzinfo=UTC)
JO = TicketPerson("customer", "Jo Marsh", ("jo.marsh@example.com",))

CANCEL = ("Please cancel order #40171, I ordered it twice.", "May I?", "Yes please, do it.")
CRACKED = (
    "My case arrived with a crack. The order is #40172. I want a new one.",
    "Can you send a photo?",
    "I do not have a photo, sorry.",
    "Then we cannot help you.",
    "That is not good enough, I paid a lot for this case.",
)
"""What customer and desk say in turn."""


def said(
    *texts: str, name: str = "t-1", approved: bool = True, doubts: Sequence[tuple[int, int]] = ()
) -> SupportTicket:
    """A ticket in which customer and desk write in turn; the doubts are in the opening."""
    events = (
        TicketEvent(
            "human" if place % 2 else "customer",
            "message",
            text,
            at=NOON,
            doubts=() if place else tuple(doubts),
        )
        for place, text in enumerate(texts)
    )
    return SupportTicket(name, "zendesk", tuple(events), (JO,), approved=approved)


def imported(place: Path, *tickets: SupportTicket) -> Path:
    """A folder as an import leaves it."""
    place.mkdir()
    header = ImportRecord("zendesk", "MIT", "2026-06-20", "US", "1", (), tickets=len(tickets))
    (place / HEADER).write_bytes(to_json(header))
    (place / TICKETS).write_bytes(b"".join(to_json(one) + b"\n" for one in tickets))
    return place


def openings(*tickets: SupportTicket, desk_map: DeskMap | None = None) -> OpeningCases:
    """The same as cases of the shop that all tests share."""
    return OpeningCases(WORLD, tickets, desk_map or DeskMap())


def reasons(cases: OpeningCases) -> Iterable[str]:
    return list(cases.left_out.elements())
