"""Intercom: conversations with their parts; a `source` opens one, and times are seconds since 1970."""

from collections.abc import Iterator

from supportagentbench.records.ticket import TicketAct, Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Flag, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import REDACTED, Channel, TicketDraft, words

_WHO: dict[str, Who] = {
    "user": "customer",
    "lead": "customer",
    "contact": "customer",
    "admin": "human",
    "team": "human",
    "bot": "bot",
}
_CHATS = {"conversation", "whatsapp", "facebook", "instagram", "sms", "twitter"}
_SAID = {"comment", "quick_reply", "note", "note_and_reopen"}
"""Kinds of parts that only say something; others change the status, and may say something, too."""


class IntercomAuthor(DeskRow):
    """Who wrote something."""

    id: Number = None
    type: Text = None
    name: Text = None
    email: Text = None
    from_ai_agent: Flag = None
    is_ai_answer: Flag = None


class IntercomAttachment(DeskRow):
    """A file."""

    name: Text = None


class IntercomAction(DeskRow):
    """Something that was done through another system."""

    name: Text = None
    result: Text = None


class IntercomEventDetails(DeskRow):
    """What a part without words is about."""

    action: IntercomAction | None = None


class IntercomPart(DeskRow):
    """One part of a conversation."""

    id: Number = None
    part_type: Text = None
    body: Text = None
    created_at: float | None = None
    author: IntercomAuthor | None = None
    attachments: list[IntercomAttachment] | None = None
    redacted: Flag = None
    event_details: IntercomEventDetails | None = None


class IntercomSource(IntercomPart):
    """What opened a conversation."""

    type: Text = None
    subject: Text = None


class IntercomParts(DeskRow):
    """The parts, at most the newest 500."""

    conversation_parts: list[IntercomPart] | None = None
    total_count: int | None = None


class IntercomTag(DeskRow):
    """A tag."""

    name: Text = None


class IntercomTags(DeskRow):
    """Tags."""

    tags: list[IntercomTag] | None = None


class IntercomContact(DeskRow):
    """A customer."""

    id: Number = None
    external_id: Number = None
    name: Text = None
    email: Text = None
    phone: Text = None


class IntercomContacts(DeskRow):
    """Customers."""

    contacts: list[IntercomContact] | None = None


class IntercomRating(DeskRow):
    """What the customer said about it."""

    rating: int | None = None


class IntercomStatistics(DeskRow):
    """Counts."""

    count_reopens: int | None = None


class IntercomConversation(DeskRow):
    """A conversation."""

    id: Number = None
    title: Text = None
    state: Text = None
    created_at: float | None = None
    updated_at: float | None = None
    source: IntercomSource | None = None
    conversation_parts: IntercomParts | None = None
    contacts: IntercomContacts | None = None
    tags: IntercomTags | None = None
    conversation_rating: IntercomRating | None = None
    statistics: IntercomStatistics | None = None


def read_intercom(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every conversation of these files."""
    rows: list[tuple[str, IntercomConversation] | DroppedRow] = []
    for file in export.files:
        for row in json_rows(file, "conversations", "data"):
            found = desk_row(row, IntercomConversation, "a conversation of Intercom")
            rows.append(found if isinstance(found, DroppedRow) else (row.place, found))
    conversations, dropped = newest(rows, lambda row: row.id, lambda row: f"{row.updated_at or 0:020.3f}")
    yield from dropped
    for place, one in conversations.values():
        yield from _draft(one, place, export.columns).rows()


def _draft(one: IntercomConversation, place: str, columns: ColumnMap) -> TicketDraft:
    draft = TicketDraft("intercom", one.id, place)
    draft.status = one.state or ""
    draft.tags = tuple(tag.name or "" for tag in (one.tags.tags if one.tags else None) or [])
    draft.reopened = max(0, (one.statistics.count_reopens if one.statistics else None) or 0)
    if one.conversation_rating:
        draft.satisfaction = words(one.conversation_rating.rating)
    for contact in (one.contacts.contacts if one.contacts else None) or []:
        draft.person(
            "customer",
            contact.id,
            name=contact.name,
            emails=[contact.email],
            phones=[contact.phone],
            ids=[contact.id, contact.external_id],
        )
    if one.source:
        draft.subject = one.title or one.source.subject or ""
        draft.channel = _channel(one.source)
        one.source.created_at = one.source.created_at or one.created_at
        one.source.part_type = "comment"
        if one.source.body or one.source.attachments or one.source.redacted:
            _part(draft, one.source, f"{place}, source", columns, {})
    parts = one.conversation_parts
    if parts is None or parts.conversation_parts is None:
        draft.refuse("a conversation without its parts: load each conversation by its number")
        return draft
    if (parts.total_count or 0) > len(parts.conversation_parts):
        draft.refuse("a conversation of which the export has only the newest parts")
    started: dict[str, list[int]] = {}
    for number, part in enumerate(parts.conversation_parts, 1):
        _part(draft, part, f"{place}, part {number}", columns, started)
    return draft


def _part(
    draft: TicketDraft, part: IntercomPart, place: str, columns: ColumnMap, started: dict[str, list[int]]
) -> None:
    """`started`: by name of an action, the events of those that are not finished yet."""
    author = part.author or IntercomAuthor()
    who = _who(author, columns)
    person = None
    if who != "system":
        person = draft.person(who, author.id, name=author.name, emails=[author.email], ids=[author.id])
    kind = part.part_type or "part"
    if kind.startswith("custom_action_"):
        _act(draft, part, place, who, person, started)
        return
    says = bool(part.body) or bool(part.attachments) or bool(part.redacted)
    if says or kind in _SAID:
        draft.says(
            who,
            place,
            plain=REDACTED if part.redacted else None,
            html=part.body,
            at=part.created_at,
            is_note=kind.startswith("note"),
            person=person,
            attachments=[file.name for file in part.attachments or []],
        )
    if kind not in _SAID:
        draft.becomes(kind, place, at=part.created_at, who=who, person=person)


def _act(
    draft: TicketDraft,
    part: IntercomPart,
    place: str,
    who: Who,
    person: int | None,
    started: dict[str, list[int]],
) -> None:
    """An action is two parts: one that says that it started, and one with the result."""
    action = (part.event_details.action if part.event_details else None) or IntercomAction()
    name = action.name or "custom action"
    ok = {"success": True, "failed": False}.get(action.result or "")
    if part.part_type == "custom_action_finished" and started.get(name):
        draft.came_of(started[name].pop(0), action.result or "", ok)
        return
    act = TicketAct(name=name, result=action.result or "", ok=ok)
    event = draft.does(who, act, place, at=part.created_at, person=person)
    if part.part_type == "custom_action_started":
        started.setdefault(name, []).append(event)


def _who(author: IntercomAuthor, columns: ColumnMap) -> Who:
    said = columns.who_is(words(author.id), author.name or "", author.email or "")
    is_bot = author.from_ai_agent or author.is_ai_answer
    return said or ("bot" if is_bot else _WHO.get(author.type or "", "system"))


def _channel(source: IntercomSource) -> Channel:
    return "email" if source.type == "email" else "chat" if source.type in _CHATS else "other"
