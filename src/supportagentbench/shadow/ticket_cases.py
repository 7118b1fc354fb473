"""Ticket cases: real tickets as cases of a world, each at its resume point.

A ticket that cannot be one is left out, with the reason. Unknown facts stay unknown: the books have
something in its place, and nothing that depends on it is counted.
"""

from collections.abc import Iterable, Sequence
from datetime import date
from functools import cached_property
from typing import Any, NamedTuple

import msgspec
from msgspec.structs import replace

from supportagentbench.language.customer import PLAINLY
from supportagentbench.records.case import Brief, CustomerFact, Label
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import as_plain
from supportagentbench.records.sender import Sender
from supportagentbench.records.ticket import SupportTicket, TicketEvent
from supportagentbench.records.transcript import CustomerState, Turn
from supportagentbench.records.vocabulary import HAND_OVER, WISH
from supportagentbench.shadow.desk_map import LOOK_UP, DeskMap, TicketFacts
from supportagentbench.shadow.imported_cases import ImportedCases
from supportagentbench.shadow.ledger import TicketLedger
from supportagentbench.shadow.resume_point import UNSEEN, ResumePoint, is_done_by_desk, resume_point, turns_of
from supportagentbench.world.fixture import Fixture, FixtureCases
from supportagentbench.world.folder import World
from supportagentbench.world.kit import Grounding
from supportagentbench.world.label import OpenRecord, in_plain_words
from supportagentbench.world.open_shop import OpenShop

SET = "tickets"
"""What runs on real tickets are called instead of a set."""

OTHER_CHANCES = ("/1", "/2", "/3")
"""Seeds of other books that show the same facts: whatever differs between them is made up."""


class TicketCase(NamedTuple):
    """A real ticket that can be resumed."""

    ticket: SupportTicket
    request: str
    known: TicketFacts
    point: ResumePoint
    fixture: Fixture


class TicketCases(ImportedCases):
    """The tickets of an import that can be resumed in a world."""

    set_name, use = SET, "resumed"

    def __init__(self, world: World, tickets: Iterable[SupportTicket], desk_map: DeskMap) -> None:
        super().__init__(world)
        self.desk_map = desk_map
        self.resumed: dict[str, TicketCase] = {}
        self._maker = TicketCaseMaker(world, desk_map, self.shop)
        self._take_all(tickets)

    def _take(self, ticket: SupportTicket) -> None:
        one = self._maker.case(ticket)
        self._enter(one.fixture)
        self.resumed[ticket.id] = one

    def _label(self, fixture: Fixture, brief: Brief) -> Label:
        """What is right as far as it is known; what the customer's files show was not imported."""
        seen = tuple(one for one in brief.evidence if one.shows != UNSEEN)
        return super()._label(fixture, replace(brief, evidence=seen))

    def begin_after(self, name: str, turns: tuple[Turn, ...]) -> None:
        """Resume a ticket after these turns of it, in place of its resume point."""
        fixture = replace(self.resumed[name].fixture, turns=turns)
        self._enter(fixture)
        self.resumed[name] = self.resumed[name]._replace(fixture=fixture)
        vars(self).pop("seed", None)  # It is made of the fixtures.


