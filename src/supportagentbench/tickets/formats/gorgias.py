"""Gorgias: tickets with their messages, whose actions are what was done in the shop."""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from supportagentbench.records.ticket import TicketAct, Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Flag, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import Channel, TicketDraft, plain_arguments, words

_CHATS = {"chat", "facebook-messenger", "instagram-direct-message", "sms", "whatsapp"}
_DONE = {"success": True, "error": False, "failed": False, "canceled": False}


class GorgiasPerson(DeskRow):
    """A customer or a user."""

    id: Number = None
    name: Text = None
    email: Text = None
    phone: Text = None


class GorgiasAction(DeskRow):
    """Something that was done with a message."""

    name: Text = None
    title: Text = None
    status: Text = None
    arguments: Any = None


class GorgiasAttachment(DeskRow):
    """A file."""

    name: Text = None


class GorgiasMessage(DeskRow):
    """A message or a note."""

    id: Number = None
    ticket_id: Number = None
    from_agent: Flag = None
    public: Flag = True
    channel: Text = None
    via: Text = None
    sender: GorgiasPerson | None = None
    receiver: GorgiasPerson | None = None
    body_text: Text = None
    body_html: Text = None
    stripped_text: Text = None
    stripped_html: Text = None
    actions: list[GorgiasAction] | None = None
    attachments: list[GorgiasAttachment] | None = None
    created_datetime: Text = None


class GorgiasTag(DeskRow):
    """A tag."""

    name: Text = None


class GorgiasSurvey(DeskRow):
    """What the customer said about it."""

    score: Number = None


class GorgiasTicket(DeskRow):
    """A ticket."""

    id: Number = None
    external_id: Number = None
    subject: Text = None
    status: Text = None
    channel: Text = None
    customer: GorgiasPerson | None = None
    tags: list[GorgiasTag] | None = None
    messages: list[GorgiasMessage] | None = None
    satisfaction_survey: GorgiasSurvey | None = None
    created_datetime: Text = None
    updated_datetime: Text = None
    ticket_id: Number | UnsetType = UNSET
    """Of a message in its own row."""


def read_gorgias(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every ticket of these files, with its messages in it or in other rows."""
    rows: list[tuple[str, GorgiasTicket] | DroppedRow] = []
    messages: dict[str, list[tuple[str, GorgiasMessage]]] = defaultdict(list)
    for file in export.files:
        for row in json_rows(file, "tickets", "messages", "data"):
            found = desk_row(row, GorgiasTicket, "a ticket of Gorgias")
            if isinstance(found, DroppedRow) or found.ticket_id is UNSET:
                rows.append(found if isinstance(found, DroppedRow) else (row.place, found))
                continue
            message = desk_row(row, GorgiasMessage, "a message of Gorgias")
            if isinstance(message, DroppedRow):
                rows.append(message)
            else:
                messages[words(message.ticket_id)].append((row.place, message))
    tickets, dropped = newest(rows, lambda row: row.id, lambda row: row.updated_datetime)
    yield from dropped
    for number in messages:
        if number and number not in tickets:  # An export of messages alone says all that is needed.
            tickets[number] = (messages[number][0][0], GorgiasTicket(id=number))
    for number, (place, ticket) in tickets.items():
        own = [(f"{place}, message {at}", one) for at, one in enumerate(ticket.messages or [], 1)]
        yield from _draft(ticket, own + messages.pop(number, []), place, export.columns).rows()
    for parts in messages.values():
        yield from (DroppedRow(at, "a part that does not say which ticket it belongs to") for at, _ in parts)


def _draft(
    ticket: GorgiasTicket, messages: list[tuple[str, GorgiasMessage]], place: str, columns: ColumnMap
) -> TicketDraft:
    draft = TicketDraft("gorgias", ticket.id, place)
    draft.has_numbers(ticket.external_id)
    draft.subject, draft.status = ticket.subject or "", ticket.status or ""
    draft.tags = tuple(tag.name or "" for tag in ticket.tags or [])
    draft.channel = _channel(ticket.channel or next((one.channel for _, one in messages), None))
    if ticket.satisfaction_survey:
        draft.satisfaction = words(ticket.satisfaction_survey.score)
    if ticket.customer:
        _person(draft, ticket.customer, "customer")
    seen: set[str] = set()
    for at, message in messages:
        number = words(message.id)
        if number and number in seen:
            draft.drop(at, "a message that another row repeats")
            continue
        seen.add(number)
        _message(draft, message, at, columns)
    return draft


def _message(draft: TicketDraft, message: GorgiasMessage, place: str, columns: ColumnMap) -> None:
    who = _who(message, columns)
    if who is None:
        draft.refuse("a ticket with a message that does not say whether it is from the desk")
        return
    person = _person(draft, message.sender, who) if message.sender and who != "system" else None
    if message.receiver and message.from_agent is not None:
        _person(draft, message.receiver, "customer" if message.from_agent else "human")
    actions = [action for action in message.actions or [] if action.name]
    text = message.stripped_text or message.body_text
    html = message.stripped_html or message.body_html
    if text or html or message.attachments or not actions:
        draft.says(
            who,
            place,
            plain=text,
            html=html,
            at=message.created_datetime,
            is_note=message.channel == "internal-note" or message.public is False,
            person=person,
            attachments=[file.name for file in message.attachments or []],
        )
    for action in actions:
        act = TicketAct(
            name=action.name or "",
            arguments=plain_arguments(action.arguments),
            result=action.status or "",
            ok=_DONE.get(action.status or ""),
        )
        draft.does(who, act, place, at=message.created_datetime, person=person)


def _who(message: GorgiasMessage, columns: ColumnMap) -> Who | None:
    sender = message.sender or GorgiasPerson()
    if said := columns.who_is(sender.name or "", sender.email or "", words(sender.id)):
        return said
    if message.via == "rule":
        return "system"
    return None if message.from_agent is None else "human" if message.from_agent else "customer"


def _person(draft: TicketDraft, person: GorgiasPerson, who: Who) -> int:
    key = words(person.id) or person.email or person.name
    return draft.person(
        who, key, name=person.name, emails=[person.email], phones=[person.phone], ids=[person.id]
    )


def _channel(channel: str | None) -> Channel:
    return "email" if channel == "email" else "chat" if channel in _CHATS else "other"
