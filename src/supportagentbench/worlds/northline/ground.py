"""Ground: the rows of a real ticket's order, from its known facts; chance fills in the rest."""

import re
from collections.abc import Iterator, Mapping
from datetime import date, timedelta
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from supportagentbench.world.kit import (
    DrawnScene,
    GroundedScene,
    Grounding,
    Problem,
    Record,
    Seat,
    Sender,
)

from .draw import Artist
from .rows import Address, Goods, Order, Parcel, Person, Promotion, SavedAddress, Variant
from .scene import Scene, SceneLine, SceneParcel, SentAgain

CLAIMS: tuple[Any, ...] = ("damaged", "not_received", "missing")
NOBODY = Sender("Unknown Customer", "customer@example.com")
"""Whose an order is if neither the ticket nor the map says so."""
MOST_DIGITS, MOST_LINES = 30, 50


class OrderedItem(Record):
    """A line of the order; empty fields are unknown."""

    product: str
    """Its id or its name in the catalogue."""
    colour: str = ""
    size: str = ""
    quantity: Annotated[int, Meta(ge=1, le=1000)] = 1


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
    customer: str = ""
    """Whose order it is, if not the sender's."""
    email: str = ""


TOLD = (
    *("order", "number", "name", "first", "last", "email", "address", "tracking", "carrier", "link", "total"),
    *("item", "colour", "price", "item2", "colour2", "price2"),
)
"""The placeholders for which a customer's words may have a value."""


def ground(found: Grounding) -> DrawnScene:
    """The order, its parcel and its customer, in which every known fact can be read."""
    digits = re.sub(r"\D", "", found.subject)
    if not 0 < len(digits) <= MOST_DIGITS:
        raise Problem(f"{found.subject[:80]!r} is not the number of an order, such as #1101")
    sender = found.sender or NOBODY
    owner = Sender(found.details.customer or sender.name, found.details.email.casefold() or sender.email)
    first, _, last = owner.name.partition(" ")
    seat = Seat(found.key, int(digits), first, last or first, lowest=max(int(digits), 2))
    artist = TicketArtist(found.shop, _scene(found), seat)
    artist.found, artist.email, artist.name, artist.number = found, owner.email, owner.name, f"#{digits}"
    made = artist.draw()
    return made._replace(rows={**made.rows, "promotions": _promotions(found, made.rows["orders"])})


def scene_of(found: Grounding, arguments: Mapping[str, str | int]) -> GroundedScene:
    """The scene that says the same, for any order, person and colour."""
    if found.facts.get("stage") == "cancelled":
        raise Problem("a scene has no order that is cancelled")
    if found.facts.get("promotion", "not_entered") != "not_entered":
        raise Problem("a scene has no promotion but the shop's own")
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


def _scene(found: Grounding) -> Scene:
    facts, details = found.facts, found.details
    parcel = _parcel(found)
    since = parcel.last[0] + 3 if parcel else 1
    days = (found.shop.today - details.placed).days if details.placed else since
    line, owed = _line_named(found), facts.get("owed") == "goods"
    payments: Any = facts.get("charges", "single")
    return Scene(
        placed=(days, days),
        lines=tuple(_lines(found, line)),
        country=_country(found),
        parcel=parcel,
        customer_for=(days + 200, days + 900),
        claims=(CLAIMS * 4)[: found.shop.measures.many_claims] if facts.get("claims") == "many" else (),
        payments=payments,
        promotion=_code(found),
        sent_again=(SentAgain(line, right=not owed),) if facts.get("sent_again") == "yes" else (),
        approved=(line,) if owed else (),
    )


def _line_named(found: Grounding) -> int:
    """The line that the request is about."""
    line = found.arguments.get("line", 1)
    if isinstance(line, int) and 1 <= line <= MOST_LINES:
        return line
    raise Problem(f"{str(line)[:80]!r} is not a line of an order; lines are counted from 1")