class TicketCaseMaker:
    """Makes cases of tickets, with what a desk map says of them."""

    def __init__(self, world: World, desk_map: DeskMap, shop: OpenShop) -> None:
        self._world, self._map, self._shop = world, desk_map, shop
        self._ledger = TicketLedger(world, shop.reader)

    def case(self, ticket: SupportTicket) -> TicketCase:
        """The ticket at its resume point; a Problem says why there is none."""
        known = self.known(ticket)
        if strange := self._map.unmapped(ticket):
            raise Problem(f"the map does not say what {strange[0]!r} is; add it under `acts`")
        request = self._map.request_of(ticket)
        if not request:
            raise Problem(
                "the map does not say what its customer asks for; add it under `kinds` or `tickets`"
            )
        point = resume_point(ticket, self._map)
        history = turns_of(point.history)
        later, day = turns_of(point.later), day_of(point.history)
        fixture = self.fixture(ticket, request, history, later, day, was_granted=self._was_granted(point))
        return TicketCase(ticket, request, known, point, fixture)

    def known(self, ticket: SupportTicket) -> TicketFacts:
        """What the map says of a ticket; a Problem if it says to leave it out."""
        known = self._map.tickets.get(ticket.id, TicketFacts())
        if known.left_out:
            raise Problem(known.left_out)
        return known

    def fixture(
        self,
        ticket: SupportTicket,
        request: str,
        history: tuple[Turn, ...],
        later: tuple[Turn, ...],
        day: date | None,
        *,
        was_granted: bool = False,
    ) -> Fixture:
        """A ticket cut in two, with its customer and its books; `request` is empty if it is unknown."""
        known, sender = self.known(ticket), sender_of(ticket)
        brief = self._ledger.brief(request, known, history, later, sender, was_granted=was_granted)
        today = day or self._world.desk.today
        rows = self._rows(ticket, known, today)
        fixture = Fixture(
            id=ticket.id,
            turns=history,
            brief=brief,
            subject=known.subject if rows else "",
            rows=rows,
            sender=sender,
            today=today,
            unknown=tuple(name for name in self._by_record if name not in known.facts),
            note=ticket.kind,
        )
        told = self._told(self._record(fixture), brief, known)
        brief = replace(brief, opening_discloses=told | brief.opening_discloses)
        made = [rows, *(self._rows(ticket, known, today, chance) for chance in OTHER_CHANCES)]
        records = [self._record(replace(fixture, rows=one)) for one in made]
        return replace(fixture, turns=_telling(history, told), brief=_asked_again(records, brief))

    def _record(self, fixture: Fixture) -> OpenRecord:
        """The record that a ticket is about, as its books have it."""
        books = FixtureCases(self._world, (), self._shop).entered(fixture)
        return OpenRecord(self._world.policy, self._shop.tools, books, fixture.subject)

    def _was_granted(self, point: ResumePoint) -> bool:
        """Whether the people did something for the customer."""
        done = (self._map.act_of(event) for event in point.later if is_done_by_desk(event))
        return any(act is not None and act.act not in (LOOK_UP, HAND_OVER) for act in done)

    @cached_property
    def _by_record(self) -> tuple[str, ...]:
        """The facts that are read from a record."""
        return tuple(name for name, fact in self._world.kit.readers.items() if fact.needs_record)

    def _rows(
        self, ticket: SupportTicket, known: TicketFacts, today: date, chance: str = ""
    ) -> dict[str, dict[str, Any]]:
        """Rows of the books for its subject; none, if it has none."""
        kit = self._world.kit
        if not known.subject:
            return {}
        if kit.ground is None:
            raise Problem(
                f"the world {self._world.name} cannot make a record of a ticket: its kit has no `ground`"
            )
        try:
            found = grounding_of(self._world, ticket, known, today)
            made = kit.ground(found._replace(key=f"{found.key}{chance}"))
            plain: dict[str, dict[str, Any]] = as_plain(made.rows)
        except msgspec.ValidationError as error:
            raise Problem(f"the map's details do not fit: {error}") from None
        except Problem:
            raise
        except Exception as error:  # The world's code may raise anything on what a map says.
            raise Problem(
                f"no record can be made of what the map says ({type(error).__name__}: {error})"
            ) from error
        return plain

    def _told(self, record: OpenRecord, brief: Brief, known: TicketFacts) -> dict[str, str]:
        """The known facts that only the customer's words can give; a Problem if the books say otherwise."""
        (wish,), readers, told = brief.wishes, self._world.kit.readers, dict[str, str]()
        for name, value in known.facts.items():
            if record.seen is None and readers[name].needs_record:
                raise Problem(f"the map gives {name}, but no record: name its subject")
            if readers[name].read(record.situation(wish, {})) != value:
                told[name] = value
        for name, value in known.facts.items():
            found = readers[name].read(record.situation(wish, told))
            if found != value:
                raise Problem(f"the map says that {name} is {value}, but with its other facts it is {found}")
        return told


def grounding_of(world: World, ticket: SupportTicket, known: TicketFacts, today: date) -> Grounding:
    """What a world's kit makes a record of."""
    details = msgspec.convert(known.details, world.kit.details)
    shop = world.shop._replace(today=today)
    named = known.subject, sender_of(ticket), known.facts, known.arguments
    return Grounding(shop, ticket.id, *named, details)


def _asked_again(records: Sequence[OpenRecord], brief: Brief) -> Brief:
    """The brief with its wish in the shop's plain words, if all of these records give the same.

    What differs between them was filled in by chance, and no customer says it. The words are also its answer
    to the question for what the wish has to name, such as an address.
    """
    (wish,), kit = brief.wishes, records[0].kit
    need = kit.needs.get(wish.request)
    is_named = need is None or not wish.arguments.keys().isdisjoint(need.any_of)
    is_unsaid = brief.language != "en" or wish.request not in kit.requests or not is_named
    if is_unsaid or records[0].seen is None:
        return brief
    try:
        found = {in_plain_words(record, wish).plainly for record in records}
    except (KeyError, ValueError) as error:  # Of the world's code, on what a map says.
        raise Problem(
            f"what the map says of its request does not fit its record ({type(error).__name__}: {error})"
        ) from error
    if len(found) > 1:
        return brief
    plainly, known = found.pop(), {topic for fact in brief.facts for topic in fact.topics}
    brief = replace(brief, wishes=(replace(wish, plainly=plainly),))
    if need is None or need.topic in (WISH, *known):
        return brief
    told = CustomerFact(plainly.removeprefix(PLAINLY), topics=(need.topic,))
    return replace(brief, facts=(*brief.facts, told))


def sender_of(ticket: SupportTicket) -> Sender | None:
    """The account of its customer, if the ticket names one."""
    found = next((one for one in ticket.people if one.who == "customer" and one.emails), None)
    return Sender(found.name or found.emails[0], found.emails[0].casefold()) if found else None


def day_of(history: Sequence[TicketEvent]) -> date | None:
    """The day of the last thing that happened, as far as the ticket says."""
    return next((event.at.date() for event in reversed(history) if event.at), None)


def _telling(history: Sequence[Turn], told: dict[str, str]) -> tuple[Turn, ...]:
    """The history, with what the map says that its customer has told."""
    if not told:
        return tuple(history)
    conduct = CustomerState(moves=(), discloses=told, worded_by="person")
    return (*history[:-1], replace(history[-1], conduct=conduct))
