"""Audit: what has to add up in Northline's books, and what its texts may mention; for `sab lint`."""

import re
from collections.abc import Collection, Iterator
from decimal import Decimal
from functools import lru_cache
from typing import get_args

from supportagentbench.world.kit import Case, Shop, Wish

from .rows import Books, Carrier, Catalogue, Kind, Order, OrderLine, Parcel

SHAPES = {
    "order number": r"#\d+",
    "tracking number": r"\b(?=\w*\d{7})[A-Z0-9]{9,}\b",
    "price": r"[$£€]\s?\d[\d,]*(?:\.\d+)?",
    "variant": r"\bNL-[A-Z0-9]+(?:-[A-Z0-9]+)+",
    "code": r"\b[A-Z]{4,}\d{1,2}\b",
}
"""What a reference to the record looks like in a text."""


def audit(shop: Shop, books: Books, case: Case, text: str) -> Iterator[str]:
    """Everything that does not add up in a case's books, or that its texts mention and the books lack."""
    missing = list(_missing_rows(books, case))
    yield from missing
    if missing:
        return
    catalogue: Catalogue = shop.catalogue
    order = books.orders[case.subject]
    carriers = {carrier.name: carrier for carrier in catalogue.carriers}
    yield from _order_faults(books, order)
    for tracking in order.parcels:
        yield from _parcel_faults(order, books.parcels[tracking], carriers)
    for wish in case.brief.wishes:
        yield from _wish_faults(books, order, wish)
    yield from _text_faults(books, case, text)


def _when(*faults: tuple[bool, str]) -> Iterator[str]:
    """The descriptions of all faults that apply."""
    yield from (words for is_there, words in faults if is_there)


def _missing_rows(books: Books, case: Case) -> Iterator[str]:
    order = books.orders.get(case.subject)
    if order is None:
        yield f"order {case.subject} is not in the books"
        return
    if order.email not in books.people:
        yield f"{order.email} is nobody in the books"
    for tracking in order.parcels:
        if tracking not in books.parcels:
            yield f"parcel {tracking} is not in the books"
    for line in order.lines:
        for variant in {line.variant, line.packed_variant} - {""}:
            if variant not in books.goods:
                yield f"line {line.line}: variant {variant} is not in the catalogue"


def _order_faults(books: Books, order: Order) -> Iterator[str]:
    person, claims = books.people[order.email], books.claims.get(order.email, ())
    scanned = [[scan.day for scan in books.parcels[tracking].scans] for tracking in order.parcels]
    ways = [[person.since, order.placed, *days, books.today] for days in scanned or [[]]]
    later = [*(one.made for one in order.shipments), *(one.made for one in order.payments)]
    strays = {one.tracking for one in books.parcels.values() if one.order == order.number}
    lines = {line.line for line in order.lines}
    yield from _when(
        (any(left < 0 for left in books.stock.values()), "a variant has a negative stock"),
        *(
            (days != sorted(days), f"its days do not follow each other: {', '.join(map(str, days))}")
            for days in ways
        ),
        (
            any(not order.placed <= day <= books.today for day in later),
            "what was paid or sent is out of time",
        ),
        (any(not person.since <= one.made <= books.today for one in claims), "a claim is out of time"),
        ({one.amount for one in order.payments} != {order.total}, f"its payments are not ${order.total}"),
        (all(one.kind != "capture" for one in order.payments), "it was never paid"),
        (_is_belied(order, books), f"it is {order.status}, which its parcels belie"),
        (strays != set(order.parcels), f"the books have a parcel it does not list: {strays}"),
        (bool({one.line for one in order.shipments} - lines), "a line it does not have was sent again"),
        (bool(set(order.approved) - lines), "a line it does not have was approved"),
        (bool(order.promotion) and order.promotion not in books.promotions, f"no code is {order.promotion}"),
    )
    for line in order.lines:
        yield from _line_faults(books, line)


def _is_belied(order: Order, books: Books) -> bool:
    """Whether the parcels contradict the order's status."""
    if not order.parcels:
        return order.status not in ("unfulfilled", "cancelled")
    ends = [books.parcels[tracking].scans[-1:] for tracking in order.parcels]
    arrived = all(scan.event == "delivered" for end in ends for scan in end)
    return order.status != ("delivered" if arrived else "shipped")


