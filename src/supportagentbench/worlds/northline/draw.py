"""Draw: turn a scene and a seed into rows of the books, and into the words for them in texts.

Every purpose has a separate random stream, so a twin that changes the parcel keeps the trap's person, goods
and numbers.
"""

import re
import string
from collections.abc import Callable, Iterator
from datetime import date, timedelta
from decimal import Decimal
from functools import cached_property
from random import Random
from typing import Any, NamedTuple

import msgspec

from supportagentbench.world.kit import Days, DrawnScene, Problem, Seat, Shop, spoken

from .rows import (
    Address,
    Carrier,
    Catalogue,
    City,
    EarlierClaim,
    Goods,
    Measures,
    Order,
    OrderLine,
    Parcel,
    Payment,
    Person,
    Places,
    Product,
    Route,
    SavedAddress,
    Scan,
    Shipment,
)
from .scene import Scene, SceneLine


class Rows(NamedTuple):
    """What a scene adds to the books."""

    person: Person
    order: Order
    parcels: tuple[Parcel, ...]
    claims: tuple[EarlierClaim, ...]

    def by_table(self) -> dict[str, dict[str, Any]]:
        return {
            "people": {self.person.email: self.person},
            "orders": {self.order.number: self.order},
            "claims": {self.person.email: self.claims},
            "parcels": {parcel.tracking: parcel for parcel in self.parcels},
        }


def draw(shop: Shop, scene: Scene, seat: Seat) -> DrawnScene:
    """Draw the scene for this seat. The same seat always gives the same rows."""
    return Artist(shop, scene, seat).draw()


