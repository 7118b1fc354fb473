"""Zendesk: tickets with their comments and audits.

Comments are not part of a ticket unless they are loaded with it, so a ticket without any is not taken. Who
wrote a comment is known from the users loaded with it, from who is assigned and from who writes notes. What
was done is in the fields that changed, by the titles of the ticket fields loaded with it.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any

from msgspec import UNSET, UnsetType

from supportagentbench.records.ticket import TicketAct, Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Flag, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, JsonRow, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import Channel, TicketDraft, plain_arguments, words

STAFF = {"agent", "admin"}
CHATS = {"chat", "native_messaging", "messaging", "whatsapp", "facebook", "instagram_dm", "line", "sms"}
MERGED = "closed_by_merge"
_BOT = "answer_bot"
_SOLVED = {"solved", "closed"}
OF_THE_TICKET = {
    *("assignee_id", "brand_id", "custom_status_id", "description", "due_at", "is_public", "organization_id"),
    *("priority", "problem_id", "requester_id", "subject", "tags", "ticket_form_id", "type"),
}
"""Fields of every ticket; changing one does nothing in the shop. A new group may be a handover."""


class ZendeskUser(DeskRow):
    """A person with an account at the desk."""

    id: Number = None
    name: Text = None
    email: Text = None
    phone: Text = None
    role: Text = None


class ZendeskSource(DeskRow):
    """Where something came from."""

    rel: Text = None


class ZendeskVia(DeskRow):
    """How something came in."""

    channel: Number = None
    source: ZendeskSource | None = None


class ZendeskAttachment(DeskRow):
    """A file."""

    file_name: Text = None


class ZendeskComment(DeskRow):
    """What a person wrote on a ticket; also an event of an audit, which has no date."""

    id: Number = None
    ticket_id: Number = None
    type: Text = None
    author_id: Number = None
    body: Text = None
    plain_body: Text = None
    html_body: Text = None
    public: Flag = True
    attachments: list[ZendeskAttachment] | None = None
    created_at: Text = None
    via: ZendeskVia | None = None
    field_name: Text = None
    value: Any = None
    previous_value: Any = None


class ZendeskAudit(DeskRow):
    """One update of a ticket."""

    id: Number = None
    ticket_id: Number = None
    author_id: Number = None
    created_at: Text = None
    events: list[ZendeskComment] | None = None
    via: ZendeskVia | None = None


class ZendeskField(DeskRow):
    """A field that the desk's owner added."""

    value: Any = None


class ZendeskFieldName(DeskRow):
    """What such a field is called."""

    id: Number = None
    title: Text = None


class ZendeskRating(DeskRow):
    """What the customer said about it."""

    score: Text = None


class ZendeskTicket(DeskRow):
    """A ticket."""

    id: Number = None
    external_id: Number = None
    subject: Text = None
    status: Text = None
    type: Text = None
    tags: list[str] | None = None
    requester_id: Number = None
    assignee_id: Number = None
    collaborator_ids: list[Number] | None = None
    email_cc_ids: list[Number] | None = None
    requester: ZendeskUser | None = None
    submitter: ZendeskUser | None = None
    assignee: ZendeskUser | None = None
    custom_fields: list[ZendeskField] | None = None
    via: ZendeskVia | None = None
    satisfaction_rating: ZendeskRating | None = None
    comments: list[ZendeskComment] | UnsetType | None = UNSET
    audits: list[ZendeskAudit] | None = None
    created_at: Text = None
    updated_at: Text = None


class ZendeskShape(DeskRow):
    """Fields that only one kind of row has."""

    requester_id: Number | UnsetType = UNSET
    requester: ZendeskUser | UnsetType | None = UNSET
    events: list[Any] | UnsetType | None = UNSET
    author_id: Number | UnsetType = UNSET


