"""Rows: the rows of Northline's books, and the records of its data files."""

from collections.abc import Iterator
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from typing import Annotated, Any, Literal, NamedTuple

import msgspec
from msgspec import UNSET, Meta, UnsetType

from supportagentbench.world.kit import Attachment, Cast, Record, Shop, Store, Table

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
    """Where a parcel goes, and who receives it."""

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
    """An address in the customer's account, and the result of its address check."""

    label: str
    address: Address
    check: Literal["residential", "forwarder", "po_box"] = "residential"


class Variant(Record):
    """One colour and size of a product."""

    id: str
    colour: str
    price: Decimal
    stock: int
    """How many there are when the shop opens; the current count is in the books."""
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
    """A customer as the shop knows them."""

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
    """The number counted by the packing scan; None before packing."""
    packed_variant: str = ""
    """The variant that the packing scan read."""


class Payment(Record):
    """One entry on the customer's card: money taken or only held."""

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
    signed_by: str | UnsetType | None = UNSET
    """On a delivery: who signed for it, or None."""


class Parcel(Record):
    """A parcel on its way, or arrived."""

    tracking: str
    carrier: str
    link: str
    order: str
    scans: tuple[Scan, ...]


class Order(Record):
    """One order, with everything the desk knows about it."""

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
    """Files that the customer sent in before."""
    inspection: Literal["", "unused", "used"] = ""
    """What the warehouse found when the goods came back to it."""
    approved: tuple[int, ...] = ()
    """Lines a colleague approved to be sent again."""
    notes: tuple[str, ...] = ()
    """Internal; never for the customer's eyes."""

    def owed(self) -> Iterator[int]:
        """Lines that were approved to be sent again but were not, or not with the right goods."""
        sent = {(one.line, one.variant) for one in self.shipments}
        variants = {line.line: line.variant for line in self.lines}
        yield from (line for line in self.approved if (line, variants.get(line)) not in sent)

    @property
    def total(self) -> Decimal:
        return sum((line.price * line.quantity for line in self.lines), Decimal(0)) - self.discount


class Goods(NamedTuple):
    """A variant together with the product it is a variant of."""

    product: Product
    variant: Variant


@dataclass
class Books(Store):
    """Northline's books."""

    bookkeeping = frozenset({"stock.*"})

    goods: Table[Goods] = field(default_factory=Table)
    """By variant id. The catalogue itself never changes; stock does."""
    promotions: Table[Promotion] = field(default_factory=Table)
    people: Table[Person] = field(default_factory=Table)
    """By e-mail address."""
    claims: Table[tuple[EarlierClaim, ...]] = field(default_factory=Table)
    """By e-mail address."""
    parcels: Table[Parcel] = field(default_factory=Table)
    """By tracking number."""
    orders: Table[Order] = field(default_factory=Table)
    stock: Table[int] = field(default_factory=Table)
    """By variant id."""

    def products(self) -> dict[str, Product]:
        """The catalogue, by product id."""
        return {goods.product.id: goods.product for goods in self.goods.values()}

    def rewrite(self, order: Order, **fields: Any) -> Order:
        """Replace an order with its changed version."""
        changed = msgspec.structs.replace(order, **fields)
        self.orders[order.number] = changed
        return changed


class Carrier(Record):
    """A company that carries parcels, and the form of its tracking numbers."""

    name: str
    countries: tuple[str, ...]
    tracking: str
    """`?9` means a digit, `?A` a letter; everything else is literal."""
    link: str
    """`{tracking}` is filled in."""


class Route(Record):
    """Where parcels to one country start, and where they are sorted."""

    warehouse: str
    hub: str


class Catalogue(Record):
    """`store.yaml`: what the shop sells, and who carries it."""

    products: tuple[Product, ...]
    carriers: tuple[Carrier, ...]
    routes: dict[str, Route]
    """By country."""
    promotions: tuple[Promotion, ...] = ()


class City(Record):
    """A town whose region and postcode agree."""

    city: str
    region: str
    postcode: str
    country: str = ""


class Places(Cast):
    """`cast.yaml`: the pools from which people and places are drawn."""

    countries: tuple[str, ...]
    """Where customers live; a country listed twice is drawn twice as often."""
    streets: dict[str, tuple[str, ...]]
    cities: dict[str, tuple[City, ...]]
    forwarders: tuple[str, ...]
    friends: tuple[str, ...]
    overseas: tuple[City, ...]


class Measures(Record):
    """`measures:` of policy.yaml: every number that a rule uses."""

    processing_least: Annotated[int, Meta(ge=0)]
    """The fewest business days that processing takes."""
    processing_most: Annotated[int, Meta(ge=0)]
    """The most business days that processing takes."""
    stalled_days: Annotated[int, Meta(ge=1)]
    """Days without a scan after which a parcel counts as stalled."""
    fresh_days: Annotated[int, Meta(ge=0)]
    """Days after delivery within which damage is replaced."""
    return_days: Annotated[int, Meta(ge=0)]
    """Days after delivery within which goods are taken back."""
    many_claims: Annotated[int, Meta(ge=1)]
    """The number of earlier claims from which a colleague decides."""
    claim_months: Annotated[int, Meta(ge=1, le=12)]
    """Months for which a claim counts; an order's file shows claims of up to twelve months."""
    double_charge: Annotated[int, Meta(ge=2)]
    """The number of captures from which an order counts as charged too often."""
    served: dict[str, str]
    """The countries we deliver to: code and name."""


def open_books(shop: Shop) -> Books:
    """The shop's books before any customer is added."""
    catalogue: Catalogue = shop.catalogue
    goods = {one.id: Goods(product, one) for product in catalogue.products for one in product.variants}
    return Books(
        shop.today,
        measures=shop.measures,
        goods=Table(goods),
        promotions=Table({one.code: one for one in catalogue.promotions}),
        stock=Table({variant: found.variant.stock for variant, found in goods.items()}),
    )
