"""Ground: the rows of a real ticket's order, from its known facts; chance fills in the rest."""

import re
from collections.abc import Mapping
from datetime import date
from typing import Any

import msgspec

from supportagentbench.world.kit import (
    Days,
    DrawnScene,
    GroundedScene,
    Grounding,
    Problem,
    Record,
    Seat,
    Sender,
)

from .draw import Artist
from .rows import Goods, Parcel, Person, Variant
from .scene import Scene, SceneLine, SceneParcel, SentAgain

CLAIMS: tuple[Any, ...] = ("damaged", "not_received", "missing")


class OrderedItem(Record):
    """A line of the order; empty fields are unknown."""

    product: str
    """Its id or its name in the catalogue."""
    colour: str = ""
    size: str = ""
    quantity: int = 1


class OrderDetails(Record):
    """`details:` of a ticket in a desk map."""

    items: tuple[OrderedItem, ...] = ()
    placed: date | None = None
    last_scan: date | None = None
    """The day of the last scan: of the delivery, if it was delivered."""
    tracking: str = ""
    country: str = ""
    promotion: str = ""
    """The code that was entered."""


TOLD = (
    *("order", "number", "name", "first", "last", "email", "address", "tracking", "carrier", "link", "total"),
    *("item", "colour", "price", "item2", "colour2", "price2"),
)
"""The placeholders for which a customer's words may have a value."""


def ground(found: Grounding) -> DrawnScene:
    """The order, its parcel and its customer, in which every known fact can be read."""
    return _artist(found).draw()


def scene_of(found: Grounding, arguments: Mapping[str, str | int]) -> GroundedScene:
    """The scene that says the same, for any order, person and colour."""
    if found.facts.get("stage") == "cancelled":
        raise Problem("a scene has no order that is cancelled")
    if "street" in arguments:
        raise Problem("a new address in a customer's own words cannot be drawn again")
    scene, drawn = _scene(found), ground(found).words
    words = {name: drawn[name] for name in TOLD if drawn.get(name)}
    if "variant" not in arguments:
        return GroundedScene(scene, dict(arguments), words)
    wanted = _variant(found, str(arguments["variant"]))
    swaps: Any = "size" if wanted.colour == drawn["colour"] else "colour"
    words[f"new_{swaps}"] = wanted.size if swaps == "size" else wanted.colour
    scene = msgspec.structs.replace(scene, swaps=swaps)
    return GroundedScene(scene, {**arguments, "variant": "{new_variant}"}, words)


def _variant(found: Grounding, name: str) -> Variant:
    for product in found.shop.catalogue.products:
        for variant in product.variants:
            if variant.id == name:
                found_variant: Variant = variant
                return found_variant
    raise Problem(f"the catalogue has no variant {name[:80]!r}")


def _artist(found: Grounding) -> "TicketArtist":
    digits = re.sub(r"\D", "", found.subject)
    if not 0 < len(digits) < 10:
        raise Problem(f"{found.subject[:80]!r} is not the number of an order, such as #1101")
    sender = found.sender or Sender("Unknown Customer", "customer@example.com")
    first, _, last = sender.name.partition(" ")
    seat = Seat(found.key, int(digits), first, last or first, lowest=max(int(digits), 2))
    artist = TicketArtist(found.shop, _scene(found), seat)
    artist.found, artist.sender = found, sender
    return artist


def _scene(found: Grounding) -> Scene:
    facts, details = found.facts, found.details
    parcel, since = _parcel(found)
    days = (found.shop.today - details.placed).days if details.placed else None
    placed: Days = (days, days) if days is not None else (since + 3, since + 3)
    short: Any = facts.get("packing", "as_ordered")
    lines = [
        SceneLine(product=_product_id(found, one.product), quantity=one.quantity) for one in details.items
    ]
    first, *others = lines or [SceneLine()]
    payments: Any = facts.get("charges", "single")
    return Scene(
        placed=placed,
        lines=(msgspec.structs.replace(first, packed=short), *others),
        country=details.country.upper(),
        parcel=parcel,
        customer_for=(placed[0] + 200, placed[0] + 900),
        claims=(CLAIMS * 4)[: found.shop.measures.many_claims] if facts.get("claims") == "many" else (),
        payments=payments,
        promotion=details.promotion,
        sent_again=(SentAgain(),) if facts.get("sent_again") == "yes" else (),
        approved=(1,) if facts.get("owed") == "goods" else (),
    )


def _parcel(found: Grounding) -> tuple[SceneParcel | None, int]:
    """The parcel and how many days ago it was last scanned."""
    facts, measures = found.facts, found.shop.measures
    delivery, age = facts.get("delivery", ""), facts.get("age", "not_delivered")
    stage = facts.get("stage") or _stage_by(delivery, age)
    if stage == "unfulfilled" or (stage == "cancelled" and delivery in ("", "none")):
        return None, -2
    ends: Any = {"signed": "signed", "unsigned": "delivered", "": "delivered"}.get(delivery, delivery)
    if stage == "shipped" and ends in ("signed", "delivered"):
        ends = "moving"
    least = {"fresh": 2, "open": measures.fresh_days + 2, "old": measures.return_days + 2}.get(age, 2)
    days = 1 if age == "not_delivered" else least
    if ends == "stalled":
        days = max(days, measures.stalled_days + 1)
    if found.details.last_scan:
        days = (found.shop.today - found.details.last_scan).days
    return SceneParcel(ends, (days, days)), days


def _stage_by(delivery: str, age: str) -> str:
    """The stage that other facts imply; without any, the order is taken as delivered."""
    if delivery == "none":
        return "unfulfilled"
    return "shipped" if delivery in ("moving", "stalled", "lost") and age == "not_delivered" else "delivered"


def _product_id(found: Grounding, name: str) -> str:
    wanted = name.strip().casefold()
    for product in found.shop.catalogue.products:
        if wanted in (product.id, product.name.casefold()):
            return str(product.id)
    raise Problem(f"the catalogue has no product {name[:80]!r}")


class TicketArtist(Artist):
    """Draws an order with the known facts in place."""

    found: Grounding
    sender: Sender

    def person(self) -> Person:
        return msgspec.structs.replace(super().person(), email=self.sender.email, name=self.sender.name)

    def status(self) -> Any:
        return "cancelled" if self.found.facts.get("stage") == "cancelled" else super().status()

    def parcel(self, placed: date) -> Parcel | None:
        made = super().parcel(placed)
        tracking = self.found.details.tracking
        if made is None or not tracking:
            return made
        link = made.link.replace(made.tracking, tracking)
        return msgspec.structs.replace(made, tracking=tracking, link=link)

    def goods(self, wanted: SceneLine, number: int, taken: set[str]) -> Goods:
        """The variant that was ordered, whether or not it is in stock."""
        if number > len(self.found.details.items):
            return super().goods(wanted, number, taken)
        item = self.found.details.items[number - 1]
        product = next(one for one in self.catalogue.products if one.id == wanted.product)
        fitting = [one for one in product.variants if _fits(one, item)]
        if not fitting:
            raise Problem(f"the catalogue has no {product.name} in {item.colour} {item.size}".rstrip())
        return Goods(product, fitting[0])


def _fits(variant: Variant, item: OrderedItem) -> bool:
    asked = ((item.colour, variant.colour), (item.size, variant.size))
    return all(not wanted or wanted.casefold() == had.casefold() for wanted, had in asked)