class ZendeskExport:
    """All rows of an export, by what they are."""

    def __init__(self, columns: ColumnMap) -> None:
        self.columns = columns
        self.tickets: list[tuple[str, ZendeskTicket] | DroppedRow] = []
        self.comments: dict[str, list[tuple[str, ZendeskComment]]] = defaultdict(list)
        self.audits: dict[str, list[tuple[str, ZendeskAudit]]] = defaultdict(list)
        self.users: dict[str, ZendeskUser] = {}
        self.staff: set[str] = set()
        self.titles: dict[str, str] = {}
        """What the owner's fields are called, by number."""
        self.dropped: list[DroppedRow] = []

    def add(self, row: JsonRow) -> None:
        """Take one row."""
        key = row.key or _key_of(row)
        if key == "tickets":
            ticket = desk_row(row, ZendeskTicket, "a ticket of Zendesk")
            self.tickets.append(ticket if isinstance(ticket, DroppedRow) else (row.place, ticket))
            if isinstance(ticket, ZendeskTicket):
                self._meet(ticket)
        elif key == "users":
            user = desk_row(row, ZendeskUser, "a user of Zendesk")
            self.dropped.append(user) if isinstance(user, DroppedRow) else self._know(user)
        elif key == "ticket_fields":
            field = desk_row(row, ZendeskFieldName, "a ticket field of Zendesk")
            if isinstance(field, DroppedRow):
                self.dropped.append(field)
            else:
                self.titles[words(field.id)] = words(field.title)
        elif key == "comments":
            comment = desk_row(row, ZendeskComment, "a comment of Zendesk")
            self._put(comment, self.comments, row.place)
        else:
            audit = desk_row(row, ZendeskAudit, "an audit of Zendesk")
            self._put(audit, self.audits, row.place)

    def who(self, author: Number, ticket: ZendeskTicket) -> Who | None:
        """Who a person is; None: the export does not say."""
        key, user = words(author), self.users.get(words(author), ZendeskUser())
        if said := self.columns.who_is(key, user.name or "", user.email or ""):
            return said
        if key in ("", "-1"):
            return "system"
        if key == words(ticket.requester_id):
            return "customer"
        if user.role:
            return "human" if user.role in STAFF else "customer"
        return "human" if key in self.staff else None

    def _put(self, found: Any, places: dict[str, list[tuple[str, Any]]], place: str) -> None:
        if isinstance(found, DroppedRow):
            self.dropped.append(found)
        elif not words(found.ticket_id):
            self.dropped.append(DroppedRow(place, "a part that does not say which ticket it belongs to"))
        else:
            places[words(found.ticket_id)].append((place, found))
            if isinstance(found, ZendeskComment) and found.public is False:
                self.staff.add(words(found.author_id))

    def _meet(self, ticket: ZendeskTicket) -> None:
        for user in filter(None, (ticket.requester, ticket.submitter, ticket.assignee)):
            self._know(user)
        if ticket.requester and not words(ticket.requester_id):
            ticket.requester_id = ticket.requester.id
        self.staff |= {words(ticket.assignee_id or (ticket.assignee and ticket.assignee.id))} - {""}
        comments = ticket.comments or []
        self.staff |= {words(comment.author_id) for comment in comments if comment.public is False}

    def _know(self, user: ZendeskUser) -> None:
        if known := self.users.get(words(user.id)):
            user.role = user.role or known.role
            user.email = user.email or known.email
        self.users[words(user.id)] = user


