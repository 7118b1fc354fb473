"""Desk map: what a real desk's words mean at a world's desk, and each ticket's known facts.

It is a file that the tickets' owner writes. What it does not say is unknown, and nothing is made of it.
"""

import re
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.name import Id, is_id
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent
from supportagentbench.storage.yaml_file import locate_entry, read_document
from supportagentbench.world.kit import Kit

LOOK_UP, BEYOND = "look-up", "beyond"
"""In place of an act: it changes nothing; it does something that no tool of the world can do."""


class MappedAct(Record):
    """An act of the real desk, as an act of the world."""

    act: str
    """Of the world, or `look-up`, or `beyond`."""
    arguments: dict[str, str] = {}
    """By argument of the world's tool, the name under which the real desk has it."""
    dollars: str = ""
    """The argument of the real desk that says how many dollars it gave away."""
    called: str = ""
    """Of an act beyond the world, under which name the world has words for it, such as `refund`."""


class TicketFacts(Record):
    """The known facts of one ticket."""

    request: str = ""
    """What the customer asks for, by the world's name; empty: by the ticket's type or tags."""
    subject: str = ""
    """The number of what it is about, as the ticket has it; empty: there is no record."""
    arguments: dict[str, str | int] = {}
    """What a tool would need to know to grant the request."""
    facts: dict[str, str] = {}
    """By the policy's names; every other one is unknown."""
    details: dict[str, Any] = {}
    """What else is known of its subject, in the world's own terms."""
    left_out: str = ""
    """Why it is not resumed."""


class DeskMap(Record):
    """The whole file."""

    acts: dict[str, MappedAct | str] = {}
    """By the real desk's name for it; `name=value` is the act of this name with this value."""
    kinds: dict[str, str] = {}
    """By a ticket's type or tag, what its customer asks for."""
    tickets: dict[Id, TicketFacts] = {}

    def act_of(self, event: TicketEvent) -> MappedAct | None:
        """What an event of a ticket is at the world's desk; None: not an act, or not mapped."""
        return self.meaning(self.name_of(event.act)) if event.act else None

    def meaning(self, name: str) -> MappedAct | None:
        """What the act under this name is; None: the map does not have it."""
        found = self.acts.get(name)
        return MappedAct(found) if isinstance(found, str) else found

    def name_of(self, act: TicketAct) -> str:
        """Its name in the map, with one of its values if the map has that; else as people would add it."""
        values = {key: value for key, value in act.arguments.items() if isinstance(value, str)}
        exact = (f"{act.name}={value}" for value in values.values())
        if found := next((name for name in exact if name in self.acts), ""):
            return found
        return act.name if act.name in self.acts or "to" not in values else f"{act.name}={values['to']}"

    def request_of(self, ticket: SupportTicket) -> str:
        """What its customer asks for; empty if nothing says so."""
        said = self.tickets.get(ticket.id, TicketFacts()).request
        return said or next((self.kinds[one] for one in (ticket.kind, *ticket.tags) if one in self.kinds), "")

    def unmapped(self, ticket: SupportTicket) -> tuple[str, ...]:
        """The acts of a ticket that the map does not have."""
        acts = (self.name_of(event.act) for event in ticket.events if event.act)
        return tuple(dict.fromkeys(name for name in acts if name not in self.acts))


class _WrittenMap(Record):
    """The file before its parts are read one by one, so that each fault has its line."""

    acts: dict[str, Any] = {}
    kinds: dict[str, str] = {}
    tickets: dict[str, Any] = {}


class _MapFault(NamedTuple):
    keys: tuple[str, ...]
    sentence: str


def read_desk_map(path: Path, kit: Kit) -> DeskMap:
    """The map in this file; a Problem names the line that does not fit the world."""
    written = read_document(path, _WrittenMap)
    acts = {name: _part(path, one, MappedAct | str, "acts", name) for name, one in written.acts.items()}
    tickets = {name: _part(path, one, TicketFacts, "tickets", name) for name, one in written.tickets.items()}
    found = DeskMap(acts, written.kinds, tickets)
    for fault in _faults(found, kit):
        raise Problem(fault.sentence, place=path, line=locate_entry(path, *fault.keys))
    return found


def _part(path: Path, written: object, kind: Any, *keys: str) -> Any:
    """An entry of the file in this shape."""
    try:
        return msgspec.convert(written, kind)
    except msgspec.ValidationError as error:
        inner = re.findall(r"\.(\w+)|unknown field `(\w+)`", str(error))
        named = sorted(inner, key=lambda one: not one[0])  # Its place, then the field that is unknown there.
        line = locate_entry(path, *keys, *(place or field for place, field in named))
        raise Problem(f"{' '.join(keys)}: {error}.", place=path, line=line) from None


def _faults(found: DeskMap, kit: Kit) -> Iterator[_MapFault]:
    for name, one in found.acts.items():
        yield from _act_faults(("acts", name), MappedAct(one) if isinstance(one, str) else one, kit)
    for name, request in found.kinds.items():
        yield from _unknown(("kinds", name), "request", request, kit.requests)
    for name, facts in found.tickets.items():
        if not is_id(name):
            yield _MapFault(("tickets", name), f"{name[:80]!r} is not the id of a ticket.")
        yield from _ticket_faults(("tickets", name), facts, kit)


def _act_faults(keys: tuple[str, ...], act: MappedAct, kit: Kit) -> Iterator[_MapFault]:
    """What is wrong with an act: with its name, or with what is said besides."""
    yield from _unknown(keys, "act", act.act, (*kit.acts, LOOK_UP, BEYOND))
    if act.dollars and act.act != BEYOND:
        yield _MapFault((*keys, "dollars"), f"only `{BEYOND}` acts have dollars; leave them out.")
    if act.called:
        known = tuple(verb.act for verb in kit.beyond)
        yield from _unknown((*keys, "called"), "act beyond the world", act.called, known)
    for argument in act.arguments:
        known = kit.parameters.get(act.act, ())
        yield from _unknown((*keys, "arguments", argument), f"argument of {act.act}", argument, known)


def _ticket_faults(keys: tuple[str, ...], known: TicketFacts, kit: Kit) -> Iterator[_MapFault]:
    """What is wrong with the facts of a ticket."""
    if known.request:
        yield from _unknown((*keys, "request"), "request", known.request, kit.requests)
    for fact, value in known.facts.items():
        place = (*keys, "facts", fact)
        yield from _unknown(place, "fact", fact, kit.facts)
        if fact in kit.facts:
            yield from _unknown(place, f"value of {fact}", value, kit.facts[fact].values)
    arguments = tuple(dict.fromkeys(name for names in kit.parameters.values() for name in names))
    for argument in known.arguments:
        yield from _unknown((*keys, "arguments", argument), "argument", argument, arguments)
    if known.details and not known.subject:
        yield _MapFault((*keys, "details"), "these are details of no record; name its subject.")
    try:
        msgspec.convert(known.details, kit.details)
    except msgspec.ValidationError as error:
        yield _MapFault((*keys, "details"), f"the details do not fit: {error}.")


def _unknown(
    keys: tuple[str, ...], what: str, name: str, known: Mapping[str, Any] | tuple[str, ...]
) -> Iterator[_MapFault]:
    if name not in known:
        near = did_you_mean(name, known)
        yield _MapFault(keys, f"there is no {what} {name[:80]!r}; known: {', '.join(known) or 'none'}.{near}")