def _lines(found: Grounding, named: int) -> Iterator[SceneLine]:
    """Every line that is known of; what the packing scan read is known of the named one."""
    packed: Any = found.facts.get("packing", "as_ordered")
    known = found.details.items
    items = [SceneLine(product=_product_id(found, one.product), quantity=one.quantity) for one in known]
    items += [SceneLine()] * (named - len(items))
    for number, line in enumerate(items, start=1):
        yield msgspec.structs.replace(line, packed=packed) if number == named else line


def _country(found: Grounding) -> str:
    country: str = found.details.country.upper()
    if country and country not in found.shop.cast.cities:
        raise Problem(f"nobody lives in {country[:80]!r}; known: {', '.join(found.shop.cast.cities)}")
    return country


def _parcel(found: Grounding) -> SceneParcel | None:
    """The parcel and the day of its last scan; without facts, it has arrived."""
    facts, measures, today = found.facts, found.shop.measures, found.shop.today
    delivery, age = facts.get("delivery", ""), facts.get("age", "")
    stage = facts.get("stage", "unfulfilled" if delivery == "none" else "")
    is_packed = facts.get("packing", "as_ordered") != "as_ordered"
    is_unsent = delivery in ("", "none") and age in ("", "not_delivered") and not is_packed
    if stage == "unfulfilled" or (stage == "cancelled" and is_unsent):
        return None
    is_moving = stage == "shipped" or age == "not_delivered"
    ends: Any = {"signed": "signed", "unsigned": "delivered"}.get(delivery, delivery)
    ends = ends or ("moving" if is_moving else "delivered")
    least = {"open": measures.fresh_days + 1, "old": measures.return_days + 1}.get(age, 0)
    least = max(least, measures.stalled_days) if ends == "stalled" else least
    days = least if ends == "moving" else least + 2
    if found.details.placed:
        days = max(least, min(days, (today - found.details.placed).days))
    if found.details.last_scan:
        days = (today - found.details.last_scan).days
    if days < 0:
        raise Problem(f"a parcel cannot have been scanned on {found.details.last_scan}, after the ticket")
    return SceneParcel(ends, (days, days))


def _product_id(found: Grounding, name: str) -> str:
    wanted = name.strip().casefold()
    for product in found.shop.catalogue.products:
        if wanted in (product.id, product.name.casefold()):
            return str(product.id)
    raise Problem(f"the catalogue has no product {name[:80]!r}")


def _code(found: Grounding) -> str:
    """The code that was entered, as far as it is known that there was one."""
    known, code = found.facts.get("promotion"), str(found.details.promotion)
    return "" if known == "not_entered" else code or ("CODE" if known else "")


def _promotions(found: Grounding, orders: dict[str, Order]) -> dict[str, Promotion]:
    """The terms of the code, of which the order meets all or fails the one that is known."""
    code, known = _code(found), found.facts.get("promotion")
    if not code or not known:
        return {}
    (order,) = orders.values()
    month, day = timedelta(days=30), timedelta(days=1)
    met = Promotion(code, "10% off.", 10, order.placed - month, order.placed + month)
    terms: dict[str, dict[str, Any]] = {
        "expired": {"ends": order.placed - day},
        "not_started": {"starts": order.placed + day},
        "not_first_order": {"first_order_only": True},
        "excluded_goods": {"excluded_kinds": tuple(dict.fromkeys(line.kind for line in order.lines))},
        "below_minimum": {"minimum": order.total + 50},
    }
    return {code: msgspec.structs.replace(met, **terms.get(known, {}))}


class TicketArtist(Artist):
    """Draws an order with the known facts in place."""

    found: Grounding
    email: str

    def person(self) -> Person:
        return msgspec.structs.replace(super().person(), email=self.email, name=self.name)

    def saved(self) -> Iterator[SavedAddress]:
        """The new address, if the record has found out what it is."""
        asked = self.found.arguments
        if self.found.facts.get("redirect") == "forwarder" and "country" in asked:
            fields = msgspec.structs.fields(Address)
            address = Address(**{one.name: str(asked.get(one.name, "")) for one in fields})
            yield SavedAddress("new", address, "forwarder")

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
