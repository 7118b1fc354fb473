"""Order: what a look-up showed of an order, laid out for people."""

from collections.abc import Iterator
from typing import Any, NamedTuple

from supportagentbench.site.page import spaced


class OrderField(NamedTuple):
    """One line of the order: what it is called, and what stands there, a text a line."""

    name: str
    texts: tuple[str, ...]


NAMES = {
    "lines": "items",
    "shipments": "sent since",
    "claims_last_12_months": "claims in the last 12 months",
    "approved_to_send_again": "lines approved to be sent again",
    "promotion_entered": "promotion entered",
}
"""Fields whose names in the record say little to a reader."""

TELLING = ("parcels", "claims_last_12_months", "internal_notes", "files")
"""Fields that are shown even if empty: that there is nothing may decide the case."""

MERGED = ("email", "customer_since")
"""Fields that stand beside the customer's name."""


def order_of(order: dict[str, Any]) -> list[OrderField]:
    """The facts of a look-up, field by field."""
    return list(_fields(order))


def goods_names(order: dict[str, Any]) -> dict[str, str]:
    """What the goods of this order are called, by variant."""
    found = {}
    for line in order.get("lines", ()):
        kind = [str(line[key]) for key in ("colour", "size") if line.get(key)]
        found[str(line.get("variant"))] = ", ".join([str(line.get("name")), *kind])
    return found


def _fields(record: dict[str, Any]) -> Iterator[OrderField]:
    for key, value in record.items():
        if key in MERGED:
            continue
        texts = tuple(_texts(key, value, record))
        if texts or key in TELLING:
            yield OrderField(NAMES.get(key, spaced(key)), texts or ("none",))


def _texts(key: str, value: Any, record: dict[str, Any]) -> Iterator[str]:
    if key == "customer":
        since = record.get("customer_since")
        rest = [str(record["email"])] if record.get("email") else []
        yield ", ".join([str(value), *rest, *([f"customer since {since}"] if since else [])])
    elif isinstance(value, list):
        yield from (_one(key, item) for item in value)
    elif value not in (None, "", "$0"):
        yield _one(key, value)


def _one(key: str, item: Any) -> str:
    if not isinstance(item, dict):
        return str(item)
    if key == "lines":
        return goods_of(item)
    if "street" in item:
        return address_of(item)
    if isinstance(item.get("address"), dict):
        return f"{item.get('label', 'Address')}: {address_of(item['address'])}"
    return ", ".join(
        f"{spaced(name)} {_short(part)}" for name, part in item.items() if part not in ("", None)
    )


def goods_of(line: dict[str, Any]) -> str:
    """One line of an order: how many of what, and what the packing scan counted."""
    kind = ", ".join(str(line[key]) for key in ("colour", "size") if line.get(key))
    text = f"{line.get('quantity', 1)} × {line.get('name', line.get('variant', '?'))}"
    text += f", {kind}" if kind else ""
    text += f" ({line['variant']})" if line.get("variant") and line.get("name") else ""
    text += f", ${line['price']}" if line.get("price") else ""
    if "packed" in line:
        other = line.get("packed_variant", line.get("variant"))
        text += f"; packed: {line['packed']}" + (f" of {other}" if other != line.get("variant") else "")
    return text


def address_of(address: dict[str, Any]) -> str:
    """An address in one line."""
    parts = [address.get(key) for key in ("recipient", "street", "city", "region", "postcode", "country")]
    return ", ".join(str(part) for part in parts if part)


def _short(value: Any) -> str:
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(map(str, value)) if isinstance(value, list) else str(value)
