"""Store: the books of a shop. Rows are immutable; a write replaces the old row with a new one. So a private
copy is a copy of a few dictionaries, and a call's changes are found by comparing rows.
"""

from collections.abc import Callable, Iterator, Mapping, MutableMapping
from dataclasses import dataclass, field, fields, replace
from datetime import date
from functools import cache
from typing import Any, ClassVar, Self, TypeVar

from supportagentbench.records.change import Change
from supportagentbench.records.record import Record, as_plain, digest
from supportagentbench.world.ticket import THIS, Ticket

Row = TypeVar("Row")

FREE_TEXT = frozenset({"tickets.words", "tickets.files"})
"""Fields of a ticket that no outcome names."""


class Table(MutableMapping[str, Row]):
    """Rows by key: those of one case, and behind them those of other cases, drawn when first looked for."""

    __slots__ = ("_others", "own")

    def __init__(
        self, own: Mapping[str, Row] | None = None, others: Callable[[], Mapping[str, Row]] = dict
    ) -> None:
        self.own: dict[str, Row] = dict(own or {})
        self._others = others

    def __getitem__(self, key: str) -> Row:
        return self.own[key] if key in self.own else self._others()[key]

    def __setitem__(self, key: str, row: Row) -> None:
        self.own[key] = row

    def __delitem__(self, key: str) -> None:
        del self.own[key]

    def __iter__(self) -> Iterator[str]:
        yield from self.own
        yield from (key for key in self._others() if key not in self.own)

    def __len__(self) -> int:
        return len({*self.own, *self._others()})

    def copy(self) -> "Table[Row]":
        return Table(self.own, self._others)

    def before(self, others: Callable[[], Mapping[str, Row]]) -> "Table[Row]":
        """The same rows with these behind them."""
        return Table(self.own, others)


@dataclass
class Store:
    """The books: the day it is and a table for each noun. A world adds its own tables."""

    bookkeeping: ClassVar[frozenset[str]] = frozenset()
    """Fields that no outcome names because they follow from others, as `table.field`; `*`: a plain row."""

    today: date
    tickets: Table[Ticket] = field(default_factory=lambda: Table({THIS: Ticket()}))
    """One row: the ticket on the desk."""
    measures: Any = None
    """Of the policy, for tools that name them."""

    def copy(self) -> Self:
        """Private books: writes here are not visible elsewhere."""
        tables: dict[str, Any] = {name: table.copy() for name, table in self.tables()}
        return replace(self, **tables)

    def tables(self) -> Iterator[tuple[str, Table[Any]]]:
        for name in self._table_names():
            yield name, getattr(self, name)

    @classmethod
    @cache
    def _table_names(cls) -> tuple[str, ...]:
        return tuple(one.name for one in fields(cls) if one.name not in ("today", "measures"))

    def enter(self, rows: Mapping[str, Mapping[str, Any]]) -> None:
        """Put rows into their tables."""
        for name, found in rows.items():
            getattr(self, name).update(found)

    def digest(self) -> str:
        """A name for the rows of all tables, without those of other cases."""
        return digest([(name, sorted(table.own.items())) for name, table in self.tables()])

    @property
    def ticket(self) -> Ticket:
        return self.tickets[THIS]

    def is_for(self, email: str) -> bool:
        """Whether the ticket's sender may see the records of this account."""
        sender = self.ticket.sender
        return sender is None or sender.email == email.strip().casefold()


def changes_between(before: Store, after: Store) -> Iterator[Change]:
    """Every field of every row in which two books differ."""
    skipped = before.bookkeeping | FREE_TEXT
    for (name, old), (_, new) in zip(before.tables(), after.tables(), strict=True):
        if old.own == new.own:
            continue
        touched = [key for key, row in new.own.items() if old.own.get(key) is not row]
        for key in [*touched, *(old.own.keys() - new.own.keys())]:
            yield from _row_changes(name, key, old.get(key), new.get(key), skipped)


def _row_changes(table: str, key: str, old: Any, new: Any, skipped: frozenset[str]) -> Iterator[Change]:
    if old == new:
        return
    names = old.__struct_fields__ if isinstance(old, Record) and isinstance(new, Record) else ()
    for name in names:
        was, now = getattr(old, name), getattr(new, name)
        if was != now:
            yield Change(table, key, name, as_plain(was), as_plain(now), f"{table}.{name}" in skipped)
    if not names:
        yield Change(table, key, "*", as_plain(old), as_plain(new), f"{table}.*" in skipped)
