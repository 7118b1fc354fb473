"""Lookups: the tools that read an order's file with everything around it, and a parcel's journey."""

from datetime import date
from typing import Annotated, Self

import msgspec
from msgspec import UNSET, Meta, UnsetType

from supportagentbench.world.kit import Record, ToolRefusal
from supportagentbench.worlds.northline.lookups import OrderFile, ParcelSummary, file_of, order_row
from supportagentbench.worlds.northline.rows import Parcel

from .rows import Approval, LadderBooks, LadderOrder, PartParcel, SerialLine


class PartSummary(ParcelSummary):
    """A parcel as an order's file names it, with the lines it holds."""

    lines: tuple[int, ...] = ()

    @classmethod
    def of(cls, parcel: Parcel) -> Self:
        plain = ParcelSummary.of(parcel)
        lines = parcel.lines if isinstance(parcel, PartParcel) else ()
        return cls(plain.tracking, plain.carrier, plain.link, plain.delivered, plain.signed_by, lines)


class OrderSummary(Record):
    """Another order of the account."""

    order: str
    placed: date
    status: str
    items: tuple[str, ...]


class LadderFile(OrderFile):
    """Everything the desk sees about one order, on one page."""

    lines: tuple[SerialLine, ...]
    parcels: tuple[PartSummary, ...]
    approvals: tuple[Approval, ...]
    """What colleagues approved for this order; shown even if empty."""
    ticket_from: str = ""
    """The address that this ticket was written from."""
    phone: str = ""
    gift_message: str = ""
    address_changed: date | UnsetType = UNSET
    """When the delivery address was last changed, if ever."""
    other_orders: tuple[OrderSummary, ...] = ()
    """The account's other orders; open one by its number."""


def find_order(
    store: LadderBooks,
    order: Annotated[str, Meta(description="Order number, such as #1101.")] = "",
    email: Annotated[str, Meta(description="The e-mail address of an account.")] = "",
) -> LadderFile:
    """Look an order up by its number, or by an account's e-mail address: the newest under that address.

    Shows from which address this ticket was written and whose account it is; status, lines with serial
    numbers and what the packing scan read, payments, parcels with the lines they hold, goods sent
    afterwards, files with what they say of themselves, approvals by colleagues, the account's claims of the
    last 12 months, its other orders, and internal notes.
    """
    if order:
        return ladder_file(store, order_row(store, order))
    if not email:
        raise ToolRefusal("Give an order number or an e-mail address.")
    matches = _orders_of(store, email.strip().casefold())
    if not matches:
        raise ToolRefusal(f"There is no order under the address {email!r}.")
    return ladder_file(store, max(matches, key=lambda row: (row.placed, row.number)))


def _orders_of(store: LadderBooks, email: str) -> list[LadderOrder]:
    # An account's orders are all in one case, so the other cases need not be drawn.
    rows = store.orders.own if email in store.people.own else store.orders
    return [row for row in rows.values() if row.email == email and isinstance(row, LadderOrder)]


def ladder_file(store: LadderBooks, order: object) -> LadderFile:
    """An order's row with everything that belongs to it."""
    assert isinstance(order, LadderOrder)
    plain = file_of(store, order)
    known = msgspec.structs.asdict(plain)
    others = [row for row in _orders_of(store, order.email) if row.number != order.number]
    return LadderFile(
        **known
        | {
            "lines": order.lines,
            "parcels": tuple(PartSummary.of(store.parcels[tracking]) for tracking in order.parcels),
        },
        ticket_from=store.ticket.sender.email if store.ticket.sender else "",
        phone=store.people[order.email].phone,
        approvals=order.approvals,
        gift_message=order.gift_message,
        address_changed=order.address_changed or UNSET,
        other_orders=tuple(
            OrderSummary(row.number, row.placed, row.status, tuple(line.name for line in row.lines))
            for row in sorted(others, key=lambda row: row.placed)
        ),
    )


def track_parcel(
    store: LadderBooks,
    tracking: Annotated[str, Meta(description="Tracking number from the order's file.")],
) -> PartParcel:
    """Read the carrier's scans of one parcel, oldest first, with signatures and what was typed there."""
    found = store.parcels.get(tracking.strip())
    if not isinstance(found, PartParcel):
        raise ToolRefusal(f"No parcel has the tracking number {tracking!r}.")
    return found
