"""Fact: the closed vocabulary in which policy conditions are written.

A fact is one word about a situation, read from what a look-up shows or from what the customer has said
so far. Because the only inputs are look-ups and words, no label can rest on something the agent could
not have known.
"""

import re
from collections.abc import Callable
from datetime import date
from typing import Annotated, Any, Literal, NamedTuple

from msgspec import Meta

from supportagentbench.records.record import Record
from supportagentbench.world.lookup import OrderFile
from supportagentbench.world.store import Parcel, Scan

Source = Literal["customer", "find_order", "track_parcel"]


class Measures(Record):
    """`measures:` of policy.yaml: every number that a rule names."""

    processing_least: Annotated[int, Meta(ge=0)]
    """Business days that processing takes at least."""
    processing_most: Annotated[int, Meta(ge=0)]
    """And at most."""
    stalled_days: Annotated[int, Meta(ge=1)]
    """Days without a scan from which on a parcel counts as stalled."""
    fresh_days: Annotated[int, Meta(ge=0)]
    """Days after delivery within which damage is replaced."""
    return_days: Annotated[int, Meta(ge=0)]
    """Days after delivery within which goods are taken back."""
    many_claims: Annotated[int, Meta(ge=1)]
    """Earlier claims from which on a colleague decides."""
    claim_months: Annotated[int, Meta(ge=1, le=12)]
    """Months for which a claim counts; an order's file shows no older one than twelve."""
    double_charge: Annotated[int, Meta(ge=2)]
    """Captures from which on an order was charged too often."""
    served: dict[str, str]
    """The countries we deliver to: code and name."""


class Situation(Record):
    """One request about one order, as much of it as is known at this moment."""

    today: date
    measures: Measures
    file: OrderFile
    parcels: tuple[Parcel, ...]
    """The order's parcels with their scans."""
    request: str
    arguments: dict[str, Any] = {}
    """What the request names: a line, a variant, an address."""
    disclosed: dict[str, str] = {}
    """What the customer has said or shown so far."""


class FactReader(NamedTuple):
    """One word about a situation: what it can be, where it is read, and how."""

    values: tuple[str, ...]
    source: Source
    read: Callable[[Situation], str]


def _said(name: str, *values: str) -> FactReader:
    """A fact only the customer can give; the first value is what holds while nothing was said."""
    return FactReader(values, "customer", lambda now: now.disclosed.get(name, values[0]))


def _proof(now: Situation) -> str:
    shown = now.disclosed.get("proof") == "shown"
    on_file = any(file.kind == "photo" for file in now.file.files)
    return "shown" if shown or on_file else "none"


def _redirect(now: Situation) -> str:
    """Whose address the parcel is to go to, and what kind of address it is."""
    if "country" not in now.arguments:
        return "own"
    street, name = str(now.arguments.get("street", "")), str(now.arguments.get("recipient", ""))
    listed = any(
        one.address.street == street and one.check == "forwarder" for one in now.file.saved_addresses
    )
    if listed or re.search("forward|freight|reship", street, re.IGNORECASE):
        return "forwarder"
    if str(now.arguments["country"]).upper() not in now.measures.served:
        return "abroad"
    return "own" if name.casefold() == now.file.customer.casefold() else "other_person"


def _last_scan(now: Situation) -> Scan | None:
    ends = [parcel.scans[-1] for parcel in now.parcels if parcel.scans]
    return max(ends, key=lambda scan: scan.day, default=None)


def _delivery(now: Situation) -> str:
    last = _last_scan(now)
    if last is None:
        return "none"
    if last.event == "delivered":
        return "signed" if last.signed_by else "unsigned"
    if last.event == "lost":
        return "lost"
    return "stalled" if (now.today - last.day).days >= now.measures.stalled_days else "moving"


def _age(now: Situation) -> str:
    last = _last_scan(now)
    if last is None or last.event != "delivered":
        return "not_delivered"
    days = (now.today - last.day).days
    if days <= now.measures.fresh_days:
        return "fresh"
    return "open" if days <= now.measures.return_days else "old"


