"""OpenAI chat: talks of an AI agent as lists of messages; a tool call is an act, with its result."""

from collections.abc import Iterator
from typing import Any

import msgspec

from supportagentbench.records.ticket import TicketAct, Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import TicketDraft, plain_arguments, words


class OpenaiFunction(DeskRow):
    """What is called."""

    name: Text = None
    arguments: Any = None


class OpenaiCall(DeskRow):
    """A call of a tool."""

    id: Text = None
    function: OpenaiFunction | None = None


class OpenaiPart(DeskRow):
    """A part of a message."""

    type: Text = None
    text: Text = None


class OpenaiMessage(DeskRow):
    """One message."""

    role: Text = None
    content: str | list[OpenaiPart] | None = None
    tool_calls: list[OpenaiCall] | None = None
    tool_call_id: Text = None
    refusal: Text = None
    name: Text = None
    timestamp: float | str | None = None


class OpenaiTalk(DeskRow):
    """One talk."""

    id: Number = None
    messages: list[OpenaiMessage] | None = None


_WHO: dict[str, Who] = {"user": "customer", "assistant": "bot"}
_INSTRUCTIONS = {"system", "developer"}


def read_openai_chat(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every talk of these files."""
    rows: list[tuple[str, OpenaiTalk] | DroppedRow] = []
    for file in export.files:
        for row in json_rows(file, "conversations", "data"):
            found = desk_row(row, OpenaiTalk, "a talk with a list of messages")
            if isinstance(found, OpenaiTalk) and found.messages is None:
                found = DroppedRow(row.place, "not a talk with a list of messages")
            if isinstance(found, OpenaiTalk) and not words(found.id):
                found.id = row.place
            rows.append(found if isinstance(found, DroppedRow) else (row.place, found))
    talks, dropped = newest(rows, lambda row: row.id)
    yield from dropped
    for place, talk in talks.values():
        yield from _draft(talk, place, export.columns).rows()


def _draft(talk: OpenaiTalk, place: str, columns: ColumnMap) -> TicketDraft:
    draft = TicketDraft("openai_chat", "" if talk.id == place else talk.id, place)
    draft.channel = "chat"
    calls: dict[str, int] = {}
    for number, message in enumerate(talk.messages or [], 1):
        _message(draft, message, f"{place}, message {number}", calls, columns)
    return draft


def _message(
    draft: TicketDraft, message: OpenaiMessage, place: str, calls: dict[str, int], columns: ColumnMap
) -> None:
    """`calls`: by id, the events of calls that have no result yet."""
    role, at = message.role or "", message.timestamp
    text, files = _content(message)
    who = columns.who_is(message.name or "", role) or _WHO.get(role)
    if role in _INSTRUCTIONS:
        draft.drop(place, "instructions to the model, which are not part of the talk")
    elif role == "tool":
        event = calls.pop(message.tool_call_id or "", None)
        if event is None:
            draft.drop(place, "a result of a call that is not in the talk")
        else:
            draft.came_of(event, text)
    elif who is None:
        draft.refuse("a talk with a message whose role is not user, assistant, system, developer or tool")
    else:
        if text or files or not message.tool_calls:
            draft.says(who, place, plain=text, at=at, is_exact=True, attachments=files)
        for call in message.tool_calls or []:
            function = call.function or OpenaiFunction()
            act = TicketAct(name=function.name or "call", arguments=_arguments(function.arguments))
            calls[call.id or ""] = draft.does(who, act, place, at=at)


def _content(message: OpenaiMessage) -> tuple[str, list[str]]:
    """The text of a message, and what kinds of other things are in it."""
    if not isinstance(message.content, list):
        return message.content or message.refusal or "", []
    texts = [part.text for part in message.content if part.text]
    return "\n".join(texts), [part.type or "part" for part in message.content if not part.text]


def _arguments(found: object) -> dict[str, Any]:
    """The arguments of a call, which are a text of JSON; as they are, if they are something else."""
    if not isinstance(found, str):
        return plain_arguments(found)
    try:
        return plain_arguments(msgspec.json.decode(found)) if found.strip() else {}
    except (msgspec.MsgspecError, RecursionError):
        return {"value": found}
