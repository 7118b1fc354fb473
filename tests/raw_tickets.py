"""Tickets as a desk exports them, for tests; everybody on them is invented."""

from datetime import UTC, datetime

from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent, TicketPerson
from supportagentbench.tickets.raw import RawTicket

KEY = b"k" * 32
DAVID = TicketPerson(
    "customer",
    "Dávid Okonkwo-Lindqvist",
    ("dok.lind77@fastmail.com",),
    ("(791) 582-4288",),
    ("8815 Primrose Street, San Lima, CA 94111",),
    ("dlindqvist1",),
)
EMMA = TicketPerson("human", "Emma O'Neill", ("emma@northline-desk.com",))


def raw_ticket(*texts: str | TicketEvent, number: str = "TK-48213", subject: str = "") -> RawTicket:
    """A ticket of David's with Emma, in which the customer writes these texts."""
    at = datetime(2024, 3, 7, 12, 30, tzinfo=UTC)
    events = (
        one if isinstance(one, TicketEvent) else TicketEvent("customer", "message", one, at=at)
        for one in texts
    )
    ticket = SupportTicket(f"id-{number}", "zendesk", tuple(events), (DAVID, EMMA), subject, "email")
    return RawTicket(ticket, (number, "1Z999AA10123456784"), f"tickets.json, {number}")


def act(**arguments: object) -> TicketEvent:
    """Something that Emma did."""
    return TicketEvent("human", "act", act=TicketAct("update_order", dict(arguments)))
