"""ATIF: trajectories of an AI agent as steps, each with calls of tools and what was observed.

The Agent Trajectory Interchange Format, versions 1.0 to 1.7. What the model thought is not part of a ticket.
"""

from collections.abc import Iterator
from typing import Any

from supportagentbench.records.ticket import TicketAct, Who
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.desk_row import DeskRow, Flag, Number, Text, desk_row, newest
from supportagentbench.tickets.export_file import Export, json_rows
from supportagentbench.tickets.raw import DroppedRow, RawTicket
from supportagentbench.tickets.ticket_draft import TicketDraft, plain_arguments, words


class AtifPart(DeskRow):
    """A part of a message or of a result."""

    type: Text = None
    text: Text = None


class AtifCall(DeskRow):
    """A call of a tool."""

    tool_call_id: Text = None
    function_name: Text = None
    arguments: Any = None


class AtifResult(DeskRow):
    """One thing that was observed."""

    source_call_id: Text = None
    content: str | list[AtifPart] | None = None


class AtifObservation(DeskRow):
    """What was observed after a step."""

    results: list[AtifResult] | None = None


class AtifStep(DeskRow):
    """One step."""

    step_id: Number = None
    timestamp: Text = None
    source: Text = None
    message: str | list[AtifPart] | None = None
    tool_calls: list[AtifCall] | None = None
    observation: AtifObservation | None = None
    is_copied_context: Flag = None


class AtifTrajectory(DeskRow):
    """One trajectory."""

    schema_version: Text = None
    session_id: Number = None
    trajectory_id: Number = None
    steps: list[AtifStep] | None = None
    subagent_trajectories: list[Any] | None = None


_WHO: dict[str, Who] = {"user": "customer", "agent": "bot"}


def read_atif(export: Export) -> Iterator[RawTicket | DroppedRow]:
    """Every trajectory of these files."""
    rows: list[tuple[str, AtifTrajectory] | DroppedRow] = []
    for file in export.files:
        for row in json_rows(file, "trajectories"):
            found = desk_row(row, AtifTrajectory, "a trajectory of ATIF")
            if isinstance(found, AtifTrajectory) and not (found.schema_version or "").startswith("ATIF-v1."):
                found = DroppedRow(row.place, "not a trajectory of ATIF 1")
            rows.append(found if isinstance(found, DroppedRow) else (row.place, found))
    found_rows, dropped = newest(
        [one if isinstance(one, DroppedRow) else (one[0], _named(one[1], one[0])) for one in rows],
        lambda row: row.trajectory_id or row.session_id,
    )
    yield from dropped
    for place, one in found_rows.values():
        yield from _draft(one, place, export.columns).rows()


def _named(one: AtifTrajectory, place: str) -> AtifTrajectory:
    one.session_id = words(one.session_id) or place
    return one


def _draft(one: AtifTrajectory, place: str, columns: ColumnMap) -> TicketDraft:
    draft = TicketDraft(
        "atif", words(one.trajectory_id) or ("" if one.session_id == place else one.session_id), place
    )
    draft.has_numbers(None if one.session_id == place else one.session_id)
    draft.channel = "chat"
    for number, step in enumerate(one.steps or [], 1):
        _step(draft, step, f"{place}, step {number}", columns)
    for number, _ in enumerate(one.subagent_trajectories or [], 1):
        draft.drop(f"{place}, subagent {number}", "a trajectory of a subagent, which talks to no customer")
    return draft


def _step(draft: TicketDraft, step: AtifStep, place: str, columns: ColumnMap) -> None:
    who = columns.who_is(step.source or "") or _WHO.get(step.source or "")
    if step.is_copied_context:
        draft.drop(place, "a step that is copied from an earlier trajectory")
        return
    if who is None:
        reason = "instructions to the model, which are not part of the talk"
        draft.drop(place, reason) if step.source == "system" else draft.refuse(
            "a step whose source is unknown"
        )
        return
    text, files = _content(step.message)
    if text or files or not step.tool_calls:
        draft.says(who, place, plain=text, at=step.timestamp, is_exact=True, attachments=files)
    calls: dict[str, int] = {}
    for call in step.tool_calls or []:
        act = TicketAct(name=call.function_name or "call", arguments=plain_arguments(call.arguments))
        calls[call.tool_call_id or ""] = draft.does(who, act, place, at=step.timestamp)
    for result in (step.observation.results if step.observation else None) or []:
        only = next(iter(calls.values())) if len(calls) == 1 else None
        event = calls.get(result.source_call_id) if result.source_call_id else only
        if event is None:
            draft.drop(place, "a result of a call that is not in the talk")
        else:
            draft.came_of(event, _content(result.content)[0])


def _content(found: str | list[AtifPart] | None) -> tuple[str, list[str]]:
    """The text, and what kinds of other things are in it."""
    if not isinstance(found, list):
        return found or "", []
    texts = [part.text for part in found if part.text]
    return "\n".join(texts), [part.type or "part" for part in found if not part.text]
