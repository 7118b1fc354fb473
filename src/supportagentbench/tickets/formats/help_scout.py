"""Help Scout: conversations with their threads; a line item is something that happened, not said."""

from collections.abc import Iterator

from msgspec import field

from supportagentbench.records.ticket import Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import Channel, TicketDraft, words

_CHANNELS: dict[str, Channel] = {"email": "email", "chat": "chat", "beaconchat": "chat"}
_SAID = {"customer", "message", "reply", "chat", "beaconchat", "phone"}
_NOTES = {"note", "forwardparent", "forwardchild"}
"""What stays inside the desk, or goes to a person who is not the customer."""


class HelpScoutPerson(DeskRow):
    """A customer or a user."""

    id: Number = None
    type: Text = None
    first: Text = None
    last: Text = None
    email: Text = None
    phone: Text = None


class HelpScoutAction(DeskRow):
    """What a line item is about."""

    type: Text = None
    text: Text = None


class HelpScoutAttachment(DeskRow):
    """A file."""

    filename: Text = None


class HelpScoutEmbedded(DeskRow):
    """What is loaded with something."""

    threads: list["HelpScoutThread"] | None = None
    attachments: list[HelpScoutAttachment] | None = None


class HelpScoutThread(DeskRow):
    """One part of a conversation."""

    id: Number = None
    type: Text = None
    state: Text = None
    body: Text = None
    action: HelpScoutAction | None = None
    customer: HelpScoutPerson | None = None
    created_by: HelpScoutPerson | None = field(default=None, name="createdBy")
    created_at: Text = field(default=None, name="createdAt")
    embedded: HelpScoutEmbedded | None = field(default=None, name="_embedded")


class HelpScoutTag(DeskRow):
    """A tag."""

    tag: Text = None


class HelpScoutConversation(DeskRow):
    """A conversation."""

    id: Number = None
    number: Number = None
    type: Text = None
    subject: Text = None
    status: Text = None
    tags: list[HelpScoutTag] | None = None
    customer: HelpScoutPerson | None = field(default=None, name="primaryCustomer")
    updated_at: Text = field(default=None, name="userUpdatedAt")
    threads: list[HelpScoutThread] | None = None
    embedded: HelpScoutEmbedded | None = field(default=None, name="_embedded")


class HelpScoutPageContent(DeskRow):
    """The rows of a page."""

    conversations: list[HelpScoutConversation] | None = None


class HelpScoutPage(DeskRow):
    """A page of conversations; of one conversation, it has nothing."""

    embedded: HelpScoutPageContent | None = field(default=None, name="_embedded")


def read_help_scout(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every conversation of these files."""
    rows: list[tuple[str, HelpScoutConversation] | DroppedRow] = []
    for file in export.files:
        for row in json_rows(file, "conversations"):
            page = desk_row(row, HelpScoutPage, "a conversation of Help Scout")
            if isinstance(page, HelpScoutPage) and page.embedded and page.embedded.conversations is not None:
                inner = page.embedded.conversations
                rows += [(f"{row.place}, row {number}", one) for number, one in enumerate(inner, 1)]
                continue
            found = desk_row(row, HelpScoutConversation, "a conversation of Help Scout")
            rows.append(found if isinstance(found, DroppedRow) else (row.place, found))
    conversations, dropped = newest(rows, lambda row: row.id, lambda row: row.updated_at)
    yield from dropped
    for place, one in conversations.values():
        yield from _draft(one, place, export.columns).rows()


def _draft(one: HelpScoutConversation, place: str, columns: ColumnMap) -> TicketDraft:
    draft = TicketDraft("help_scout", one.id, place)
    draft.has_numbers(one.number)
    draft.subject, draft.status = one.subject or "", one.status or ""
    draft.channel = _CHANNELS.get(one.type or "", "other")
    draft.tags = tuple(tag.tag or "" for tag in one.tags or [])
    if one.customer:
        _person(draft, one.customer, "customer")
    threads = (one.embedded.threads if one.embedded else None) or one.threads
    if threads is None:
        draft.refuse("a conversation without its threads: load them with embed=threads")
    # The desk lists the newest first.
    for number, thread in sorted(enumerate(threads or [], 1), key=lambda pair: -pair[0]):
        _thread(draft, thread, f"{place}, thread {number}", columns)
    return draft


def _thread(draft: TicketDraft, thread: HelpScoutThread, place: str, columns: ColumnMap) -> None:
    kind, by = thread.type or "", thread.created_by or HelpScoutPerson()
    who = _who(kind, by, columns)
    if thread.state == "draft":
        draft.drop(place, "a draft that was never sent")
        return
    if kind not in _SAID | _NOTES:
        action = thread.action or HelpScoutAction()
        name = action.text if action.type in (None, "default") else action.type
        draft.becomes(name or kind or "changed", place, at=thread.created_at, who=who or "system")
        draft.reopened += (action.type or "") == "reopened"
        return
    if who is None:
        draft.refuse("a conversation with a thread that does not say who wrote it")
        return
    if thread.customer:
        _person(draft, thread.customer, "customer")
    files = thread.embedded.attachments if thread.embedded else None
    draft.says(
        who,
        place,
        html=thread.body,
        at=thread.created_at,
        is_note=kind in _NOTES,
        person=_person(draft, by, who),
        attachments=[file.filename for file in files or []],
    )


def _who(kind: str, by: HelpScoutPerson, columns: ColumnMap) -> Who | None:
    name = " ".join(filter(None, (by.first, by.last)))
    if said := columns.who_is(words(by.id), by.email or "", name):
        return said
    if by.type in ("customer", "user"):
        return "customer" if by.type == "customer" else "human"
    return {"customer": "customer", "message": "human", "reply": "human", "note": "human"}.get(kind)  # type: ignore[return-value]


def _person(draft: TicketDraft, person: HelpScoutPerson, who: Who) -> int:
    name = " ".join(filter(None, (person.first, person.last)))
    key = words(person.id) or person.email or name
    return draft.person(who, key, name=name, emails=[person.email], phones=[person.phone], ids=[person.id])
