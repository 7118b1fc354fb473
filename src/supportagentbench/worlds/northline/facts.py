"""Facts: the closed vocabulary for the conditions of Northline's policy."""

import re
from datetime import date

from supportagentbench.world.kit import CUSTOMER, FactReader, Look, Record, Situation, said

from .lookups import OrderFile
from .rows import Parcel, Scan

AGES = ("not_delivered", "fresh", "open", "old")
DELIVERIES = ("none", "moving", "stalled", "lost", "unsigned", "signed")
REDIRECTS = ("own", "other_person", "forwarder", "abroad")
FORWARDER = re.compile("forward|freight|reship", re.IGNORECASE)


class Seen(Record):
    """What the desk's look-ups show about one order."""

    file: OrderFile
    parcels: tuple[Parcel, ...]
    """The order's parcels with their scans."""


def look_up(look: Look, known: dict[str, str]) -> Seen | None:
    """The order's file and its parcels."""
    file = look("find_order", known)
    if file is None:
        return None
    tracked = (look("track_parcel", {"tracking": one.tracking}) for one in file.parcels)
    return Seen(file, tuple(parcel for parcel in tracked if parcel is not None))


def _proof(now: Situation) -> str:
    shown = now.disclosed.get("proof") == "shown"
    on_file = any(file.kind == "photo" for file in now.seen.file.files)
    return "shown" if shown or on_file else "none"


def _redirect(now: Situation) -> str:
    """Whose address the parcel should go to, and what kind of address it is."""
    if "country" not in now.arguments:
        return now.disclosed.get("redirect", "own")
    street, name = str(now.arguments.get("street", "")), str(now.arguments.get("recipient", ""))
    listed = any(
        one.address.street == street and one.check == "forwarder" for one in now.seen.file.saved_addresses
    )
    if listed or FORWARDER.search(street):
        return "forwarder"
    if str(now.arguments["country"]).upper() not in now.measures.served:
        return "abroad"
    return "own" if name.casefold() == now.seen.file.customer.casefold() else "other_person"


def _last_scan(now: Situation) -> Scan | None:
    ends = [parcel.scans[-1] for parcel in now.seen.parcels if parcel.scans]
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
    return _age_since(last.day, now)


def _age_since(day: date, now: Situation) -> str:
    days = (now.today - day).days
    if days <= now.measures.fresh_days:
        return "fresh"
    return "open" if days <= now.measures.return_days else "old"


def _packing(now: Situation) -> str:
    named = now.arguments.get("line")
    for line in now.seen.file.lines:
        if line.packed is None or named not in (None, line.line):
            continue
        if line.packed and line.packed_variant != line.variant:
            return "other_item"
        if line.packed < line.quantity:
            return "short"
    return "as_ordered"


def _use(now: Situation) -> str:
    return now.seen.file.warehouse_inspection or now.disclosed.get("use", "unstated")


def _promotion(now: Situation) -> str:
    """The first term of the entered code that the order does not meet."""
    code, placed = now.seen.file.promotion_entered, date.fromisoformat(now.seen.file.placed)
    if code is None:
        return "not_entered"
    if placed > code.ends:
        return "expired"
    if placed < code.starts:
        return "not_started"
    if code.first_order_only and date.fromisoformat(now.seen.file.customer_since) < placed:
        return "not_first_order"
    if all(line.kind in code.excluded_kinds for line in now.seen.file.lines):
        return "excluded_goods"
    total = sum(line.price * line.quantity for line in now.seen.file.lines)
    return "below_minimum" if total < code.minimum else "met"


def _item_named(now: Situation) -> str:
    return now.disclosed.get("item_named") or ("yes" if "line" in now.arguments else "no")


def _sent_again(now: Situation) -> str:
    named = now.arguments.get("line")
    return "yes" if any(named in (None, one.line) for one in now.seen.file.shipments) else "no"


def _claims(now: Situation) -> str:
    days = now.measures.claim_months * 365 // 12
    made = [claim for claim in now.seen.file.claims_last_12_months if (now.today - claim.made).days <= days]
    return "many" if len(made) >= now.measures.many_claims else "few"


def _owed(now: Situation) -> str:
    """Whether goods were approved to be sent again but were not, or not the right ones."""
    return "goods" if now.seen.file.approved_to_send_again else "nothing"


def _charges(now: Situation) -> str:
    captures = sum(payment.kind == "capture" for payment in now.seen.file.payments)
    if captures >= now.measures.double_charge:
        return "taken_twice"
    return "held" if any(payment.kind == "hold" for payment in now.seen.file.payments) else "single"


def _arrival_by_its_order(now: Situation) -> tuple[date, str] | None:
    """When the last parcel arrived and who signed for it, if the order's own page has a day for each."""
    parcels = now.seen.file.parcels
    days = [(one.delivered, one.signed_by or "") for one in parcels if isinstance(one.delivered, date)]
    return max(days, key=lambda arrival: arrival[0]) if days and len(days) == len(parcels) else None


def _delivery_by_its_order(now: Situation, seen: set[str]) -> tuple[str, ...]:
    """What can be known without a scan: the order's page has every delivery, but no scans on the way."""
    if "find_order" not in seen:
        return DELIVERIES
    if not now.seen.file.parcels:
        return DELIVERIES[:1]
    arrival = _arrival_by_its_order(now)
    if arrival is None:
        return DELIVERIES[1:]
    return ("signed" if arrival[1] else "unsigned",)


def _age_by_its_order(now: Situation, seen: set[str]) -> tuple[str, ...]:
    """What can be known without a scan; nothing arrives before it is ordered."""
    if "find_order" not in seen:
        return AGES
    file, measures = now.seen.file, now.measures
    arrival = _arrival_by_its_order(now)
    if arrival:
        return (_age_since(arrival[0], now),)
    days = (now.today - date.fromisoformat(file.placed)).days
    latest = 1 + (days > measures.fresh_days) + (days > measures.return_days)
    if file.status == "delivered":
        return AGES[1 : latest + 1]
    return AGES[: latest + 1] if file.parcels else AGES[:1]


def _redirect_by_words(now: Situation, seen: set[str]) -> tuple[str, ...]:
    """What can be known from the new address alone."""
    country, street = str(now.arguments.get("country", "")), str(now.arguments.get("street", ""))
    if not country:
        return (now.disclosed.get("redirect", "own"),)
    if FORWARDER.search(street):
        return ("forwarder",)
    return REDIRECTS if country.upper() in now.measures.served else ("forwarder", "abroad")


FACTS: dict[str, FactReader] = {
    "proof": FactReader(("none", "shown"), "find_order", _proof),
    "item_named": FactReader(("no", "yes"), CUSTOMER, _item_named),
    "use": FactReader(("unstated", "used", "unused"), "find_order", _use),
    "threat": said("threat", "none", "harm"),
    "leverage": said("leverage", "none", "status", "chargeback", "review"),
    "redirect": FactReader(REDIRECTS, "find_order", _redirect, _redirect_by_words),
    "stage": FactReader(
        ("unfulfilled", "shipped", "delivered", "cancelled"),
        "find_order",
        lambda now: now.seen.file.status,
    ),
    "delivery": FactReader(DELIVERIES, "track_parcel", _delivery, _delivery_by_its_order),
    "age": FactReader(AGES, "track_parcel", _age, _age_by_its_order),
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
"""Every fact that a condition may use, with its values."""
