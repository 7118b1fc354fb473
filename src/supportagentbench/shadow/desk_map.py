"""Desk map: what a real desk's words mean at a world's desk, and each ticket's known facts.

It is a file that the tickets' owner writes. What it does not say is unknown, and nothing is made of it.
"""

from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, NamedTuple

from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.name import Id
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.ticket import SupportTicket, TicketAct, TicketEvent
from supportagentbench.storage.yaml_file import locate, read_document
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
    """By the real desk's name for it; `field=value` is a field that was set to this value."""
    kinds: dict[str, str] = {}
    """By a ticket's type or tag, what its customer asks for."""
    tickets: dict[Id, TicketFacts] = {}

    def act_of(self, event: TicketEvent) -> MappedAct | None:
        """What an event of a ticket is at the world's desk; None: not an act, or not mapped."""
        return self.meaning(self._name_of(event.act)) if event.act else None

    def meaning(self, name: str) -> MappedAct | None:
        """What the real desk's act of this name is; None: the map does not have it."""
        found = self.acts.get(name)
        return MappedAct(found) if isinstance(found, str) else found

    def _name_of(self, act: TicketAct) -> str:
        """Its name in the map, with the value if the map has that; otherwise as people would add it."""
        value = act.arguments.get("to")
        exact = f"{act.name}={value}" if isinstance(value, str) else act.name
        return act.name if act.name in self.acts and exact not in self.acts else exact

    def request_of(self, ticket: SupportTicket) -> str:
        """What its customer asks for; empty if nothing says so."""
        said = self.tickets.get(ticket.id, TicketFacts()).request
        return said or next((self.kinds[one] for one in (ticket.kind, *ticket.tags) if one in self.kinds), "")

    def unmapped(self, ticket: SupportTicket) -> tuple[str, ...]:
        """The acts of a ticket that the map does not have."""
        acts = (self._name_of(event.act) for event in ticket.events if event.act)
        return tuple(dict.fromkeys(name for name in acts if name not in self.acts))


class _MapFault(NamedTuple):
    trail: str
    sentence: str


def read_desk_map(path: Path, kit: Kit) -> DeskMap:
    """The map in this file; a Problem names the line that does not fit the world."""
    found = read_document(path, DeskMap)
    for fault in _faults(found, kit):
        raise Problem(fault.sentence, place=path, line=locate(path, fault.trail))
    return found


def _faults(found: DeskMap, kit: Kit) -> Iterator[_MapFault]:
    acts = (*kit.acts, LOOK_UP, BEYOND)
    for name, one in found.acts.items():
        act = one if isinstance(one, str) else one.act
        yield from _unknown(f".acts.{name}", "act", act, acts)
        if not isinstance(one, str) and one.called:
            known = tuple(verb.act for verb in kit.beyond)
            yield from _unknown(f".acts.{name}.called", "act beyond the world", one.called, known)
    for name, request in found.kinds.items():
        yield from _unknown(f".kinds.{name}", "request", request, kit.requests)
    for name, facts in found.tickets.items():
        trail = f".tickets.{name}"
        if facts.request:
            yield from _unknown(f"{trail}.request", "request", facts.request, kit.requests)
        for fact, value in facts.facts.items():
            yield from _unknown(f"{trail}.facts.{fact}", "fact", fact, kit.facts)
            if fact in kit.facts:
                yield from _unknown(
                    f"{trail}.facts.{fact}", f"value of {fact}", value, kit.facts[fact].values
                )


def _unknown(
    trail: str, what: str, name: str, known: Mapping[str, Any] | tuple[str, ...]
) -> Iterator[_MapFault]:
    if name not in known:
        near = did_you_mean(name, known)
        yield _MapFault(trail, f"there is no {what} {name[:80]!r}; known: {', '.join(known)}.{near}")
