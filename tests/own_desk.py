"""Tickets of a real desk for tests, as an import has them, and a map of its acts; all of it is invented."""

from datetime import UTC, datetime
from pathlib import Path

from supportagentbench.records.record import to_json
from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent, TicketPerson, Who
from supportagentbench.shadow.desk_map import DeskMap, MappedAct
from supportagentbench.shadow.mapped_desk import MapInWorld, MappedDesk
from supportagentbench.tickets.import_folder import HEADER, TICKETS, ImportRecord
from supportagentbench.world.folder import World

AT = datetime(2026, 3, 5, 10, tzinfo=UTC)
HANDBOOK = "R1. A refund takes 5 to 7 business days.\n\nR12. Hats that were worn outside cannot be returned \
unless the lining is still sealed and dry.\n"

MAP = DeskMap(
    acts={
        "find_order": "look-up",
        "cancel": "cancel_order",
        "annul": "cancel_order",
        "pay_back": MappedAct("beyond", called="refund", dollars="amount"),
        "give_points": "beyond",
        "escalate": "hand_over",
    }
)

MAP_FILE = """acts:
  find_order: look-up
  cancel: cancel_order
  annul: cancel_order
  pay_back: {act: beyond, called: refund, dollars: amount}
  give_points: beyond
  escalate: hand_over
"""


def customer(text: str, at: datetime | None = AT) -> TicketEvent:
    return TicketEvent("customer", "message", text, at=at)


def bot(text: str) -> TicketEvent:
    return TicketEvent("bot", "message", text, at=AT)


def person(text: str, number: int | None = None) -> TicketEvent:
    return TicketEvent("human", "message", text, at=AT, person=number)


def note(text: str) -> TicketEvent:
    return TicketEvent("human", "note", text, at=AT)


def did(
    name: str, result: str = "", who: Who = "bot", ok: bool | None = None, **arguments: object
) -> TicketEvent:
    return TicketEvent(who, "act", at=AT, act=TicketAct(name, dict(arguments), result, ok))


def ticket(*events: TicketEvent, number: int = 1, approved: bool = True) -> SupportTicket:
    people = (TicketPerson("customer", "Luisa Eckert"), *(TicketPerson("human", one) for one in "AB"))
    return SupportTicket(f"t-{number}", "openai_chat", events, people, approved=approved)


def mapped_desk(world: World, policy: str = HANDBOOK) -> MappedDesk:
    return MappedDesk(MapInWorld(MAP, world), policy)


def stored(folder: Path, *tickets: SupportTicket) -> Path:
    """An import of these tickets."""
    folder.mkdir()
    (folder / TICKETS).write_bytes(b"".join(to_json(one) + b"\n" for one in tickets))
    header = ImportRecord("openai_chat", "ours", "2026-03-06", "US", "0", (), tickets=len(tickets))
    (folder / HEADER).write_bytes(to_json(header))
    return folder
