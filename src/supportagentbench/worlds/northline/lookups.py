"""Lookups: the tools that read an order's file, a parcel's journey, the catalogue and the policy."""

import re
from collections.abc import Iterator, Mapping
from datetime import date
from typing import Annotated, Self

from msgspec import UNSET, Meta, UnsetType

from supportagentbench.world.kit import (
    Attachment,
    PolicyPage,
    Record,
    ToolRefusal,
    Work,
    section_named,
    section_titles,
)

from .rows import (
    Address,
    Books,
    EarlierClaim,
    Kind,
    Order,
    OrderLine,
    Parcel,
    Payment,
    Product,
    Promotion,
    SavedAddress,
    Shipment,
)

OrderNumber = Annotated[str, Meta(description="Order number, such as #1101.")]


class ParcelSummary(Record):
    """A parcel as an order's file names it; its scans are in `track_parcel`."""

    tracking: str
    carrier: str
    link: str
    delivered: date | UnsetType = UNSET
    """The day of delivery, once delivered."""
    signed_by: str | UnsetType | None = UNSET
    """Who signed for the delivery, or None."""

    @classmethod
    def of(cls, parcel: Parcel) -> Self:
        last = parcel.scans[-1]
        delivered = last.day if last.event == "delivered" else UNSET
        return cls(parcel.tracking, parcel.carrier, parcel.link, delivered, last.signed_by)


class OrderFile(Record):
    """Everything the desk sees about one order, on one page."""

    order: str
    status: str
    placed: str
    customer: str
    email: str
    customer_since: str
    address: Address
    saved_addresses: tuple[SavedAddress, ...]
    lines: tuple[OrderLine, ...]
    total: str
    payments: tuple[Payment, ...]
    parcels: tuple[ParcelSummary, ...]
    shipments: tuple[Shipment, ...]
    promotion_entered: Promotion | None
    """The code entered at the checkout with its terms, whether or not it applied."""
    discount: str
    files: tuple[Attachment, ...]
    warehouse_inspection: str
    """What the warehouse found when the goods came back: used, unused, or nothing yet."""
    approved_to_send_again: tuple[int, ...]
    """Lines a colleague approved to be sent again, and that have not been, or not with the right goods."""
    claims_last_12_months: tuple[EarlierClaim, ...]
    internal_notes: tuple[str, ...]


class Shelf(Record):
    """One variant and how many are in stock now."""

    variant: str
    colour: str
    size: str
    in_stock: int


class Found(Record):
    """One catalogue page in a search result."""

    product: str
    kind: str
    about: str
    link: str
    price: str
    variants: tuple[Shelf, ...]


def find_order(
    store: Books,
    order: Annotated[str, Meta(description="Order number, such as #1101.")] = "",
    email: Annotated[str, Meta(description="The customer's e-mail address.")] = "",
) -> OrderFile:
    """Look an order up by its number, or by the customer's e-mail address: the newest under that address.

    Opens orders of the account that the ticket comes from, and no others.
    Shows status, lines with what the packing scan read, payments, parcels, goods sent afterwards, files
    on the ticket, the customer's claims of the last 12 months, and internal notes.
    """
    if order:
        return file_of(store, _own(store, order_row(store, order)))
    if not email:
        raise ToolRefusal("Give an order number or an e-mail address.")
    if not store.is_for(email):
        raise ToolRefusal(f"{email!r} is not the address of the sender: look under {store.ticket.sender}.")
    matches = [row for row in store.orders.values() if row.email == email.strip().casefold()]
    if not matches:
        raise ToolRefusal(f"There is no order under the address {email!r}.")
    return file_of(store, max(matches, key=lambda row: (row.placed, row.number)))


def order_row(store: Books, number: str) -> Order:
    """The order's row, no matter how its number was written."""
    found = store.orders.get("#" + re.sub(r"\D", "", number))
    if found is None:
        raise ToolRefusal(f"There is no order {number!r}; check the number with the customer.")
    return found


def _own(store: Books, order: Order) -> Order:
    """The order, if it belongs to the account that the ticket comes from."""
    if not store.is_for(order.email):
        raise ToolRefusal(
            f"Order {order.number} belongs to another account: say nothing about it, and ask the customer to "
            "check the number or to write from the address of that account."
        )
    return order


