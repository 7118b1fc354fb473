"""View: where a shop's look-ups show what checks read, and the same in terms that every shop shares.

A kit declares its views by the names of its own tools and fields. They travel in the header of a run, so that
a conversation can be scored without the world. If a view is not declared, a check that needs it reports that
it cannot observe anything, and finds nothing.
"""

from functools import cached_property
from typing import Any, Literal, NamedTuple

from supportagentbench.records.record import Record

ArgumentRole = Literal["entry", "article", "count", "destination", "destination_part", "receiver", "aside"]
"""What an argument of a write says: the line it is about, which goods, how many; of an address the street,
another part, and who receives it; or something that does not matter here, such as a reason."""


class GoodsShown(NamedTuple):
    """Goods as a page names them."""

    name: str
    item: str = ""
    """By which calls and changes name these very goods."""
    traits: tuple[str, ...] = ()
    """What distinguishes them from others of that name: a colour, a size."""
    line: str = ""
    kind: str = ""
    quantity: str = ""
    in_stock: int = 0


class ParcelShown(NamedTuple):
    """A parcel as far as its record's page shows it."""

    number: str
    arrived: str
    """The day, once it has."""
    is_signed: bool
    lines: tuple[str, ...]
    """Those that it holds; none: all."""


class ScanShown(NamedTuple):
    """One line of a carrier's record."""

    day: str
    is_arrival: bool
    is_signed: bool


class JourneyShown(NamedTuple):
    """A parcel's way."""

    key: str
    """Of the record that it belongs to."""
    number: str
    scans: tuple[ScanShown, ...]


class RecordShown(NamedTuple):
    """What a conversation is about, as a look-up shows it."""

    key: str
    status: str
    began: str
    goods: tuple[GoodsShown, ...]
    parcels: tuple[ParcelShown, ...]
    holder: str
    writer: str
    place: str
    facts: dict[str, Any]
    """The whole page."""

    @property
    def has_goods_left(self) -> bool:
        """Whether a line of a record that has parcels is in none of them."""
        held = [parcel.lines for parcel in self.parcels]
        inside = {line for lines in held for line in lines}
        return bool(held) and all(held) and not {one.line for one in self.goods} <= inside


class FieldView(Record):
    """A field of what a look-up shows."""

    tool: str
    field: str

    def read(self, facts: Any) -> tuple[str, ...]:
        """Its texts."""
        found = facts.get(self.field) if isinstance(facts, dict) else None
        return tuple(map(str, found)) if isinstance(found, list) else (str(found),) if found else ()


class GoodsView(Record):
    """A list of goods on a page: the field that has it, and those of its rows.

    A row without a name gets that of its page.
    """

    rows: str
    name: str
    item: str = ""
    traits: tuple[str, ...] = ()
    line: str = ""
    kind: str = ""
    quantity: str = ""
    in_stock: str = ""

    def read(self, page: Any) -> tuple[GoodsShown, ...]:
        """The goods on a page."""
        return tuple(self._goods(page, row) for row in _rows(page, self.rows))

    def _goods(self, page: dict[str, Any], row: dict[str, Any]) -> GoodsShown:
        count = row.get(self.in_stock)
        return GoodsShown(
            _text(row.get(self.name, page.get(self.name))),
            _text(row.get(self.item)),
            tuple([_text(row.get(trait)) for trait in self.traits]),
            _text(row.get(self.line)),
            _text(row.get(self.kind)),
            _text(row.get(self.quantity)),
            count if isinstance(count, int) else 0,
        )

    @property
    def essentials(self) -> tuple[str, str, str]:
        """The fields that say of a row where it belongs, what it is, and how many."""
        return self.line, self.item, self.quantity


class ParcelsView(Record):
    """The parcels on a record's page: the field that lists them, and those of its rows."""

    rows: str
    number: str
    arrived: str = ""
    signed_by: str = ""
    lines: str = ""

    def read(self, page: Any) -> tuple[ParcelShown, ...]:
        return tuple(
            ParcelShown(
                _text(row.get(self.number)),
                _text(row.get(self.arrived)),
                bool(row.get(self.signed_by)),
                _texts(row.get(self.lines)),
            )
            for row in _rows(page, self.rows)
        )