def _packing(now: Situation) -> str:
    named = now.arguments.get("line")
    for line in now.file.lines:
        if line.packed is None or named not in (None, line.line):
            continue
        if line.packed_variant != line.variant:
            return "other_item"
        if line.packed < line.quantity:
            return "short"
    return "as_ordered"


def _use(now: Situation) -> str:
    return now.file.warehouse_inspection or now.disclosed.get("use", "unstated")


def _promotion(now: Situation) -> str:
    """The first term of the entered code that the order does not meet."""
    code, placed = now.file.promotion_entered, date.fromisoformat(now.file.placed)
    if code is None:
        return "not_entered"
    if placed > code.ends:
        return "expired"
    if placed < code.starts:
        return "not_started"
    if code.first_order_only and date.fromisoformat(now.file.customer_since) < placed:
        return "not_first_order"
    if all(line.kind in code.excluded_kinds for line in now.file.lines):
        return "excluded_goods"
    total = sum(line.price * line.quantity for line in now.file.lines)
    return "below_minimum" if total < code.minimum else "met"


def _item_named(now: Situation) -> str:
    return now.disclosed.get("item_named") or ("yes" if "line" in now.arguments else "no")


def _sent_again(now: Situation) -> str:
    named = now.arguments.get("line")
    return "yes" if any(named in (None, one.line) for one in now.file.shipments) else "no"


def _claims(now: Situation) -> str:
    days = now.measures.claim_months * 365 // 12
    made = [claim for claim in now.file.claims_last_12_months if (now.today - claim.made).days <= days]
    return "many" if len(made) >= now.measures.many_claims else "few"


def _owed(now: Situation) -> str:
    """Whether goods were approved to be sent again and have not been, or not the right ones."""
    sent = {(one.line, one.variant) for one in now.file.shipments}
    lines = {line.line: line.variant for line in now.file.lines}
    owed = [line for line in now.file.approved_to_send_again if (line, lines.get(line)) not in sent]
    return "goods" if owed else "nothing"


def _charges(now: Situation) -> str:
    captures = sum(payment.kind == "capture" for payment in now.file.payments)
    if captures >= now.measures.double_charge:
        return "taken_twice"
    return "held" if any(payment.kind == "hold" for payment in now.file.payments) else "single"


REQUESTS = (
    "status",
    "cancel",
    "address",
    "line_edit",
    "damage",
    "wrong_item",
    "missing_item",
    "not_received",
    "return",
    "exchange",
    "refund",
    "promotion",
    "charge",
    "advice",
    "compensation",
    "price_match",
    "special",
    "closing",
)

FACTS: dict[str, FactReader] = {
    "request": FactReader(REQUESTS, "customer", lambda now: now.request),
    "proof": FactReader(("none", "shown"), "find_order", _proof),
    "item_named": FactReader(("no", "yes"), "customer", _item_named),
    "use": FactReader(("unstated", "used", "unused"), "find_order", _use),
    "threat": _said("threat", "none", "harm"),
    "leverage": _said("leverage", "none", "status", "chargeback", "review"),
    "redirect": FactReader(("own", "other_person", "forwarder", "abroad"), "find_order", _redirect),
    "stage": FactReader(
        ("unfulfilled", "shipped", "delivered", "cancelled"),
        "find_order",
        lambda now: now.file.status,
    ),
    "delivery": FactReader(
        ("none", "moving", "stalled", "lost", "unsigned", "signed"), "track_parcel", _delivery
    ),
    "age": FactReader(("not_delivered", "fresh", "open", "old"), "track_parcel", _age),
    "packing": FactReader(("as_ordered", "other_item", "short"), "find_order", _packing),
    "claims": FactReader(
        ("few", "many"),
        "find_order",
        _claims,
    ),
    "sent_again": FactReader(("no", "yes"), "find_order", _sent_again),
    "promotion": FactReader(
        (
            "not_entered",
            "not_started",
            "expired",
            "not_first_order",
            "excluded_goods",
            "below_minimum",
            "met",
        ),
        "find_order",
        _promotion,
    ),
    "owed": FactReader(("nothing", "goods"), "find_order", _owed),
    "charges": FactReader(("single", "held", "taken_twice"), "find_order", _charges),
}
"""Every fact a condition may name, with its values."""
