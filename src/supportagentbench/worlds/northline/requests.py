"""Requests: what Northline's customers ask for, and how its records appear in sentences."""

from collections.abc import Callable
from typing import Any

import msgspec

from supportagentbench.world.kit import Situation, Wish

from .facts import FACTS
from .lookups import OrderFile
from .needs import needs_of
from .rows import Address, Books, OrderLine

REQUESTS = {
    "status": "where is my order {order}, and how can I follow it?",
    "cancel": "please cancel order {order}.",
    "address": "please change the delivery address of order {order} to {address}.",
    "line_edit": "please change the {item} on order {order} to {wanted}.",
    "damage": "the {item} arrived damaged and I want a replacement.",
    "wrong_item": "I got a wrong item and want the {item} in {colour} that I ordered.",
    "missing_item": "{what} was missing from the parcel and I want it sent.",
    "not_received": "the {item} never arrived and I want it sent again.",
    "return": "I want to return the {item}.",
    "exchange": "I want to exchange the {item} for {wanted}.",
    "refund": "I want a refund for the {item}.",
    "promotion": "why was my promotion code not applied to order {order}?",
    "charge": "why was I charged twice for order {order}?",
    "advice": "please recommend a product of the kind {kind}{needs}.",
    "compensation": "I want compensation for my trouble with order {order}.",
    "price_match": "I want a price match for the {item}.",
    "special": "I am asking for something special: {says}",
    "closing": "everything is settled and you can close this ticket.",
}
"""Every kind of request, in unmistakable words."""


def request_words(store: Books, order: str, wish: Wish) -> dict[str, str]:
    """The values of a request's placeholders."""
    lines = {line.line: line for line in store.orders[order].lines}
    number = wish.arguments.get("line", 1)
    line = lines[number if isinstance(number, int) else 1]
    return {
        "order": order,
        "item": line.name,
        "what": f"the {line.name}" if "line" in wish.arguments else "something",
        "colour": line.colour,
        "wanted": _wanted_by(store, wish),
        "address": _address(wish.arguments),
        "kind": str(wish.arguments.get("kind", "")),
        "needs": f" ({needs})" if (needs := needs_of(wish.needs).words) else "",
        "says": wish.says,
    }


def _wanted_by(store: Books, wish: Wish) -> str:
    if "variant" in wish.arguments:
        variant = store.goods[str(wish.arguments["variant"])].variant
        return f"colour {variant.colour}" + (f", size {variant.size}" if variant.size else "")
    if wish.arguments.get("quantity") == 0:
        return "none at all, take it off"
    return f"a quantity of {wish.arguments.get('quantity', 1)}"


def _address(arguments: dict[str, Any]) -> str:
    names = [field.name for field in msgspec.structs.fields(Address)]
    return str(Address(**{name: str(arguments.get(name, "")) for name in names}))


def _line(now: Situation) -> OrderLine:
    lines: dict[int, OrderLine] = {line.line: line for line in now.seen.file.lines}
    first: OrderLine = now.seen.file.lines[0]
    return lines.get(now.arguments.get("line", 1), first)


def _wanted(now: Situation) -> str:
    arguments = now.arguments
    if "wanted" in arguments:
        return str(arguments["wanted"])
    if arguments.get("quantity") == 0:
        return "nothing, that is, to take it off"
    if "quantity" in arguments:
        return f"a quantity of {arguments['quantity']}"
    return f"in {_line(now).colour}"


def _promotion_term(now: Situation) -> str:
    code, reason = now.seen.file.promotion_entered, FACTS["promotion"].read(now)
    if code is None:
        return "Our record shows that no code was entered at the checkout"
    return {
        "expired": f"{code.code} ended on {code.ends}",
        "not_started": f"{code.code} only starts on {code.starts}, so it is not yet valid",
        "not_first_order": f"{code.code} is for first orders only",
        "excluded_goods": f"{code.code} excludes this kind of goods ({code.about.rstrip('.')})",
        "below_minimum": f"{code.code} needs a minimum spend of ${code.minimum}",
    }.get(reason, f"{code.code} was applied")


def _named_address(now: Situation) -> str:
    names = [field.name for field in msgspec.structs.fields(Address)]
    return ", ".join(str(now.arguments[name]) for name in names if name in now.arguments)


def _first_parcel(now: Situation, name: str) -> str:
    file: OrderFile = now.seen.file
    return str(getattr(file.parcels[0], name)) if file.parcels else ""


def _parcels(now: Situation) -> str:
    count = len(now.seen.file.parcels)
    return "all of it in one parcel" if count == 1 else f"in {count} separate parcels"


def _arrival(now: Situation) -> str:
    return "was delivered" if now.seen.file.status == "delivered" else "has not been delivered yet"


WORDS: dict[str, Callable[[Situation], str]] = {
    "order": lambda now: str(now.seen.file.order),
    "item": lambda now: f"the {_line(now).name}",
    "wanted": _wanted,
    "address": _named_address,
    "tracking": lambda now: _first_parcel(now, "tracking"),
    "link": lambda now: _first_parcel(now, "link"),
    "carrier": lambda now: _first_parcel(now, "carrier"),
    "parcels": _parcels,
    "arrival": _arrival,
    "promotion_term": _promotion_term,
    "recommended": lambda now: str(now.arguments.get("recommended", "")),
}
"""Values for the placeholders in the oracle's sentences."""
