"""Freshdesk: tickets whose opening is the description of the ticket itself, and what was said after it."""

import re
from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from supportagentbench.records.ticket import Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Flag, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import Channel, TicketDraft, words

MOST_LOADED = 10
"""What is loaded with a ticket at most; the rest is only in the list of its conversations."""
_STATUS = {"2": "open", "3": "pending", "4": "resolved", "5": "closed"}
_CHANNELS: dict[str, Channel] = {"1": "email", "10": "email", "7": "chat"}
_OUTBOUND = "10"
_MERGED = re.compile(
    r"(?:this )?ticket (?:is |was |has been )?(?:closed and )?merged (?:in)?to ticket \d+"
    r"|merged from ticket \d+",
    re.IGNORECASE,
)


class FreshdeskPerson(DeskRow):
    """A customer."""

    id: Number = None
    name: Text = None
    email: Text = None
    phone: Number = None
    mobile: Number = None
    address: Text = None


class FreshdeskAttachment(DeskRow):
    """A file."""

    name: Text = None


class FreshdeskReply(DeskRow):
    """What was said after the opening: a conversation, as this desk calls it."""

    id: Number = None
    ticket_id: Number = None
    user_id: Number = None
    incoming: Flag = None
    private: Flag = None
    body: Text = None
    body_text: Text = None
    from_email: Text = None
    attachments: list[FreshdeskAttachment] | None = None
    created_at: Text = None


class FreshdeskStats(DeskRow):
    """When the ticket changed."""

    resolved_at: Text = None
    closed_at: Text = None
    reopened_at: Text = None


class FreshdeskTicket(DeskRow):
    """A ticket."""

    id: Number = None
    subject: Text = None
    description: Text = None
    description_text: Text = None
    status: Number = None
    source: Number = None
    type: Text = None
    tags: list[str] | None = None
    requester_id: Number = None
    requester: FreshdeskPerson | None = None
    responder_id: Number = None
    custom_fields: dict[str, Any] | None = None
    attachments: list[FreshdeskAttachment] | None = None
    conversations: list[FreshdeskReply] | UnsetType | None = UNSET
    stats: FreshdeskStats | None = None
    created_at: Text = None
    updated_at: Text = None
    ticket_id: Number | UnsetType = UNSET
    """Of a reply in its own row."""


def read_freshdesk(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every ticket of these files, with its conversations in it or in other rows."""
    rows: list[tuple[str, FreshdeskTicket] | DroppedRow] = []
    replies: dict[str, list[tuple[str, FreshdeskReply]]] = defaultdict(list)
    for file in export.files:
        for row in json_rows(file, "tickets", "conversations", "results"):
            found = desk_row(row, FreshdeskTicket, "a ticket of Freshdesk")
            if isinstance(found, DroppedRow) or found.ticket_id is UNSET:
                rows.append(found if isinstance(found, DroppedRow) else (row.place, found))
                continue
            reply = desk_row(row, FreshdeskReply, "a conversation of Freshdesk")
            if isinstance(reply, DroppedRow):
                rows.append(reply)
            else:
                replies[words(reply.ticket_id)].append((row.place, reply))
    tickets, dropped = newest(rows, lambda row: row.id, lambda row: row.updated_at)
    yield from dropped
    for number, (place, ticket) in tickets.items():
        yield from _draft(ticket, replies.pop(number, []), place, export.columns).rows()
    for parts in replies.values():
        yield from (DroppedRow(at, "a part of a ticket that is not in the export") for at, _ in parts)


def _draft(
    ticket: FreshdeskTicket, beside: list[tuple[str, FreshdeskReply]], place: str, columns: ColumnMap
) -> TicketDraft:
    draft = TicketDraft("freshdesk", ticket.id, place)
    draft.may_have_numbers((ticket.custom_fields or {}).values())
    draft.subject, draft.kind = ticket.subject or "", ticket.type or ""
    draft.status = _STATUS.get(words(ticket.status), words(ticket.status))
    draft.channel = _CHANNELS.get(words(ticket.source), "other")
    draft.tags = tuple(ticket.tags or ())
    _opening(draft, ticket, place)
    inside = ticket.conversations if isinstance(ticket.conversations, list) else []
    if ticket.conversations is UNSET and not beside:
        draft.refuse("a ticket without its conversations: load them with include=conversations")
    if len(inside) >= MOST_LOADED and not beside:
        draft.refuse(f"a ticket with {MOST_LOADED} conversations, and more may be missing: load its own list")
    parts = [(f"{place}, conversation {number}", one) for number, one in enumerate(inside, 1)]
    seen: set[str] = set()
    for at, reply in parts + beside:
        number = words(reply.id)
        if number and number in seen:
            draft.drop(at, "a conversation that another row repeats")
            continue
        seen.add(number)
        _reply(draft, ticket, reply, at, columns)
    if ticket.stats:
        _statuses(draft, ticket.stats, place)
    return draft


def _opening(draft: TicketDraft, ticket: FreshdeskTicket, place: str) -> None:
    """The description; the desk wrote it itself, if it opened the ticket to write to a customer."""
    requester = ticket.requester or FreshdeskPerson(id=ticket.requester_id)
    customer = draft.person(
        "customer",
        requester.id or ticket.requester_id,
        name=requester.name,
        emails=[requester.email],
        phones=[words(requester.phone), words(requester.mobile)],
        addresses=[requester.address],
        ids=[ticket.requester_id, requester.id],
    )
    is_ours = words(ticket.source) == _OUTBOUND
    draft.says(
        "human" if is_ours else "customer",
        f"{place}, description",
        plain=ticket.description_text,
        html=ticket.description,
        at=ticket.created_at,
        person=None if is_ours else customer,
        attachments=[file.name for file in ticket.attachments or []],
    )


def _reply(
    draft: TicketDraft, ticket: FreshdeskTicket, reply: FreshdeskReply, place: str, columns: ColumnMap
) -> None:
    who: Who | None = columns.who_is(words(reply.user_id), reply.from_email or "")
    if who is None and reply.incoming is None:
        draft.refuse("a ticket with a part that does not say whether it is from the desk")
        return
    who = who or ("customer" if reply.incoming else "human")
    person = draft.person(
        who, reply.user_id, emails=[reply.from_email if reply.incoming else None], ids=[reply.user_id]
    )
    if reply.private and _MERGED.match((reply.body_text or "").strip()):
        draft.becomes("merged", place, at=reply.created_at, who=who, person=person)
        return  # What it says repeats messages of the other ticket.
    draft.says(
        who,
        place,
        plain=reply.body_text,
        html=reply.body,
        at=reply.created_at,
        is_note=bool(reply.private),
        person=person,
        attachments=[file.name for file in reply.attachments or []],
    )


def _statuses(draft: TicketDraft, stats: FreshdeskStats, place: str) -> None:
    changes = (("resolved", stats.resolved_at), ("reopened", stats.reopened_at), ("closed", stats.closed_at))
    for name, at in changes:
        if at:
            draft.becomes(name, place, at=at)
    draft.reopened = 1 if stats.reopened_at else 0