class Artist:
    """One drawing, with the state that its steps share."""

    def __init__(self, shop: Shop, scene: Scene, seat: Seat) -> None:
        self.shop = shop
        self.catalogue: Catalogue = shop.catalogue
        self.cast: Places = shop.cast
        self.scene = scene
        self.seat = seat
        self.today = shop.today
        self.measures: Measures = shop.measures
        self.country = scene.country or self.stream("country").choice(self.cast.countries)
        self.name = seat.name
        self.number = f"#{seat.number}"

    def stream(self, purpose: str) -> Random:
        return self.seat.stream(purpose)

    def day(self, span: Days, purpose: str) -> date:
        return self.seat.day(self.today, span, purpose)

    def draw(self) -> DrawnScene:
        person = self.person()
        placed = self.day(self.scene.placed, "placed")
        lines = tuple(self.lines())
        parcel = self.parcel(placed)
        total = sum((line.price * line.quantity for line in lines), Decimal(0))
        order = Order(
            number=self.number,
            email=person.email,
            placed=placed,
            status=self.status(),
            address=person.address,
            lines=lines,
            payments=tuple(self.payments(total, placed)),
            parcels=(parcel.tracking,) if parcel else (),
            shipments=tuple(self.shipments(lines)),
            promotion=self.scene.promotion,
            files=self.scene.files,
            inspection=self.scene.inspection,
            approved=self.scene.approved,
            notes=self.scene.notes,
        )
        rows = Rows(person, order, (parcel,) if parcel else (), tuple(self.claims()))
        goods = tuple(line.name for line in lines)
        return DrawnScene(order.number, rows.by_table(), self.words(rows), goods, self.seat.sender)

    def person(self) -> Person:
        return Person(
            email=self.seat.email,
            name=self.name,
            phone=f"555-01{self.stream('phone').randint(0, 99):02}",
            address=self.home,
            since=self.day(self.scene.customer_for, "since"),
            saved=tuple(self.saved()),
            notes=self.scene.customer_notes,
        )

    @cached_property
    def home(self) -> Address:
        """Where the customer lives: no two people of a set have the same street and postcode."""
        cities, streets = self.cast.cities[self.country], self.cast.streets[self.country]
        again, place = divmod(self.seat.rank, len(cities))
        city = cities[place]
        postcode = re.sub(r"\d(?=\D*$)", lambda last: str((int(last[0]) + again) % 10), city.postcode)
        street = streets[(self.seat.rank + again) % len(streets)]
        number = self.stream("home").randint(2, 480)
        return Address(self.name, f"{number} {street}", city.city, city.region, postcode, self.country)

    def other_home(self) -> Address:
        """Another address of the customer, in another street."""
        rng = self.stream("new address")
        city = rng.choice(self.cast.cities[self.country])
        streets = [one for one in self.cast.streets[self.country] if not self.home.street.endswith(one)]
        street = f"{rng.randint(2, 480)} {rng.choice(streets)}"
        return _address(self.name, street, city, self.country)

    def status(self) -> Any:
        if self.scene.parcel is None:
            return "unfulfilled"
        return "delivered" if self.scene.parcel.ends in ("delivered", "signed") else "shipped"

    def lines(self) -> Iterator[OrderLine]:
        taken: set[str] = set()
        for number, wanted in enumerate(self.scene.lines, start=1):
            goods = self.goods(wanted, number, taken)
            taken.add(goods.product.id)
            packed = self.packed(wanted, goods, number)
            yield OrderLine(
                line=number,
                product=goods.product.id,
                name=goods.product.name,
                kind=goods.product.kind,
                variant=goods.variant.id,
                colour=goods.variant.colour,
                size=goods.variant.size,
                quantity=wanted.quantity,
                price=goods.variant.price,
                packed=packed[0],
                packed_variant=packed[1],
            )

    def goods(self, wanted: SceneLine, number: int, taken: set[str]) -> Goods:
        rng = self.stream(f"line {number}")
        products = [
            product
            for product in self.catalogue.products
            if product.id not in taken
            and (product.id == wanted.product if wanted.product else product.kind == wanted.kind)
            and len(_in_stock(product)) >= 3
            and (number > 1 or self.swap(product, None) is not None)
        ]
        if not products:
            raise Problem(
                f"no product with enough variants in stock fits line {number} "
                f"({wanted.product or wanted.kind}); choose another kind or stock more."
            )
        product = rng.choice(products)
        options = [
            goods for goods in _in_stock(product) if number > 1 or self.swap(product, goods) is not None
        ]
        return rng.choice(options)

    def swap(self, product: Product, ordered: Goods | None) -> Goods | None:
        """Another variant that the customer would rather have; any variant if nothing is ordered yet."""
        if not self.scene.swaps:
            return Goods(product, product.variants[0])
        for one in [ordered] if ordered else _in_stock(product):
            others = [
                other
                for other in _in_stock(product)
                if (self.scene.swaps == "colour") == (other.variant.colour != one.variant.colour)
                and (self.scene.swaps == "size") == (other.variant.size != one.variant.size)
            ]
            if others:
                return self.stream("swap").choice(others)
        return None

    def packed(self, wanted: SceneLine, goods: Goods, number: int) -> tuple[int | None, str]:
        if self.scene.parcel is None:
            return None, ""
        if wanted.packed == "short":
            packed = wanted.quantity - 1
            return packed, goods.variant.id if packed else ""
        if wanted.packed == "other_item":
            others = [other for other in goods.product.variants if other.id != goods.variant.id]
            return wanted.quantity, self.stream(f"packed {number}").choice(others).id
        return wanted.quantity, goods.variant.id

    def parcel(self, placed: date) -> Parcel | None:
        told = self.scene.parcel
        if told is None:
            return None
        carrier = self.stream("carrier").choice(
            [one for one in self.catalogue.carriers if self.country in one.countries]
        )
        tracking = _fill(carrier, self.stream("tracking"))
        last = self.day(told.last, "last scan")
        shipped = self.collected(told.shipped, placed, last)
        if not placed <= shipped <= last:
            raise Problem(
                f"the days do not follow each other: placed {placed}, shipped {shipped}, "
                f"last scan {last}; narrow the ranges of the scene."
            )
        link = carrier.link.replace("{tracking}", tracking)
        scans = tuple(self.scans(told.ends, shipped, last))
        return Parcel(tracking, carrier.name, link, self.number, scans)

    def collected(self, span: Days | None, placed: date, last: date) -> date:
        """The day the parcel leaves: as many business days after the order as processing takes."""
        if span:
            return self.day(span, "shipped")
        least, most = self.measures.processing_least, self.measures.processing_most
        days = [placed + timedelta(days=after) for after in range((last - placed).days + 1)]
        usual = [day for day in days if least <= business_days(placed, day) <= most and day.weekday() < 5]
        return self.stream("shipped").choice(usual or days[-1:] or [placed])

    def scans(self, ends: str, shipped: date, last: date) -> Iterator[Scan]:
        home, route = self.home.city, self.route()
        yield Scan(shipped, route.warehouse, "collected")
        if (last - shipped).days >= 2:
            yield Scan(shipped + timedelta(days=1), route.hub, "in_transit")
        if ends in ("moving", "stalled"):
            yield Scan(last, home, "in_transit")
        elif ends == "lost":
            yield Scan(last, route.hub, "lost")
        else:
            yield Scan(last, home, "out_for_delivery")
            yield Scan(last, home, "delivered", self.name if ends == "signed" else None)

    def route(self) -> Route:
        if self.country not in self.catalogue.routes:
            raise Problem(f"store.yaml has no route to {self.country}; add one under `routes:`.")
        return self.catalogue.routes[self.country]

    def payments(self, total: Decimal, placed: date) -> Iterator[Payment]:
        number = self.number.removeprefix("#")
        yield Payment(f"P{number}-1", "capture", total, placed)
        if self.scene.payments == "held":
            yield Payment(f"P{number}-2", "hold", total, placed)
        elif self.scene.payments == "taken_twice":
            yield Payment(f"P{number}-2", "capture", total, placed)

    def shipments(self, lines: tuple[OrderLine, ...]) -> Iterator[Shipment]:
        for number, again in enumerate(self.scene.sent_again, start=1):
            line = lines[again.line - 1]
            other = next(one.id for one in self.product(line).variants if one.id != line.variant)
            yield Shipment(
                id=f"{self.number}-S{number}",
                kind="reshipment",
                line=again.line,
                variant=line.variant if again.right else other,
                quantity=line.quantity,
                reason="other",
                made=self.day((2, 4), "sent again"),
            )

    def claims(self) -> Iterator[EarlierClaim]:
        rng = self.stream("claims")
        for back, kind in enumerate(self.scene.claims, start=1):
            day = self.today - timedelta(days=60 * back + rng.randint(0, 25))
            number = f"#{self.seat.earlier_number(f'claim {back}')}"
            yield EarlierClaim(day, number, kind, rng.choice(["replacement", "reshipment"]))

    def words(self, rows: Rows) -> dict[str, str]:
        """The values of this case's placeholders."""
        order, person = rows.order, rows.person
        words = {
            "order": order.number,
            "number": order.number.removeprefix("#"),
            "name": person.name,
            "first": self.seat.first,
            "last": self.seat.last,
            "email": person.email,
            "city": person.address.city,
            "address": str(person.address),
            "placed": spoken(order.placed),
            "total": f"${order.total}",
        }
        for line in order.lines:
            suffix = "" if line.line == 1 else str(line.line)
            goods = {
                "item": line.name,
                "colour": line.colour,
                "size": line.size,
                "variant": line.variant,
            }
            words |= {f"{name}{suffix}": value for name, value in goods.items()}
            words[f"price{suffix}"] = f"${line.price}"
            for packed in self.product(line).variants:
                if packed.id == line.packed_variant:
                    words |= {f"packed_colour{suffix}": packed.colour, f"packed_size{suffix}": packed.size}
        for parcel in rows.parcels:
            words |= {"tracking": parcel.tracking, "carrier": parcel.carrier, "link": parcel.link}
            words["last_scan"] = spoken(parcel.scans[-1].day)
        return words | self.swap_words(order.lines[0]) | self.move_words()

    def swap_words(self, line: OrderLine) -> dict[str, str]:
        if not self.scene.swaps:
            return {}
        product = self.product(line)
        variant = next(one for one in product.variants if one.id == line.variant)
        other = self.swap(product, Goods(product, variant))
        if other is None:
            return {}
        new = other.variant
        return {"new_variant": new.id, "new_colour": new.colour, "new_size": new.size}

    def product(self, line: OrderLine) -> Product:
        return next(one for one in self.catalogue.products if one.id == line.product)

    def move_words(self) -> dict[str, str]:
        new = self.new_address()
        if new is None:
            return {}
        words = {f"new_{name}": value for name, value in msgspec.structs.asdict(new).items()}
        return words | {"new_address": str(new), "friend": new.recipient.split()[0]}

    def saved(self) -> Iterator[SavedAddress]:
        new = self.new_address()
        if new and self.scene.saves_address:
            checks: dict[str, Any] = {"forwarder": "forwarder", "overseas_po_box": "po_box"}
            check = checks.get(self.scene.moves_to, "residential")
            yield SavedAddress(self.scene.saves_address, new, check)

    def new_address(self) -> Address | None:
        """The address that the customer would like the parcel to go to instead."""
        cast, rng = self.cast, self.stream("move")
        own = self.other_home()
        match self.scene.moves_to:
            case "friend":
                others = [one for one in cast.last_names if one != self.seat.last]
                name = f"{rng.choice(cast.friends)} {rng.choice(others)}"
                return msgspec.structs.replace(own, recipient=name)
            case "forwarder":
                # Only the address check shows what kind of address a saved one is.
                company = "" if self.scene.saves_address else f"c/o {rng.choice(cast.forwarders)}, "
                return msgspec.structs.replace(
                    own, street=f"{company}Unit {rng.randint(100, 999)}, {own.street}"
                )
            case "overseas_po_box":
                city = rng.choice(cast.overseas)
                return _address(self.name, f"PO Box {rng.randint(100, 9999)}", city, city.country)
            case "own":
                return own
            case _:
                return None


def business_days(first: date, last: date) -> int:
    """The number of days from Monday to Friday after the first day, up to and including the last."""
    days = (first + timedelta(days=after) for after in range(1, (last - first).days + 1))
    return sum(day.weekday() < 5 for day in days)


def _in_stock(product: Product) -> list[Goods]:
    return [Goods(product, variant) for variant in product.variants if variant.stock >= 3]


def _address(recipient: str, street: str, city: City, country: str) -> Address:
    return Address(recipient, street, city.city, city.region, city.postcode, country)


def _fill(carrier: Carrier, rng: Random) -> str:
    """A tracking number of this carrier's shape."""
    kinds: dict[str, Callable[[], str]] = {
        "9": lambda: rng.choice(string.digits),
        "A": lambda: rng.choice(string.ascii_uppercase),
    }
    return re.sub(r"\?(9|A)", lambda found: kinds[found[1]](), carrier.tracking)