def _line_faults(books: Books, line: OrderLine) -> Iterator[str]:
    product, variant = books.goods[line.variant]
    printed = (line.product, line.name, line.kind, line.colour, line.size)
    yield from _when(
        (
            line.price != variant.price,
            f"line {line.line} costs ${line.price}, in the catalogue ${variant.price}",
        ),
        (
            printed != (product.id, product.name, product.kind, variant.colour, variant.size),
            f"line {line.line} is not what the catalogue calls {line.variant}",
        ),
        (line.quantity < 1, f"line {line.line} is for nothing"),
    )


def _parcel_faults(order: Order, parcel: Parcel, carriers: dict[str, Carrier]) -> Iterator[str]:
    carrier = carriers.get(parcel.carrier)
    if carrier is None:
        yield f"no carrier is called {parcel.carrier}"
        return
    shape = "".join({"?9": r"\d", "?A": "[A-Z]"}.get(one, re.escape(one)) for one in _signs(carrier.tracking))
    number = parcel.tracking
    yield from _when(
        (parcel.order != order.number, f"parcel {number} belongs to {parcel.order}"),
        (not re.fullmatch(shape, number), f"{number} is no tracking number of {carrier.name}"),
        (parcel.link != carrier.link.replace("{tracking}", number), f"{parcel.link} is not its carrier's"),
        (order.address.country not in carrier.countries, f"{carrier.name} does not go there"),
    )


def _signs(shape: str) -> list[str]:
    return re.findall(r"\?[9A]|.", shape)


def _wish_faults(books: Books, order: Order, wish: Wish) -> Iterator[str]:
    given = wish.arguments
    lines, kinds = {line.line for line in order.lines}, get_args(Kind)
    yield from _when(
        (given.get("line", order.lines[0].line) not in lines, f"there is no line {given.get('line')}"),
        ("variant" in given and given["variant"] not in books.goods, f"no variant is {given.get('variant')}"),
        ("kind" in given and given["kind"] not in kinds, f"no kind of goods is {given.get('kind')}"),
    )


class _ProductNames:
    """Distinguishes the catalogue's product names from text that only looks like one."""

    def __init__(self, names: tuple[str, ...]) -> None:
        firsts = "|".join({name.split()[0] for name in names})
        nouns = "|".join({re.sub(r" \d+$", "", name).split()[-1] for name in names})
        self.whole = re.compile(rf"\b(?:{'|'.join(map(re.escape, names))})(?!\w)")
        self.begun = re.compile(rf"\b(?:{firsts})\b")
        self.alike = re.compile(rf"\b[A-Z][a-z]+ (?:[A-Z][\w-]+ )*(?:{nouns})\b")

    def unknown_in(self, text: str, language: str) -> Iterator[str]:
        """Names that no product has; a product may be abbreviated once it was named in full."""
        named, rest = set(self.whole.findall(text)), self.whole.sub("…", text)
        # Only where capitals mark a name: in German, every noun has one.
        alike = self.alike.findall(rest) if language == "en" else []
        for found in dict.fromkeys([*self.begun.findall(rest), *alike]):
            if not any(name.startswith(found) for name in named):
                yield found


@lru_cache(maxsize=8)
def _product_names(names: tuple[str, ...]) -> _ProductNames:
    return _ProductNames(names)


def _text_faults(books: Books, case: Case, text: str) -> Iterator[str]:
    """What the texts mention but neither the record nor the catalogue has."""
    order = books.orders[case.subject]
    known = _known(books, order)
    for name, shape in SHAPES.items():
        for found in sorted(set(re.findall(shape, text))):
            if (_amount(found) if name == "price" else found) not in known[name]:
                yield f"{found} is no {name} of its record"
    names = sorted(
        {goods.product.name for goods in books.goods.values()}, key=lambda name: (-len(name), name)
    )
    products = _product_names(tuple(names))
    yield from (f"{found} is no product's name" for found in products.unknown_in(text, case.brief.language))


def _known(books: Books, order: Order) -> dict[str, Collection[str | Decimal]]:
    parcels = [books.parcels[tracking] for tracking in order.parcels]
    return {
        "order number": {order.number},
        "tracking number": {parcel.tracking for parcel in parcels},
        "price": {
            *(order.total, order.discount),
            *(line.price * line.quantity for line in order.lines),
            *(goods.variant.price for goods in books.goods.values()),
            *(promotion.minimum for promotion in books.promotions.values()),
        },
        "variant": set(books.goods),
        "code": set(books.promotions),
    }


def _amount(price: str) -> Decimal | str:
    """An amount in the shop's currency; in any other, the unchanged text."""
    return Decimal(price[1:].replace(",", "")) if price[0] == "$" else price
