"""Ticket: what people, bots and systems did on one support ticket, whatever desk it was exported from.

A ticket is read, pseudonymised and only then stored. Everything in it is what people wrote.
"""

from datetime import datetime
from typing import Annotated, Any, Literal

from msgspec import Meta

from supportagentbench.records.amount import Count
from supportagentbench.records.name import Id
from supportagentbench.records.record import Record

Who = Literal["customer", "human", "bot", "system"]
"""`human`: a person who works at the desk; `bot`: an AI agent; `system`: the ticket system itself."""

TicketKind = Literal["message", "note", "act", "status"]
"""`message`: between customer and desk; `note`: internal; `act`: something that was done in the shop, or a
look into it; `status`: the ticket was opened, solved, reopened, merged."""

PersonNumber = Annotated[int, Meta(ge=0)]


class TicketPerson(Record):
    """A person, a bot or a system on a ticket, by what the export says in fields for it."""

    who: Who
    name: str = ""
    emails: tuple[str, ...] = ()
    phones: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()
    ids: tuple[str, ...] = ()
    """Names and numbers of his accounts."""


class TicketAct(Record):
    """Something that was done in the shop, or a look into it."""

    name: str
    """As the desk calls it."""
    arguments: dict[str, Any] = {}
    result: str = ""
    """The result, as text; empty: the export does not say."""
    ok: bool | None = None
    """None: the export does not say."""


class TicketEvent(Record):
    """One thing that happened on a ticket."""

    who: Who
    kind: TicketKind
    text: str = ""
    at: datetime | None = None
    """None: the export does not say."""
    person: PersonNumber | None = None
    """Whose it is, by place in the ticket's people."""
    act: TicketAct | None = None
    attachments: tuple[str, ...] = ()
    """Names of files; their content is never read."""
    doubts: tuple[tuple[int, int], ...] = ()
    """Places in the text, from and to, that may tell who a person is and that are not approved yet."""


class SupportTicket(Record, tag_field="record", tag="ticket/1"):
    """One ticket."""

    id: Id
    """A new one, not the desk's."""
    source: str
    """The desk that it was exported from, such as `zendesk`."""
    events: tuple[TicketEvent, ...]
    """In the order in which they happened."""
    people: tuple[TicketPerson, ...] = ()
    subject: str = ""
    channel: Literal["email", "chat", "other"] = "other"
    kind: str = ""
    """What the desk says that it is about: a type, a topic, a subflow."""
    tags: tuple[str, ...] = ()
    status: str = ""
    """As the desk left it."""
    satisfaction: str = ""
    """What the customer said about it, as the desk stores it."""
    reopened: Count = 0
    approved: bool = False
    """Whether a person has read it since it was pseudonymised, and says that it may be used."""

    @property
    def opening(self) -> str:
        """The customer's first message; empty if there is none."""
        found = (one.text for one in self.events if one.kind == "message" and one.who == "customer")
        return next(found, "")

    @property
    def has_doubts(self) -> bool:
        """Whether some of its text stays hidden until a person has approved it."""
        return any(one.doubts for one in self.events)
