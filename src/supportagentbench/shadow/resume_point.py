"""Resume point: where a real ticket is given to an agent: before the desk's first act of consequence.

The talk so far is history. It ends with the customer's last message before that act: what the person at the
desk wrote after it belongs to the decision.
"""

from collections.abc import Iterator, Sequence
from itertools import groupby
from pathlib import PurePath
from typing import NamedTuple

from supportagentbench.records.problem import Problem
from supportagentbench.records.ticket import SupportTicket, TicketEvent, Who
from supportagentbench.records.transcript import Attachment, Party, Turn
from supportagentbench.shadow.desk_map import LOOK_UP, DeskMap

PHOTOS = frozenset([".jpg", ".jpeg", ".png", ".gif", ".webp", ".heic", ".bmp", ".tif", ".tiff"])
UNSEEN = "(a file that came with the ticket and was not imported)"

PARTIES: dict[Who, Party] = {"customer": "customer", "human": "agent", "bot": "agent"}


class ResumePoint(NamedTuple):
    """A ticket cut in two."""

    history: tuple[TicketEvent, ...]
    """Ends with a message of the customer."""
    later: tuple[TicketEvent, ...]
    act: TicketEvent | None
    """The first act of consequence; None: there was none, and the desk resumes after the opening."""


def resume_point(ticket: SupportTicket, desk_map: DeskMap) -> ResumePoint:
    """Where this ticket is resumed; a Problem if no message of its customer comes before the desk's act."""
    events = ticket.events
    first = next((place for place, event in enumerate(events) if _has_consequence(event, desk_map)), None)
    end = _after_the_opening(events) if first is None else _last_message(events[:first])
    if end is None:
        raise Problem("has no message of a customer before the desk's first act")
    return ResumePoint(events[:end], events[end:], None if first is None else events[first])


def _has_consequence(event: TicketEvent, desk_map: DeskMap) -> bool:
    found = desk_map.act_of(event) if is_done_by_desk(event) else None
    return found is not None and found.act != LOOK_UP


def is_done_by_desk(event: TicketEvent) -> bool:
    """Whether this is an act of the desk's people or systems that did not fail."""
    return event.act is not None and event.act.ok is not False and event.who != "customer"


def _last_message(events: Sequence[TicketEvent]) -> int | None:
    """The place after the customer's last message."""
    places = [place for place, event in enumerate(events) if is_message_of(event, "customer")]
    return places[-1] + 1 if places else None


def _after_the_opening(events: Sequence[TicketEvent]) -> int | None:
    """The place after the messages that the customer sends before the first answer; a greeting is none."""
    is_open = False
    for place, event in enumerate(events):
        is_open |= is_message_of(event, "customer")
        if is_open and is_message_of(event, "agent"):
            return _last_message(events[:place])
    return _last_message(events)


def is_message_of(event: TicketEvent, party: Party) -> bool:
    """Whether this is a message from the customer to the desk, or from the desk to the customer."""
    return event.kind == "message" and PARTIES.get(event.who) == party


def turns_of(events: Sequence[TicketEvent]) -> tuple[Turn, ...]:
    """The messages between customer and desk; what one of them sends in a row is one turn."""
    messages = [event for event in events if event.kind == "message" and event.who in PARTIES]
    return tuple(
        Turn(party, "\n\n".join(one.text for one in said), attachments=tuple(_files(said)))
        for party, found in groupby(messages, key=lambda event: PARTIES[event.who])
        for said in [list(found)]
    )


def _files(events: Sequence[TicketEvent]) -> Iterator[Attachment]:
    for event in events:
        for name in event.attachments if event.who == "customer" else ():
            is_photo = PurePath(name).suffix.lower() in PHOTOS
            yield Attachment(name, "photo" if is_photo else "receipt", UNSEEN)
