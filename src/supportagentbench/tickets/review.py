"""Review: a person reads one ticket after another and decides what may be used; each decision is stored."""

import fcntl
import os
import re
from collections import Counter
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta
from msgspec.structs import replace

from supportagentbench.records.name import Id
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, to_json
from supportagentbench.records.ticket import SupportTicket, TicketEvent
from supportagentbench.storage.file import write_whole
from supportagentbench.tickets.folding import plain
from supportagentbench.tickets.import_folder import HEADER, TICKETS, read_header, stored_tickets
from supportagentbench.tickets.pseudonyms import HIDDEN

Span = tuple[int, int]
Place = Annotated[int, Meta(ge=0, le=10**7)]
BY_A_PERSON = "left out by a person in the review"


class Decision(Record):
    """What a person decided on a ticket."""

    ticket: Id
    seen: str
    """The digest of the ticket that the person saw."""
    action: Literal["approve", "hide", "drop"]
    """`hide` hides more and leaves the ticket to be decided on."""
    kept: tuple[tuple[Place, Place, Place], ...] = ()
    """Doubts to keep: the event's place, from and to. Those that are not kept are hidden for good."""
    hidden: tuple[tuple[Place, Place, Place], ...] = ()
    """Further places that are hidden for good."""
    words: Annotated[tuple[Annotated[str, Meta(min_length=2, max_length=200)], ...], Meta(max_length=50)] = ()
    """Words that are hidden wherever the ticket has them."""


class Review:
    """The tickets of one import while they are read."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self._header = read_header(folder)
        self._tickets = {ticket.id: ticket for ticket in stored_tickets(folder)}

    @property
    def waiting(self) -> list[SupportTicket]:
        """Those that are not approved yet, in their order."""
        return [ticket for ticket in self._tickets.values() if not ticket.approved]

    @property
    def approved(self) -> int:
        """How many a person has approved."""
        return len(self._tickets) - len(self.waiting)

    def decide(self, decision: Decision) -> None:
        """Store a decision; a Problem if the ticket is not as the person saw it."""
        ticket = self._tickets.get(decision.ticket)
        if ticket is None or ticket.approved or digest(ticket) != decision.seen:
            raise Problem("This ticket has been decided on or changed; reload the page.")
        tickets = dict(self._tickets)
        header = self._header
        if decision.action == "drop":
            del tickets[ticket.id]
            left_out = header.dropped | {BY_A_PERSON: header.dropped.get(BY_A_PERSON, 0) + 1}
            events = Counter(event.kind for one in tickets.values() for event in one.events)
            header = replace(header, tickets=len(tickets), events=dict(events), dropped=left_out)
        else:
            tickets[ticket.id] = decided(ticket, decision)
        lines = b"".join(to_json(one) + b"\n" for one in tickets.values())
        write_whole(self.folder / TICKETS, lines)
        write_whole(self.folder / HEADER, to_json(header) + b"\n")
        self._tickets, self._header = tickets, header


@contextmanager
def reviewing(folder: Path) -> Iterator[Review]:
    """The review of an import; only one at a time."""
    read_header(folder)
    lock = os.open(folder, os.O_RDONLY)  # Its files are replaced with every decision.
    try:
        fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        yield Review(folder)
    except BlockingIOError:
        raise Problem("is being reviewed by another process; end that review first.", place=folder) from None
    finally:
        os.close(lock)


def decided(ticket: SupportTicket, decision: Decision) -> SupportTicket:
    """The ticket as this decision leaves it."""
    approves = decision.action == "approve"
    events = []
    for number, event in enumerate(ticket.events):
        kept = {(start, end) for at, start, end in decision.kept if at == number}
        spans = {(start, end) for at, start, end in decision.hidden if at == number}
        if approves:
            spans |= set(event.doubts) - kept
        for word in decision.words:
            spans |= {found.span() for found in _pattern(word).finditer(event.text)}
        event = with_hidden(event, spans)
        events.append(replace(event, doubts=()) if approves else event)
    ticket = replace(ticket, events=tuple(events), approved=approves)
    return _without(ticket, decision.words) if decision.words else ticket


def with_hidden(event: TicketEvent, spans: Iterable[Span]) -> TicketEvent:
    """The event with these places hidden for good; its other doubts stay where they are in the text."""
    text, doubts = event.text, list(event.doubts)
    for start, end in sorted(_joined(spans, len(text)), reverse=True):
        by = len(HIDDEN) - (end - start)
        text = text[:start] + HIDDEN + text[end:]
        before = [(one, min(other, start)) for one, other in doubts if one < start]
        after = [(max(one, end) + by, other + by) for one, other in doubts if other > end]
        doubts = before + after
    return replace(event, text=text, doubts=tuple(sorted(doubts)))


def _joined(spans: Iterable[Span], length: int) -> list[Span]:
    """Without overlaps, and within the text."""
    joined: list[Span] = []
    for start, end in sorted(spans):
        end = min(end, length)
        if start >= end:
            continue
        if joined and start <= joined[-1][1]:
            joined[-1] = (joined[-1][0], max(end, joined[-1][1]))
        else:
            joined.append((start, end))
    return joined


def _pattern(word: str) -> re.Pattern[str]:
    """The word in any case, with any space in it."""
    spread = r"\s+".join(map(re.escape, plain(word).split())) or r"(?!)"
    return re.compile(rf"(?<![^\W_]){spread}(?![^\W_])" if word[0].isascii() else spread, re.IGNORECASE)


def _without(ticket: SupportTicket, words: tuple[str, ...]) -> SupportTicket:
    """The ticket without these words, in its other texts as well."""
    patterns = [_pattern(word) for word in words]

    def cleared(text: str) -> str:
        for pattern in patterns:
            text = pattern.sub(HIDDEN, text)
        return text

    events = (
        replace(
            event,
            act=event.act and msgspec.convert(_mapped(event.act, cleared), type(event.act)),
            attachments=tuple(map(cleared, event.attachments)),
        )
        for event in ticket.events
    )
    return replace(
        ticket,
        events=tuple(events),
        subject=cleared(ticket.subject),
        kind=cleared(ticket.kind),
        tags=tuple(map(cleared, ticket.tags)),
        status=cleared(ticket.status),
        satisfaction=cleared(ticket.satisfaction),
    )


def _mapped(content: Any, change: Callable[[str], str]) -> Any:
    """Plain values with every text changed, names of fields of the record aside."""
    if isinstance(content, msgspec.Struct):
        return {name: _mapped(getattr(content, name), change) for name in content.__struct_fields__}
    if isinstance(content, dict):
        return {change(str(key)): _mapped(value, change) for key, value in content.items()}
    if isinstance(content, list | tuple):
        return [_mapped(value, change) for value in content]
    return change(content) if isinstance(content, str) else content
