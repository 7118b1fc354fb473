"""Fixture: a case given as data, such as a real ticket. It has no family, no seat and no seed.

Its books are those of the shop with the rows that are given; what is right is derived by the policy as far as
facts are known. Unknown facts stay unknown and are never made up.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from functools import cached_property
from typing import Any, get_args, get_type_hints

import msgspec

from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief, Case, Label
from supportagentbench.records.name import Id
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import DeskSetup
from supportagentbench.world.folder import World
from supportagentbench.world.label import OpenRecord, derive_label
from supportagentbench.world.open_shop import OpenShop
from supportagentbench.world.store import Store
from supportagentbench.world.ticket import THIS, Ticket


class Fixture(Record):
    """One case as plain data."""

    id: Id
    turns: tuple[Turn, ...]
    """What was said before the agent sits down; at least the customer's first message."""
    brief: Brief
    """What the customer wants and knows from here on."""
    subject: str = ""
    """What it is about, by the number under which the desk finds it; empty: unknown."""
    rows: dict[str, dict[str, Any]] = {}
    """Rows of the world's books, by table and key."""
    sender: Sender | None = None
    today: date | None = None
    """The day it is; None: that of the world."""
    unknown: tuple[str, ...] = ()
    """Facts of the policy that the rows cannot tell, although they have something in their place."""
    note: str = ""


class FixtureCases:
    """Cases given as data, in one world."""

    def __init__(self, world: World, fixtures: Iterable[Fixture], shop: OpenShop | None = None) -> None:
        self.world = world
        self.fixtures = {one.id: one for one in fixtures}
        self.shop = shop or OpenShop(world)

    @property
    def reader(self) -> Reader:
        return self.shop.reader

    @cached_property
    def cases(self) -> Mapping[str, Case]:
        """By id, in the order given, each labelled as far as its facts are known."""
        return {name: self._case(one) for name, one in self.fixtures.items()}

    def desk_for(self, case: Case, channel: Channel = "email", desk: DeskKind = "prompt") -> DeskSetup:
        """The desk with the rows that are given."""
        return self.shop.desk_with(self.entered(self.fixtures[case.id]), channel, desk)

    def start_of(self, case: Case) -> str:
        fixture = self.fixtures[case.id]
        return digest([self.shop.opening_state, fixture.rows, *([fixture.today] if fixture.today else [])])

    def history_of(self, case: Case) -> tuple[Turn, ...]:
        return self.fixtures[case.id].turns

    def entered(self, fixture: Fixture) -> Store:
        """The shop's books with a fixture's rows."""
        books = replace(self.shop.books.copy(), today=fixture.today or self.shop.books.today)
        books.enter({table: _rows(books, fixture, table) for table in fixture.rows})
        books.tickets[THIS] = Ticket(sender=fixture.sender)
        return books

    def _case(self, fixture: Fixture) -> Case:
        opening = next((turn for turn in fixture.turns if turn.party == "customer"), None)
        if opening is None:
            raise Problem(f"{fixture.id} has no message of a customer; a case begins with one.")
        brief = self._with_what_was_told(fixture)
        label = self._label(fixture, brief)
        return Case(
            id=fixture.id,
            family=fixture.id,  # Every fixture is its own case type.
            bucket="must_escalate" if label.handover == "required" else "resolvable",
            subject=fixture.subject,
            opening=opening.text,
            brief=brief,
            label=label,
            solution=(),
            mistake=(),
            note=fixture.note,
            sender=fixture.sender,
            today=fixture.today,
        )

    def record_of(self, fixture: Fixture) -> OpenRecord:
        """The record that it is about; without one, everything that is read from a record is unknown."""
        readers, unknown = self.world.kit.readers, frozenset(fixture.unknown)
        if strange := sorted(unknown - readers.keys()):
            raise Problem(f"{fixture.id}: no fact {strange[0]!r}; known: {', '.join(readers)}.")
        record = OpenRecord(
            self.world.policy, self.shop.tools, self.entered(fixture), fixture.subject, unknown=unknown
        )
        if record.seen is None:
            record.unknown |= {name for name, fact in readers.items() if fact.needs_record}
        return record

    def _label(self, fixture: Fixture, brief: Brief) -> Label:
        """What is right as far as it is known."""
        try:
            return derive_label(self.record_of(fixture), brief, None)
        except Problem as problem:
            raise Problem(f"{fixture.id}: {problem.sentence}") from None
        except Exception as error:  # The world's code may raise anything on hand-written rows.
            words = f"{type(error).__name__}: {error}"
            raise Problem(
                f"{fixture.id} cannot be labelled ({words}); check its rows and its brief."
            ) from error

    def _with_what_was_told(self, fixture: Fixture) -> Brief:
        """The brief with what the policy learns from the customer's words so far."""
        brief, told = fixture.brief, dict[str, str]()
        for turn in fixture.turns:
            if turn.party == "customer" and brief.language == "en":
                told |= self.reader.customer.disclosed(turn.text)
        return msgspec.structs.replace(brief, opening_discloses={**told, **brief.opening_discloses})


def _rows(books: Store, fixture: Fixture, table: str) -> dict[str, Any]:
    """The rows of one table in the world's own records."""
    known = [name for name, _ in books.tables() if name != "tickets"]
    if table not in known:
        raise Problem(f"{fixture.id}: the books have no table {table!r}; known: {', '.join(known)}.")
    (kind,) = get_args(get_type_hints(type(books))[table])
    try:
        return {key: msgspec.convert(row, kind) for key, row in fixture.rows[table].items()}
    except msgspec.ValidationError as error:
        raise Problem(f"{fixture.id}: a row in {table} does not fit: {error}.") from None
