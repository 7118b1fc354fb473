"""Plainly: a wish in words nobody can mistake, for a customer who is asked again what it wants.

The sentence is made from the wish itself, so it says what the label rests on, no more and no less.
"""

from supportagentbench.records.case import Wish
from supportagentbench.world.store import Address, Order, Store

PLAIN = {
    "status": "where is my order {order}, and how can I follow it?",
    "cancel": "please cancel order {order}.",
    "address": "please change the delivery address of order {order} to {address}.",
    "line_edit": "please change the {item} on order {order} to {wanted}.",
    "damage": "the {item} arrived damaged and I want a replacement.",
    "wrong_item": "I got a wrong item and want the {item} in {colour} that I ordered.",
    "missing_item": "the {item} was missing from the parcel and I want it sent.",
    "not_received": "the {item} never arrived and I want it sent again.",
    "return": "I want to return the {item}.",
    "exchange": "I want to exchange the {item} for {wanted}.",
    "refund": "I want a refund for the {item}.",
    "promotion": "why was my promotion code not applied to order {order}?",
    "charge": "why was I charged twice for order {order}?",
    "advice": "please recommend a product of the kind {kind}.",
    "compensation": "I want compensation for my trouble with order {order}.",
    "price_match": "I want a price match for the {item}.",
    "special": "I am asking for something special: {says}",
    "closing": "everything is settled and you can close this ticket.",
}
"""By kind of request."""

LEAD = "To be plain: "


def plainly(store: Store, order: Order, wish: Wish) -> str:
    """What the customer says when asked a second time what it wants."""
    lines = {line.line: line for line in order.lines}
    number = wish.arguments.get("line", 1)
    line = lines[number if isinstance(number, int) else 1]
    text = PLAIN[wish.request]
    if wish.request == "missing_item" and "line" not in wish.arguments:
        text = "something was missing from the parcel and I want it sent."
    return LEAD + text.format(
        order=order.number,
        item=line.name,
        colour=line.colour,
        wanted=_wanted(store, wish),
        address=_address(wish),
        kind=wish.arguments.get("kind", ""),
        says=wish.says,
    )


def _wanted(store: Store, wish: Wish) -> str:
    if "variant" in wish.arguments:
        variant = store.goods[str(wish.arguments["variant"])].variant
        return f"colour {variant.colour}" + (f", size {variant.size}" if variant.size else "")
    if wish.arguments.get("quantity") == 0:
        return "none at all, take it off"
    return f"a quantity of {wish.arguments.get('quantity', 1)}"


def _address(wish: Wish) -> str:
    fields = {name: str(wish.arguments.get(name, "")) for name in Address.__struct_fields__}
    return str(Address(**fields))
