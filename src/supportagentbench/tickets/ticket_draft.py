"""Ticket draft: a ticket while its rows are read, and the parts that are not taken.

Events are put in the order of time; one without a time follows the one that it was given after.
"""

import hashlib
import re
from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Any, Literal

import msgspec

from supportagentbench.records.record import read_back
from supportagentbench.records.ticket import (
    SupportTicket,
    TicketAct,
    TicketEvent,
    TicketKind,
    TicketPerson,
    Who,
)
from supportagentbench.tickets.moment import BadMoment, from_seconds, moment
from supportagentbench.tickets.plain_text import (
    LARGEST_MESSAGE,
    MOST_LINES,
    MessageTooLarge,
    exactly,
    tidy,
    written,
)
from supportagentbench.tickets.raw import DroppedRow, RawTicket

MOST_EVENTS = 5_000
"""Events of one ticket."""
MOST_PEOPLE = 50
"""The most people of one ticket: every word is compared with every person."""
REDACTED = "[taken out at the desk]"
"""The text of what the desk itself has taken out."""
DEEPEST_VALUE = 50
"""How often lists and objects may be in each other in the arguments of an act."""
_LONGEST_NUMBER = 64
_FEWEST_DIGITS = 3
_NO_NUMBER = re.compile(r"^\d{4}-\d\d-\d\d|^[^\w]?\d+[.,]\d{1,2}$|\S+(?: \S+){3}")
"""A date, an amount, or a sentence."""

Channel = Literal["email", "chat", "other"]
When = datetime | str | float | None
"""A moment, or how the desk writes one: a text, or seconds since 1970."""


class TicketDraft:
    """One ticket of a desk, by the desk's number of it."""

    def __init__(self, source: str, number: object, place: str):
        self.place = place
        self.dropped: list[DroppedRow] = []
        self.channel: Channel = "other"
        self.subject = self.kind = self.status = self.satisfaction = ""
        self.tags: tuple[str, ...] = ()
        self.reopened = 0
        self._source = source
        self._number = words(number)
        self._numbers: dict[str, None] = dict.fromkeys(filter(None, [self._number]))
        self._people: dict[str, TicketPerson] = {}
        self._events: list[TicketEvent] = []
        self._refused = ""

    def has_numbers(self, *values: object) -> None:
        """Numbers and ids that the export states in fields for them."""
        for value in map(words, values):
            if value and len(value) <= _LONGEST_NUMBER and any(sign.isdigit() for sign in value):
                self._numbers[value] = None

    def may_have_numbers(self, values: Iterable[object]) -> None:
        """Values of fields that the desk's owner added, some of which are numbers of orders and parcels."""
        for value in values:
            text = words(value) if isinstance(value, (str, int, float)) else ""
            digits = sum(sign.isdigit() for sign in text)
            if digits >= _FEWEST_DIGITS and len(text) <= _LONGEST_NUMBER and not _NO_NUMBER.search(text):
                self.has_numbers(text)

    def person(
        self,
        who: Who,
        key: object,
        *,
        name: str | None = "",
        emails: Iterable[str | None] = (),
        phones: Iterable[str | None] = (),
        addresses: Iterable[str | None] = (),
        ids: Iterable[object] = (),
    ) -> int:
        """The place of a person in the ticket's people; what is said of one twice is put together."""
        mark = f"{who} {words(key)}"
        if mark not in self._people and len(self._people) >= MOST_PEOPLE:
            self.refuse(f"a ticket with more than {MOST_PEOPLE} people")
            return 0
        known = self._people.get(mark, TicketPerson(who))
        self._people[mark] = TicketPerson(
            who=who,
            name=known.name or _one_line(name),
            emails=_joined(known.emails, emails),
            phones=_joined(known.phones, phones),
            addresses=_joined(known.addresses, addresses),
            ids=_joined(known.ids, map(words, ids)),
        )
        return list(self._people).index(mark)

    def says(
        self,
        who: Who,
        place: str,
        *,
        plain: str | None = None,
        html: str | None = None,
        at: When = None,
        is_exact: bool = False,
        is_note: bool = False,
        person: int | None = None,
        attachments: Iterable[str | None] = (),
    ) -> None:
        """A message or a note; what is empty or too large is not taken, and counted.

        `is_exact`: the text has no quotes or signatures that are another person's.
        """
        kind: TicketKind = "note" if is_note else "message"
        names = _joined((), attachments)
        try:
            found = exactly(plain) if is_exact else written(plain, html)
        except MessageTooLarge:
            reason = f"a message of more than {LARGEST_MESSAGE:,} characters or {MOST_LINES:,} lines"
            self.drop(place, reason)
            return
        if not found.strip() and not names:
            self.drop(place, "a message without text")
            return
        self._add(place, TicketEvent(who, kind, found, self._moment(at), person, None, names))

    def does(
        self,
        who: Who,
        act: TicketAct,
        place: str,
        *,
        at: When = None,
        person: int | None = None,
        text: str = "",
    ) -> int:
        """An act; the place of its event, at which its result may be said later."""
        self._add(place, TicketEvent(who, "act", text, self._moment(at), person, act))
        return len(self._events) - 1

    def came_of(self, event: int, result: str, ok: bool | None = None) -> None:
        """The result of the act at this place."""
        before = self._events[event]
        if before.act:
            act = msgspec.structs.replace(before.act, result=result, ok=ok)
            self._events[event] = msgspec.structs.replace(before, act=act)

    def becomes(
        self,
        text: str,
        place: str,
        *,
        at: When = None,
        who: Who = "system",
        person: int | None = None,
    ) -> None:
        """A change of the ticket's status."""
        self._add(place, TicketEvent(who, "status", text, self._moment(at), person))

    def drop(self, place: str, reason: str) -> None:
        """A part that is not taken."""
        self.dropped.append(DroppedRow(place, reason))

    def refuse(self, reason: str) -> None:
        """The ticket is not taken as a whole; the first reason counts."""
        self._refused = self._refused or reason

    def rows(self) -> Iterator[RawTicket | DroppedRow]:
        """Its parts that are not taken, and the ticket, if it has any message."""
        yield from self.dropped
        if not self._refused and not any(one.kind == "message" for one in self._events):
            self._refused = "a ticket without a message between customer and desk"
        ticket = None if self._refused else self._ticket()
        if ticket is None:
            yield from (DroppedRow(self.place, "a part of a ticket that is not taken") for _ in self._events)
            yield DroppedRow(self.place, self._refused)
            return
        yield RawTicket(ticket, tuple(self._numbers), self.place)

    def _ticket(self) -> SupportTicket | None:
        """The ticket as a reader would find it; None: it could not be written."""
        ticket = SupportTicket(
            id=raw_id(self._source, self._number or self.place),
            source=self._source,
            events=tuple(_in_order(self._events)),
            people=tuple(self._people.values()),
            subject=_one_line(self.subject),
            channel=self.channel,
            kind=_one_line(self.kind),
            tags=_joined((), self.tags),
            status=_one_line(self.status),
            satisfaction=_one_line(self.satisfaction),
            reopened=self.reopened,
        )
        try:
            return read_back(ticket, SupportTicket)
        except msgspec.MsgspecError:
            self.refuse("a ticket with values that no record can hold")
            return None

    def _moment(self, at: When) -> datetime | None:
        """When it was. A desk's date without a zone is taken as UTC."""
        try:
            if isinstance(at, str):
                return moment(at)
            return at if isinstance(at, datetime) else from_seconds(at)
        except BadMoment as error:
            self.refuse(f"a ticket with a date that {error}")
            return None

    def _add(self, place: str, event: TicketEvent) -> None:
        if len(self._events) >= MOST_EVENTS:
            self.drop(place, f"a part of a ticket with more than {MOST_EVENTS:,} parts")
            self.refuse(f"a ticket with more than {MOST_EVENTS:,} parts")
            return
        self._events.append(event)


