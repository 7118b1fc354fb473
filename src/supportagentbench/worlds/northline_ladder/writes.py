"""Writes: Northline's tools that write; an address change also stores its date."""

from typing import Annotated

from msgspec import Meta

from supportagentbench.worlds.northline import writes
from supportagentbench.worlds.northline.lookups import OrderNumber, order_row
from supportagentbench.worlds.northline.writes import OrderWritten

from .rows import LadderBooks


def edit_address(
    store: LadderBooks,
    order: OrderNumber,
    recipient: str,
    street: str,
    city: str,
    region: str,
    postcode: str,
    country: Annotated[str, Meta(description="Two-letter code, such as US, GB or CA.")],
) -> OrderWritten:
    """Change where an order is delivered, or redirect its parcel."""
    written = writes.edit_address(store, order, recipient, street, city, region, postcode, country)
    store.rewrite(order_row(store, order), address_changed=store.today)
    return written