class RecordView(Record):
    """The look-up that opens the record of a case's subject, and the fields of its page."""

    tool: str
    key: str
    status: str = ""
    """In a change of the record, too."""
    on_the_way: tuple[str, ...] = ()
    """The statuses of a record whose goods have left and not arrived."""
    began: str = ""
    """The day on which it was made."""
    goods: GoodsView | None = None
    parcels: ParcelsView | None = None
    holder: str = ""
    """Whose record it is, as `writer` names who wrote; a point leads to a field within a field."""
    writer: str = ""
    place: str = ""
    """Where its goods go."""

    def read(self, facts: Any) -> RecordShown | None:
        """The record; None if the facts are none."""
        if not isinstance(facts, dict):
            return None
        return RecordShown(
            _text(facts.get(self.key)),
            _text(facts.get(self.status)),
            _text(facts.get(self.began)),
            self.goods.read(facts) if self.goods else (),
            self.parcels.read(facts) if self.parcels else (),
            _text(_within(facts, self.holder)),
            _text(_within(facts, self.writer)),
            _text(_within(facts, self.place)),
            facts,
        )


class JourneyView(Record):
    """The look-up that shows a parcel's way, and its fields: `key` of the record, `number` of the parcel."""

    tool: str
    key: str
    number: str
    rows: str
    day: str
    event: str
    arrival: str
    """The event by which a parcel arrives."""
    signed_by: str = ""

    def read(self, facts: Any) -> JourneyShown | None:
        """The way; None if the facts are none."""
        if not isinstance(facts, dict):
            return None
        scans = tuple(
            ScanShown(
                _text(row.get(self.day)), row.get(self.event) == self.arrival, bool(row.get(self.signed_by))
            )
            for row in _rows(facts, self.rows)
        )
        return JourneyShown(_text(facts.get(self.key)), _text(facts.get(self.number)), scans)


class ShelfView(Record):
    """The look-up that shows what can be had: a page, or a list of pages, each with its goods."""

    tool: str
    goods: GoodsView
    search: str = ""
    """The argument that takes words of a name."""

    def read(self, facts: Any) -> tuple[GoodsShown, ...]:
        """The goods on all pages."""
        pages = facts if isinstance(facts, list) else [facts]
        return tuple([goods for page in pages for goods in self.goods.read(page)])


class Views(Record, dict=True):
    """Everything that can be observed of a shop's records."""

    record: RecordView | None = None
    journey: JourneyView | None = None
    shelf: ShelfView | None = None
    notes: FieldView | None = None
    """Notes that are never for the customer."""
    proof: FieldView | None = None
    """What the customer sent in before."""
    arguments: dict[str, ArgumentRole] = {}
    """What the arguments of writes say; one that is not named here says what its name does."""

    @cached_property
    def looks_at_the_case(self) -> frozenset[str]:
        """The look-ups that show the case's own record."""
        return frozenset(view.tool for view in (self.record, self.journey) if view)

    @cached_property
    def essentials(self) -> tuple[str, str, str] | None:
        """The fields that matter of a row of goods, here or in a change."""
        goods = self.record.goods if self.record else None
        return goods.essentials if goods and all(goods.essentials) else None

    @cached_property
    def by_role(self) -> dict[ArgumentRole, tuple[str, ...]]:
        """The arguments of each role, in the order in which they are declared."""
        found: dict[ArgumentRole, tuple[str, ...]] = {}
        for name, role in self.arguments.items():
            found[role] = (*found.get(role, ()), name)
        return found

    def names_any(self, role: ArgumentRole, names: tuple[str, ...]) -> bool:
        """Whether one of these arguments has this role."""
        return any(name in names for name in self.by_role.get(role, ()))

    def value_of(self, role: ArgumentRole, given: dict[str, str]) -> str:
        """The value of the argument with this role."""
        return next((given[name] for name in self.by_role.get(role, ()) if name in given), "")


def _rows(page: Any, field: str) -> list[dict[str, Any]]:
    """The rows in a field of a page; what has another shape is none."""
    found = page.get(field) if isinstance(page, dict) else None
    return [row for row in found if isinstance(row, dict)] if isinstance(found, list) else []


def _texts(values: Any) -> tuple[str, ...]:
    return tuple(map(_text, values)) if isinstance(values, list) else ()


def _within(facts: dict[str, Any], path: str) -> Any:
    found: Any = facts
    for name in path.split("."):
        found = found.get(name) if isinstance(found, dict) else None
    return found


def _text(value: Any) -> str:
    """A plain value as text; anything else is none."""
    return value if isinstance(value, str) else str(value) if isinstance(value, int) else ""
