"""What the books of this world have beyond Northline's."""

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
    """A scan with what the carrier's people typed beside it."""

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
    """An order with everything that this desk knows of it."""

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
    """First names of people who write in somebody else's place."""


class LadderMeasures(Measures):
    """`measures:` of policy.yaml."""

    settle_days: Annotated[int, Meta(ge=1)]
    """Days after a change of address in which nothing is sent there free of charge."""
    season_from: date
    season_until: date
    """Orders placed from the one day to the other have a later last day for returns."""
    season_returns: date
    """That day."""


@dataclass
class LadderBooks(Books):
    """Northline's books, with the day of a changed address as a matter of course."""

    bookkeeping = Books.bookkeeping | {"orders.address_changed"}


def open_ladder_books(shop: Shop) -> LadderBooks:
    """The shop before any customer is in its books."""
    plain = open_books(shop)
    return LadderBooks(
        plain.today,
        measures=plain.measures,
        goods=plain.goods,
        promotions=plain.promotions,
        stock=plain.stock,
    )
