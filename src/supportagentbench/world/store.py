"""Store: the shop's books. Rows are frozen; a write puts a new row in the place of the old one.

Because rows never change, a private copy is a copy of a few dictionaries, and what a call changed is
found by comparing rows.
"""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from typing import Any, Literal, NamedTuple

import msgspec

from supportagentbench.records.change import Change
from supportagentbench.records.record import Record, as_plain, digest
from supportagentbench.records.transcript import Attachment

Kind = Literal[
    "suitcase",
    "backpack",
    "duffel",
    "tote",
    "sling",
    "organiser",
    "apparel",
    "footwear",
    "comfort",
    "accessory",
]


class Address(Record):
    """Where a parcel goes, and to whom."""

    recipient: str
    street: str
    city: str
    region: str
    postcode: str
    country: str
    """Two-letter code."""

    def __str__(self) -> str:
        return f"{self.recipient}, {self.street}, {self.city}, {self.region} {self.postcode}, {self.country}"


class SavedAddress(Record):
    """An address in the customer's account, and what the address check said of it."""

    label: str
    address: Address
    check: Literal["residential", "forwarder", "po_box"] = "residential"


class Variant(Record):
    """One colour and size of a product, as it lies on a shelf."""

    id: str
    colour: str
    price: Decimal
    stock: int
    """How many lie there when the shop opens; the count of the day is in the books."""
    size: str = ""


class Product(Record):
    """One page of the catalogue."""

    id: str
    name: str
    kind: Kind
    about: str
    link: str
    variants: tuple[Variant, ...]


class Promotion(Record):
    """A discount code and its terms."""

    code: str
    about: str
    percent: int
    starts: date
    ends: date
    minimum: Decimal = Decimal(0)
    excluded_kinds: tuple[Kind, ...] = ()
    first_order_only: bool = False


class Person(Record):
    """A customer as the shop knows one."""

    email: str
    name: str
    phone: str
    address: Address
    since: date
    saved: tuple[SavedAddress, ...] = ()
    notes: tuple[str, ...] = ()
    """Internal; never for the customer's eyes."""


class OrderLine(Record):
    """One line of an order."""

    line: int
    product: str
    name: str
    kind: Kind
    variant: str
    colour: str
    quantity: int
    price: Decimal
    size: str = ""
    packed: int | None = None
    """How many the packing scan counted; None before packing."""
    packed_variant: str = ""
    """What the packing scan read."""


class Payment(Record):
    """One entry on the customer's card: money taken, or money only held."""

    id: str
    kind: Literal["capture", "hold"]
    amount: Decimal
    made: date


class EarlierClaim(Record):
    """An earlier claim of this customer."""

    made: date
    order: str
    kind: Literal["damaged", "missing", "not_received", "wrong_item"]
    given: Literal["replacement", "reshipment", "nothing"]


class Shipment(Record):
    """Goods sent after the first parcel, free of charge."""

    id: str
    kind: Literal["reshipment", "replacement"]
    line: int
    variant: str
    quantity: int
    reason: str
    made: date
    evidence: str = ""


class Scan(Record):
    """One line of a carrier's record."""

    day: date
    place: str
    event: Literal["label", "collected", "in_transit", "out_for_delivery", "delivered", "lost"]
    signed_by: str = ""


class Parcel(Record):
    """A parcel on its way, or arrived."""

    tracking: str
    carrier: str
    link: str
    order: str
    scans: tuple[Scan, ...]


class Order(Record):
    """One order, with everything the desk knows of it."""

    number: str
    email: str
    placed: date
    status: Literal["unfulfilled", "shipped", "delivered", "cancelled"]
    address: Address
    lines: tuple[OrderLine, ...]
    payments: tuple[Payment, ...]
    parcels: tuple[str, ...] = ()
    """Tracking numbers."""
    shipments: tuple[Shipment, ...] = ()
    promotion: str = ""
    """The code that was entered, whether or not it applied."""
    discount: Decimal = Decimal(0)
    files: tuple[Attachment, ...] = ()
    """What the customer sent in before, by name."""
    inspection: Literal["", "unused", "used"] = ""
    """What the warehouse found when the goods came back to it."""
    approved: tuple[int, ...] = ()
    """Lines a colleague approved to be sent again."""
    notes: tuple[str, ...] = ()
    """Internal; never for the customer's eyes."""

    @property
    def total(self) -> Decimal:
        return sum((line.price * line.quantity for line in self.lines), Decimal(0)) - self.discount


class Ticket(Record):
    """The conversation as the desk files it."""

    state: Literal["open", "handed_over", "closed"] = "open"
    words: str = ""
    """Why it was handed over, or how it was settled."""
    files: tuple[Attachment, ...] = ()
    """What the customer attached in this conversation."""


class Goods(NamedTuple):
    """A variant together with the product it is a variant of."""

    product: Product
    variant: Variant


@dataclass
class Store:
    """The books: a table of rows for each noun, and the day it is."""

    today: date
    goods: dict[str, Goods]
    """By variant id. The catalogue itself never changes; stock does."""
    promotions: dict[str, Promotion]
    people: dict[str, Person]
    """By e-mail address."""
    claims: dict[str, tuple[EarlierClaim, ...]]
    """By e-mail address."""
    parcels: dict[str, Parcel]
    """By tracking number."""
    orders: dict[str, Order]
    stock: dict[str, int]
    """By variant id."""
    tickets: dict[str, Ticket]
    """One row, `this`: the ticket on the desk."""

    def copy(self) -> "Store":
        """Books of one's own: what is written here is seen nowhere else."""
        return Store(self.today, *(dict(table) for _, table in self.tables()))

    def tables(self) -> Iterator[tuple[str, dict[str, Any]]]:
        for name in _TABLES:
            yield name, getattr(self, name)

    def digest(self) -> str:
        """A name for the content of all tables."""
        return digest([sorted(table.items()) for _, table in self.tables()])

    def products(self) -> dict[str, Product]:
        """The catalogue, by product id."""
        return {goods.product.id: goods.product for goods in self.goods.values()}

    def rewrite(self, order: Order, **fields: Any) -> Order:
        """Put a changed order in the old one's place."""
        changed = msgspec.structs.replace(order, **fields)
        self.orders[order.number] = changed
        return changed


_TABLES = ("goods", "promotions", "people", "claims", "parcels", "orders", "stock", "tickets")


def changes_between(before: Store, after: Store) -> Iterator[Change]:
    """Every field of every row in which two books differ."""
    for (table, old), (_, new) in zip(before.tables(), after.tables(), strict=True):
        if old == new:
            continue
        touched = [key for key, row in new.items() if old.get(key) is not row]
        for key in [*touched, *(old.keys() - new.keys())]:
            yield from _row_changes(table, key, old.get(key), new.get(key))


def _row_changes(table: str, key: str, old: Any, new: Any) -> Iterator[Change]:
    if old == new:
        return
    fields = old.__struct_fields__ if isinstance(old, Record) and isinstance(new, Record) else ()
    for field in fields:
        was, now = getattr(old, field), getattr(new, field)
        if was != now:
            yield Change(table, key, field, as_plain(was), as_plain(now))
    if not fields:
        yield Change(table, key, "*", as_plain(old), as_plain(new))