def raw_id(source: str, number: str) -> str:
    """The id of a ticket before it is pseudonymised, by the desk's number of it."""
    return f"raw-{hashlib.sha256(f'{source} {number}'.encode('utf-8', 'replace')).hexdigest()[:16]}"


def words(value: object) -> str:
    """A number, an id or a short value as text; a text is as it was written, without its edges."""
    if value is None:
        return ""
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, float) and value.is_integer():
        value = int(value)
    if isinstance(value, (str, int, float)):
        return tidy(str(value)).strip()
    return "" if _is_deep(value) else msgspec.json.encode(value, order="sorted").decode()


def plain_arguments(value: object) -> dict[str, Any]:
    """The arguments of an act; a value that is not an object is under the name `value`."""
    if _is_deep(value):
        return {"value": "(nested too deeply to be read)"}
    return value if isinstance(value, dict) else {} if value is None else {"value": value}


def _in_order(events: list[TicketEvent]) -> list[TicketEvent]:
    """The events in the order of time; one without a time follows the one that it was given after."""
    keyed: list[tuple[float, int, TicketEvent]] = []
    last = 0.0
    for number, event in enumerate(events):
        last = event.at.timestamp() if event.at else last
        keyed.append((last, number, event))
    return [event for _, _, event in sorted(keyed, key=lambda one: one[:2])]


def _is_deep(value: object) -> bool:
    """Whether lists and objects are in each other more often than any desk does."""
    layer = [value]
    for _ in range(DEEPEST_VALUE):
        layer = [
            inner
            for outer in layer
            if isinstance(outer, (dict, list))
            for inner in (outer.values() if isinstance(outer, dict) else outer)
        ]
        if not layer:
            return False
    return True


def _one_line(value: str | None) -> str:
    return " ".join(tidy(value or "").split())[:2_000]


def _joined(known: tuple[str, ...], more: Iterable[str | None]) -> tuple[str, ...]:
    """All of these, each once."""
    return tuple(dict.fromkeys((*known, *filter(None, map(_one_line, more)))))
