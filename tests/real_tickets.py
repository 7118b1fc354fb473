"""Real tickets in tests: what customers and people at a desk wrote and did, and maps of that desk."""

from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from conversations import WORLD
from supportagentbench.records.record import to_json
from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent, TicketPerson
from supportagentbench.shadow.desk_map import DeskMap, MappedAct, TicketFacts
from supportagentbench.shadow.ticket_cases import TicketCase, TicketCases
from supportagentbench.tickets.import_folder import HEADER, TICKETS, ImportRecord

ANNA = TicketPerson("customer", "Anna Example", ("anna@example.com",))
EMMA = TicketPerson("human", "Emma Example")
NUMBER = "#4711"
MONDAY = datetime(2026, 6, 29, 9, 30, tzinfo=UTC)

UNSHIPPED = {"stage": "unfulfilled", "delivery": "none", "age": "not_delivered"}
SHIPPED = {"stage": "shipped", "delivery": "moving", "age": "not_delivered"}

DESK = DeskMap(
    {
        "open order": "look-up",
        "stop order": "cancel_order",
        "send again": "reship",
        "pass on": "hand_over",
        "coupon": MappedAct("beyond", dollars="value"),
    },
    {"stop": "cancel", "lost": "not_received", "where": "status"},
)
"""What Emma's desk calls things."""


def customer(text: str, *files: str) -> TicketEvent:
    """A message of Anna's."""
    return TicketEvent("customer", "message", text, MONDAY, 0, attachments=files)


def desk(text: str) -> TicketEvent:
    """A message of Emma's."""
    return TicketEvent("human", "message", text, MONDAY, 1)


def did(name: str, ok: bool | None = None, **arguments: Any) -> TicketEvent:
    """Something that Emma did, or a look into something."""
    return TicketEvent("human", "act", at=MONDAY, person=1, act=TicketAct(name, arguments, ok=ok))


def note(text: str) -> TicketEvent:
    """What Emma noted for her colleagues."""
    return TicketEvent("human", "note", text, MONDAY, 1)


def ticket(*events: TicketEvent, **fields: Any) -> SupportTicket:
    """Anna's ticket, on which a person has read everything."""
    given: dict[str, Any] = {"people": (ANNA, EMMA), "kind": "stop", "approved": True, **fields}
    return SupportTicket(given.pop("id", "t-1"), "zendesk", events, **given)


def desk_map(known: TicketFacts | None = None, acts: Mapping[str, str | MappedAct] = {}) -> DeskMap:
    """Emma's desk map with what is known of Anna's ticket, and further acts."""
    return DeskMap({**DESK.acts, **acts}, DESK.kinds, {"t-1": known} if known else {})


def known(facts: dict[str, str] | None = None, **fields: Any) -> TicketFacts:
    """What is known of Anna's order."""
    return TicketFacts(**{"subject": NUMBER, "facts": facts or {}, **fields})


def cases_of(one: SupportTicket, mapped: DeskMap) -> TicketCases:
    """The cases that one ticket makes: one, or none."""
    return TicketCases(WORLD, [one], mapped)


def case_of(one: SupportTicket, mapped: DeskMap) -> TicketCase:
    """One ticket, resumed."""
    cases = cases_of(one, mapped)
    assert not cases.left_out, cases.left_out
    return cases.resumed[one.id]


def imported(folder: Path, *tickets: SupportTicket) -> Path:
    """A folder with these tickets, as `sab import` leaves it."""
    folder.mkdir()
    header = ImportRecord("zendesk", "ours", "2026-07-01", "US", "1", (), tickets=len(tickets))
    (folder / HEADER).write_bytes(to_json(header) + b"\n")
    (folder / TICKETS).write_bytes(b"".join(to_json(one) + b"\n" for one in tickets))
    return folder


def map_file(path: Path, *tickets: str) -> Path:
    """Emma's desk map as a file, with what is known of the tickets, in YAML."""
    entries = "".join(f"  {one}\n" for one in tickets) or "  {}\n"
    path.write_text(f"""\
acts:
  open order: look-up
  stop order: cancel_order
  send again: reship
  pass on: hand_over
  coupon: {{act: beyond, dollars: value}}
kinds: {{stop: cancel, lost: not_received, where: status}}
tickets:
{entries}""")
    return path
