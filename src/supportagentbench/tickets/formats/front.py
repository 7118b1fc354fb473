"""Front: conversations with their messages and internal comments; times are seconds since 1970."""

from collections import defaultdict
from collections.abc import Iterator

from msgspec import UNSET, UnsetType, field

from supportagentbench.records.ticket import Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Flag, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import Channel, TicketDraft, words

_CHANNELS: dict[str, Channel] = {
    "email": "email",
    "front_chat": "chat",
    "intercom": "chat",
    "sms": "chat",
    "smooch": "chat",
    "whatsapp": "chat",
    "facebook": "chat",
}


class FrontAuthor(DeskRow):
    """A person who works at the desk."""

    id: Number = None
    email: Text = None
    username: Text = None
    first_name: Text = None
    last_name: Text = None


class FrontRecipient(DeskRow):
    """A person that a message is from or to."""

    name: Text = None
    handle: Text = None
    role: Text = None


class FrontAttachment(DeskRow):
    """A file."""

    filename: Text = None


class FrontRelated(DeskRow):
    """Addresses of related things."""

    conversation: Text = None


class FrontLinks(DeskRow):
    """Addresses."""

    related: FrontRelated | None = None


class FrontPart(DeskRow):
    """A message, or a comment, which says neither which way it went nor who got it."""

    id: Number = None
    conversation_id: Number = None
    type: Text = None
    is_inbound: Flag | UnsetType = UNSET
    is_draft: Flag = None
    author: FrontAuthor | None = None
    recipients: list[FrontRecipient] | None = None
    subject: Text = None
    body: Text = None
    text: Text = None
    attachments: list[FrontAttachment] | None = None
    created_at: float | None = None
    posted_at: float | None = None
    links: FrontLinks | None = field(default=None, name="_links")

    @property
    def conversation(self) -> str:
        """The number of its conversation, which may be the last part of an address."""
        related = self.links.related.conversation if self.links and self.links.related else None
        return words(self.conversation_id) or (related or "").rstrip("/").rpartition("/")[2]


class FrontTag(DeskRow):
    """A tag."""

    name: Text = None


class FrontConversation(DeskRow):
    """A conversation."""

    id: Number = None
    subject: Text = None
    status: Text = None
    tags: list[FrontTag] | None = None
    recipient: FrontRecipient | None = None
    messages: list[FrontPart] | None = None
    comments: list[FrontPart] | None = None
    body: Text | UnsetType = UNSET
    """Of a message or a comment in its own row."""


def read_front(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every conversation of these files, with its messages in it or in other rows."""
    rows: list[tuple[str, FrontConversation] | DroppedRow] = []
    parts: dict[str, list[tuple[str, FrontPart]]] = defaultdict(list)
    for file in export.files:
        for row in json_rows(file, "conversations", "messages", "comments", "_results"):
            found = desk_row(row, FrontConversation, "a conversation of Front")
            if isinstance(found, DroppedRow) or found.body is UNSET:
                rows.append(found if isinstance(found, DroppedRow) else (row.place, found))
                continue
            part = desk_row(row, FrontPart, "a message of Front")
            if isinstance(part, DroppedRow):
                rows.append(part)
            else:
                parts[part.conversation].append((row.place, part))
    conversations, dropped = newest(rows, lambda row: row.id)
    yield from dropped
    for number in parts:
        if number and number not in conversations:
            conversations[number] = (parts[number][0][0], FrontConversation(id=number))
    for number, (place, one) in conversations.items():
        own = (one.messages or []) + (one.comments or [])
        inside = [(f"{place}, part {at}", part) for at, part in enumerate(own, 1)]
        yield from _draft(one, inside + parts.pop(number, []), place, export.columns).rows()
    for left in parts.values():
        yield from (DroppedRow(at, "a part that does not say which ticket it belongs to") for at, _ in left)


def _draft(
    one: FrontConversation, parts: list[tuple[str, FrontPart]], place: str, columns: ColumnMap
) -> TicketDraft:
    draft = TicketDraft("front", one.id, place)
    draft.subject = one.subject or next((part.subject for _, part in parts if part.subject), "")
    draft.status = one.status or ""
    draft.tags = tuple(tag.name or "" for tag in one.tags or [])
    draft.channel = next((_CHANNELS[part.type] for _, part in parts if part.type in _CHANNELS), "other")
    if one.recipient:
        _customer(draft, one.recipient)
    seen: set[str] = set()
    for at, part in sorted(parts, key=lambda pair: pair[1].created_at or pair[1].posted_at or 0):
        number = words(part.id)
        if number and number in seen:
            draft.drop(at, "a message that another row repeats")
            continue
        seen.add(number)
        _part(draft, part, at, columns)
    return draft


def _part(draft: TicketDraft, part: FrontPart, place: str, columns: ColumnMap) -> None:
    if part.is_draft:
        draft.drop(place, "a draft that was never sent")
        return
    is_note = part.is_inbound is UNSET
    if part.is_inbound is None:
        draft.refuse("a conversation with a message that does not say which way it went")
        return
    from_customer = part.is_inbound is True
    sender = next((one for one in part.recipients or [] if one.role == "from"), FrontRecipient())
    for one in part.recipients or []:
        if (one.role == "from") == from_customer:
            _customer(draft, one)
    author = part.author or FrontAuthor(email=sender.handle)
    name = " ".join(filter(None, (author.first_name, author.last_name)))
    marks = (
        (sender.handle or "", sender.name or "")
        if from_customer
        else (author.email or "", author.username or "", name)
    )
    who: Who = columns.who_is(*marks) or ("customer" if from_customer else "human")
    if from_customer:
        person = _customer(draft, sender) if who == "customer" else None
    else:
        key = words(author.id) or author.email
        person = draft.person(who, key, name=name, emails=[author.email], ids=[author.username])
    draft.says(
        who,
        place,
        plain=part.text or (part.body if is_note else None),
        html=part.body,
        at=part.posted_at if is_note else part.created_at,
        is_note=is_note,
        person=person,
        attachments=[file.filename for file in part.attachments or []],
    )


def _customer(draft: TicketDraft, one: FrontRecipient) -> int:
    """A handle is an address, a telephone number or a name of an account."""
    handle = one.handle or ""
    is_mail, is_phone = "@" in handle, handle.lstrip("+").isdigit()
    return draft.person(
        "customer",
        handle.lower(),
        name=one.name,
        emails=[handle if is_mail else None],
        phones=[handle if is_phone else None],
        ids=[None if is_mail or is_phone else handle],
    )