def read_zendesk(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every ticket of these files."""
    found = ZendeskExport(export.columns)
    for file in export.files:
        for row in json_rows(
            file, "tickets", "comments", "audits", "ticket_audits", "users", "ticket_fields"
        ):
            found.add(row)
    tickets, repeated = newest(found.tickets, lambda row: row.id, lambda row: row.updated_at)
    yield from found.dropped
    yield from repeated
    for number, (place, ticket) in tickets.items():
        comments = [(place, comment) for comment in ticket.comments or []]
        audits = [(place, audit) for audit in ticket.audits or []]
        comments += found.comments.pop(number, [])
        audits += found.audits.pop(number, [])
        yield from _draft(found, ticket, place, comments, audits).rows()
    for parts in (found.comments, found.audits):
        for left in parts.values():
            yield from (
                DroppedRow(place, "a part of a ticket that is not in the export") for place, _ in left
            )


def _key_of(row: JsonRow) -> str:
    """What a single row is."""
    shape = desk_row(row, ZendeskShape, "")
    if isinstance(shape, DroppedRow) or shape.requester_id is not UNSET or shape.requester is not UNSET:
        return "tickets"
    if shape.events is not UNSET:
        return "audits"
    return "comments" if shape.author_id is not UNSET else "users"


def _draft(
    found: ZendeskExport,
    ticket: ZendeskTicket,
    place: str,
    comments: list[tuple[str, ZendeskComment]],
    audits: list[tuple[str, ZendeskAudit]],
) -> TicketDraft:
    draft = TicketDraft("zendesk", ticket.id, place)
    draft.has_numbers(ticket.external_id)
    draft.may_have_numbers(field.value for field in ticket.custom_fields or [])
    draft.subject, draft.kind, draft.status = ticket.subject or "", ticket.type or "", ticket.status or ""
    draft.tags = tuple(ticket.tags or ())
    draft.channel = _channel(ticket.via)
    rating = ticket.satisfaction_rating.score if ticket.satisfaction_rating else None
    draft.satisfaction = "" if rating in (None, "unoffered") else rating or ""
    if words(ticket.requester_id):
        _person(draft, found, ticket, ticket.requester_id, "customer")
    for number in [*(ticket.collaborator_ids or []), *(ticket.email_cc_ids or [])]:
        _person(draft, found, ticket, number, found.who(number, ticket) or "customer")
    seen: set[str] = set()
    for at, comment in comments:
        _comment(draft, found, ticket, comment, at, seen)
    seen_audits: set[str] = set()
    for at, audit in audits:
        _audit(draft, found, ticket, audit, at, seen, seen_audits)
    if MERGED in draft.tags:
        draft.becomes("merged into another ticket", place, at=ticket.updated_at)
    if not seen:
        draft.refuse("a ticket without its comments: load them, too")
    return draft


def _comment(
    draft: TicketDraft,
    found: ZendeskExport,
    ticket: ZendeskTicket,
    comment: ZendeskComment,
    place: str,
    seen: set[str],
) -> None:
    number = words(comment.id)
    if number and number in seen:
        draft.drop(place, "a comment that another row repeats")
        return
    seen.add(number)
    who = _who_of(found, ticket, comment.author_id, comment.via)
    if who is None:
        draft.refuse("a ticket with a comment by a person whose role is not said: load the users, too")
        return
    person = _person(draft, found, ticket, comment.author_id, who)
    if comment.via and comment.via.source and comment.via.source.rel == "merge":
        draft.becomes("merged", place, at=comment.created_at, who=who, person=person)
        return  # What it says repeats a message of the other ticket.
    draft.says(
        who,
        place,
        plain=comment.plain_body or (None if comment.html_body else comment.body),
        html=comment.html_body,
        at=comment.created_at,
        is_note=comment.public is False,
        person=person,
        attachments=[file.file_name for file in comment.attachments or []],
    )


def _audit(
    draft: TicketDraft,
    found: ZendeskExport,
    ticket: ZendeskTicket,
    audit: ZendeskAudit,
    place: str,
    seen: set[str],
    seen_audits: set[str],
) -> None:
    number = words(audit.id)
    if number and number in seen_audits:
        draft.drop(place, "an audit that another row repeats")
        return
    seen_audits.add(number)
    who = _who_of(found, ticket, audit.author_id, audit.via) or "human"
    person = None if who == "system" else _person(draft, found, ticket, audit.author_id, who)
    for event in audit.events or []:
        if event.type in ("Comment", "VoiceComment"):
            event.created_at = event.created_at or audit.created_at
            event.author_id = event.author_id if words(event.author_id) else audit.author_id
            event.via = event.via or audit.via
            _comment(draft, found, ticket, event, place, seen)
        elif event.type in ("Change", "Create") and event.field_name == "status":
            value, before = words(event.value), words(event.previous_value)
            draft.reopened += before in _SOLVED and value not in _SOLVED
            draft.becomes(value, place, at=audit.created_at, who=who, person=person)
        elif event.type == "Change" and event.field_name not in OF_THE_TICKET:
            name = words(event.field_name)
            arguments = {"from": event.previous_value, "to": event.value}
            act = TicketAct(found.titles.get(name) or name, plain_arguments(arguments))
            draft.does(who, act, place, at=audit.created_at, person=person)
        elif event.type == "Change":
            draft.drop(place, "a change of a field that every ticket has")
        else:
            draft.drop(place, "an event of an audit that is neither a comment nor a change")


def _who_of(
    found: ZendeskExport, ticket: ZendeskTicket, author: Number, via: ZendeskVia | None
) -> Who | None:
    channel = words(via.channel) if via else ""
    if channel in ("rule", "system"):
        return "system"
    return "bot" if channel.startswith(_BOT) else found.who(author, ticket)


def _person(
    draft: TicketDraft, found: ZendeskExport, ticket: ZendeskTicket, author: Number, who: Who
) -> int | None:
    if not words(author) or who == "system":
        return None
    user = found.users.get(words(author), ZendeskUser(id=author))
    return draft.person(who, author, name=user.name, emails=[user.email], phones=[user.phone], ids=[user.id])


def _channel(via: ZendeskVia | None) -> Channel:
    channel = words(via.channel) if via else ""
    return "email" if channel == "email" else "chat" if channel in CHATS else "other"