def file_of(store: Books, order: Order) -> OrderFile:
    """An order's row with everything that belongs to it."""
    person = store.people[order.email]
    parcels = (store.parcels[tracking] for tracking in order.parcels)
    return OrderFile(
        order=order.number,
        status=order.status,
        placed=order.placed.isoformat(),
        customer=person.name,
        email=person.email,
        customer_since=person.since.isoformat(),
        address=order.address,
        saved_addresses=person.saved,
        lines=order.lines,
        total=f"${order.total}",
        payments=order.payments,
        parcels=tuple(map(ParcelSummary.of, parcels)),
        shipments=order.shipments,
        promotion_entered=store.promotions.get(order.promotion),
        discount=f"${order.discount}",
        files=(*order.files, *store.ticket.files),
        warehouse_inspection=order.inspection,
        approved_to_send_again=tuple(order.owed()),
        claims_last_12_months=tuple(
            claim for claim in store.claims.get(order.email, ()) if (store.today - claim.made).days <= 365
        ),
        internal_notes=(*person.notes, *order.notes),
    )


def track_parcel(
    store: Books,
    tracking: Annotated[str, Meta(description="Tracking number from the order's file.")],
) -> Parcel:
    """Read the carrier's scans of one parcel of the sender's orders, oldest first, with who signed for it."""
    found = store.parcels.get(tracking.strip())
    if found is None:
        raise ToolRefusal(f"No parcel has the tracking number {tracking!r}.")
    if not store.is_for(store.orders[found.order].email):
        raise ToolRefusal(
            f"Parcel {found.tracking} belongs to another account: say nothing about it, and take the "
            "tracking number from the file of the sender's order."
        )
    return found


def search_catalogue(
    store: Books,
    query: Annotated[str, Meta(description="Words of a product's name, description, colour or size.")] = "",
    kind: Annotated[Kind | None, Meta(description="Only this kind of product.")] = None,
) -> tuple[Found, ...]:
    """Search the catalogue; at most eight products, best match first, with variant ids and stock.

    The full name of a product finds that product alone.
    """
    products = [one for one in store.products().values() if kind in (None, one.kind)]
    named = [one for one in products if one.name.casefold() == query.strip().casefold()]
    found = named or list(_ranked(products, query))
    if not found:
        raise ToolRefusal(f"Nothing in the catalogue matches {query!r}.")
    return tuple(
        Found(
            product=product.name,
            kind=product.kind,
            about=product.about,
            link=product.link,
            price=f"${product.variants[0].price}",
            variants=tuple(
                Shelf(row.id, row.colour, row.size, store.stock[row.id]) for row in product.variants
            ),
        )
        for product in found[:8]
    )


def _ranked(products: list[Product], query: str) -> Iterator[Product]:
    """The products that these words are about, best match first; all products if there are no words."""
    wanted = _words(query)
    scored = [(_score(wanted, product), product) for product in products]
    scored.sort(key=lambda one: (-one[0], one[1].name))
    yield from (product for score, product in scored if score or not wanted)


def _score(wanted: set[str], product: Product) -> int:
    """How well words match a product; words of its name count most."""
    shades = " ".join(f"{one.colour} {one.size}" for one in product.variants)
    text = _words(f"{product.name} {product.kind} {product.about} {shades}")
    return len(wanted & text) + 2 * len(wanted & _words(product.name))


def _words(text: str) -> set[str]:
    return set(re.findall(r"\w+", text.casefold()))


class PolicyWithCodes(PolicyPage):
    """A section of the policy, with the discount codes that it mentions."""

    promotions: tuple[Promotion, ...] = ()


def policy_reader(policy: str, sections: Mapping[str, str]) -> Work:
    """`read_policy` over this text, and these sections by title."""

    def read_policy(
        store: Books,
        section: Annotated[str, Meta(description=section_titles(sections))] = "",
    ) -> PolicyWithCodes:
        """Read the policy, with the terms of all discount codes where it speaks of them."""
        if not section:
            return PolicyWithCodes(policy)
        text = section_named(section, sections)
        codes = tuple(store.promotions.values()) if "promotion" in text.casefold() else ()
        return PolicyWithCodes(text, codes)

    return read_policy
