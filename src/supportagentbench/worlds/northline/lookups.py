"""The tools that read: an order's file, a parcel's journey, the catalogue, the policy."""

import re
from collections.abc import Mapping
from typing import Annotated

from msgspec import Meta

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


class OrderFile(Record):
    """All the desk sees of one order on one page."""

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
    """Lines a colleague approved to be sent again."""
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
    """Look an order up by its number, or by the customer's e-mail address.

    Shows status, lines with what the packing scan read, payments, parcels, goods sent afterwards, files
    on the ticket, the customer's claims of the last 12 months, and internal notes.
    """
    if order:
        return file_of(store, order_row(store, order))
    if not email:
        raise ToolRefusal("Give an order number or an e-mail address.")
    matches = [row for row in store.orders.values() if row.email == email.strip().casefold()]
    if not matches:
        raise ToolRefusal(f"There is no order under the address {email!r}.")
    return file_of(store, max(matches, key=lambda row: (row.placed, row.number)))


def order_row(store: Books, number: str) -> Order:
    """The order's row, however its number was written."""
    found = store.orders.get("#" + re.sub(r"\D", "", number))
    if found is None:
        raise ToolRefusal(f"There is no order {number!r}; check the number with the customer.")
    return found


def file_of(store: Books, order: Order) -> OrderFile:
    """An order's row with all that belongs to it."""
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
        parcels=tuple(ParcelSummary(p.tracking, p.carrier, p.link) for p in parcels),
        shipments=order.shipments,
        promotion_entered=store.promotions.get(order.promotion),
        discount=f"${order.discount}",
        files=(*order.files, *store.ticket.files),
        warehouse_inspection=order.inspection,
        approved_to_send_again=order.approved,
        claims_last_12_months=tuple(
            claim for claim in store.claims.get(order.email, ()) if (store.today - claim.made).days <= 365
        ),
        internal_notes=(*person.notes, *order.notes),
    )


def track_parcel(
    store: Books,
    tracking: Annotated[str, Meta(description="Tracking number from the order's file.")],
) -> Parcel:
    """Read the carrier's scans of one parcel, oldest first, with who signed for it."""
    found = store.parcels.get(tracking.strip())
    if found is None:
        raise ToolRefusal(f"No parcel has the tracking number {tracking!r}.")
    return found


def search_catalogue(
    store: Books,
    query: Annotated[str, Meta(description="Words of a product's name or description.")] = "",
    kind: Annotated[Kind | None, Meta(description="Only this kind of product.")] = None,
) -> tuple[Found, ...]:
    """Search the catalogue; at most eight products, best match first, with variant ids and stock."""
    words = set(re.findall(r"\w+", query.casefold()))
    ranked = []
    for product in store.products().values():
        if kind and product.kind != kind:
            continue
        text = set(re.findall(r"\w+", f"{product.name} {product.kind} {product.about}".casefold()))
        name = set(re.findall(r"\w+", product.name.casefold()))
        score = len(words & text) + 2 * len(words & name)
        if score or not words:
            ranked.append((-score, product.name, product))
    if not ranked:
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
        for _, _, product in sorted(ranked)[:8]
    )


class PolicyWithCodes(PolicyPage):
    """A section of the policy, with the discount codes that it speaks of."""

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
