"""Rows: what the books of this world have in addition to Northline's."""

from dataclasses import dataclass
from datetime import date
from typing import Annotated, Literal

from msgspec import Meta

from supportagentbench.world.kit import Record, Shop
from supportagentbench.worlds.northline.rows import (
    Books,
    Measures,
    Order,
    OrderLine,
    Parcel,
    Places,
    Scan,
    open_books,
)

Approvable = Literal["goods", "address"]
"""What a colleague can approve."""


class SerialLine(OrderLine):
    """A line whose pieces may carry serial numbers."""

    serials: tuple[str, ...] = ()


class NotedScan(Scan):
    """A scan with a comment typed by the carrier's staff."""

    text: str = ""


class PartParcel(Parcel):
    """A parcel that holds some lines of an order."""

    scans: tuple[NotedScan, ...]
    lines: tuple[int, ...] = ()


class Approval(Record):
    """What a colleague approved, and who."""

    what: Approvable
    by: str
    made: date
    line: int = 0
    """The line it is for; 0: the order."""


class LadderOrder(Order):
    """An order with everything that this desk knows about it."""

    lines: tuple[SerialLine, ...]
    approvals: tuple[Approval, ...] = ()
    gift_message: str = ""
    """What the buyer had printed on the card."""
    address_changed: date | None = None
    """When the delivery address was last changed."""


class LadderPlaces(Places):
    """`cast.yaml`: Northline's pools, and those that make records long."""

    colleagues: tuple[str, ...]
    notes: tuple[str, ...]
    """Internal notes that decide nothing."""
    strangers: tuple[str, ...]
    """First names of people who write on behalf of others."""


class LadderMeasures(Measures):
    """`measures:` of policy.yaml."""

    settle_days: Annotated[int, Meta(ge=1)]
    """Days after a change of address in which nothing is sent there free of charge."""
    season_from: date
    season_until: date
    """Orders placed between the two days have a later deadline for returns."""
    season_returns: date
    """That deadline."""


@dataclass
class LadderBooks(Books):
    """Northline's books; the date of an address change counts as bookkeeping."""

    bookkeeping = Books.bookkeeping | {"orders.address_changed"}


def open_ladder_books(shop: Shop) -> LadderBooks:
    """The shop's books before any customer is added."""
    plain = open_books(shop)
    return LadderBooks(
        plain.today,
        measures=plain.measures,
        goods=plain.goods,
        promotions=plain.promotions,
        stock=plain.stock,
    )
