"""Facts: Northline's, read line by line, and those about evidence, senders and approvals."""

from collections.abc import Callable
from datetime import date

import msgspec

from supportagentbench.world.kit import CUSTOMER, Attachment, FactReader, Look, Record, Situation
from supportagentbench.worlds.northline.facts import FACTS as NORTHLINE

from .about import CONCERNS, UNKNOWNS
from .lookups import LadderFile
from .rows import PartParcel

EVIDENCE = ("none", "other_item", "earlier_claim", "before_delivery", "fits")
WINDOWS = ("open", "not_delivered", "closed")
"""`open` is first because an agent that does not see `closed` assumes the first value with another effect."""
CLAIMS = ("damage", "wrong_item", "missing_item", "not_received")
"""Requests that are settled by sending goods."""
APPROVED_AS = dict.fromkeys(CLAIMS, "goods") | {"address": "address"}
"""What a colleague would have approved, by kind of request."""


Compares = Callable[[Situation], int]
"""How many comparisons a fact requires."""


class LadderSeen(Record):
    """What the desk's look-ups show about one order."""

    file: LadderFile
    parcels: tuple[PartParcel, ...]


def look_up(look: Look, known: dict[str, str]) -> LadderSeen | None:
    """The order's file and its parcels."""
    file = look("find_order", known)
    if file is None:
        return None
    tracked = (look("track_parcel", {"tracking": one.tracking}) for one in file.parcels)
    return LadderSeen(file, tuple(parcel for parcel in tracked if parcel is not None))


def _of_its_line(now: Situation) -> Situation:
    """The situation reduced to the line that is meant: only the parcels that hold it."""
    line, seen = now.arguments.get("line"), now.seen
    summaries = tuple(one for one in seen.file.parcels if line is None or line in (one.lines or (line,)))
    names = {one.tracking for one in summaries}
    held = tuple(parcel for parcel in seen.parcels if parcel.tracking in names)
    status = seen.file.status
    if len(summaries) < len(seen.file.parcels):
        arrived = all(isinstance(one.delivered, date) for one in summaries)
        status = "unfulfilled" if not summaries else "delivered" if arrived else "shipped"
    file = msgspec.structs.replace(seen.file, parcels=summaries, status=status)
    return msgspec.structs.replace(now, seen=LadderSeen(file, held))


def _by_line(name: str, compares: Compares) -> FactReader:
    """Northline's fact of this name, read for the line that is meant."""
    plain = NORTHLINE[name]

    def otherwise(now: Situation, seen: set[str]) -> tuple[str, ...]:
        return plain.could_be(_of_its_line(now) if "find_order" in seen else now, seen)

    return FactReader(
        plain.values, plain.source, lambda now: plain.read(_of_its_line(now)), otherwise, compares
    )


def _delivered(now: Situation) -> date | None:
    """The day on which the goods in question arrived."""
    days = [
        scan.day
        for parcel in _of_its_line(now).seen.parcels
        for scan in parcel.scans
        if scan.event == "delivered"
    ]
    return max(days, default=None)


def _window(now: Situation) -> str:
    """Whether goods can still be returned, by days or by the season in which they were ordered."""
    return _window_since(_delivered(now), now)


def _window_since(day: date | None, now: Situation) -> str:
    measures = now.measures
    if day is None:
        return "not_delivered"
    placed = date.fromisoformat(now.seen.file.placed)
    in_season = measures.season_from <= placed <= measures.season_until
    if (now.today - day).days <= measures.return_days:
        return "open"
    return "open" if in_season and now.today <= measures.season_returns else "closed"


def _evidence(now: Situation) -> str:
    """What the photos on file and on the ticket prove about this claim; the best photo counts."""
    found = {_worth(file, now) for file in now.seen.file.files if file.kind == "photo"}
    return next((one for one in reversed(EVIDENCE) if one in found), "none")


def _worth(file: Attachment, now: Situation) -> str:
    line, details, delivered = now.arguments.get("line"), file.details, _delivered(now)
    serials = {one for row in now.seen.file.lines if line in (None, row.line) for one in row.serials}
    if "claim" in details and details["claim"] != now.seen.file.order:
        return "earlier_claim"
    if serials and details.get("serial") not in serials:
        return "other_item"
    if delivered and "made" in details and date.fromisoformat(details["made"]) < delivered:
        return "before_delivery"
    return "fits"


def _sender(now: Situation) -> str:
    file: LadderFile = now.seen.file
    return "holder" if file.ticket_from in ("", file.email) else "other"


def _approval(now: Situation) -> str:
    wanted, line = APPROVED_AS.get(now.request), now.arguments.get("line")
    given = (one for one in now.seen.file.approvals if one.what == wanted)
    return "real" if any(line is None or one.line in (0, line) for one in given) else "none"


def _address_age(now: Situation) -> str:
    changed = now.seen.file.address_changed
    if not isinstance(changed, date):
        return "settled"
    return "recent" if (now.today - changed).days <= now.measures.settle_days else "settled"


def _named(argument: str, values: dict[str, str]) -> FactReader:
    """A fact that the request itself names."""
    return FactReader(("none", *values), CUSTOMER, lambda now: str(now.arguments.get(argument, "none")))


def _by_order(read: Callable[[Situation], str], values: tuple[str, ...], compares: Compares) -> FactReader:
    return FactReader(values, "find_order", read, compares=compares)


def _named_line(name: str, compares: Compares) -> FactReader:
    """Northline's fact of this name, which is already read for one line."""
    return NORTHLINE[name]._replace(compares=compares)


def _window_by_its_order(now: Situation, seen: set[str]) -> tuple[str, ...]:
    """What can be known without a scan: the order's page has the day of every delivery."""
    parcels = now.seen.file.parcels
    arrived = [one.delivered for one in _of_its_line(now).seen.file.parcels]
    if "find_order" not in seen or (parcels and not all(isinstance(day, date) for day in arrived)):
        return WINDOWS
    return (_window_since(max(arrived, default=None), now),)


def _which_line(now: Situation) -> int:
    """If there are several lines, the one that is meant has to be found."""
    return int("line" in now.arguments and len(now.seen.file.lines) > 1)


def _which_parcel(now: Situation) -> int:
    """A line has to be looked for in the parcels, unless one parcel holds everything."""
    return int(len(now.seen.file.parcels) > 1 or any(one.lines for one in now.seen.file.parcels))


def _days_since_scan(now: Situation) -> int:
    """Days have to be counted until something has arrived; after that, the scan says so."""
    return _which_parcel(now) + (NORTHLINE["delivery"].read(_of_its_line(now)) in ("moving", "stalled"))


def _days_since_delivery(now: Situation) -> int:
    return _which_parcel(now) + (_delivered(now) is not None)


def _photos(now: Situation) -> int:
    """Every photo against what it is said to show, and that against the other lines."""
    photos: int = sum(file.kind == "photo" for file in now.seen.file.files)
    return photos + (_which_line(now) if photos else 0)


def _counts(now: Situation) -> int:
    """What was packed against what was ordered, if the packing scan has read anything."""
    return int(any(line.packed is not None for line in now.seen.file.lines)) + _which_line(now)


FACTS: dict[str, FactReader] = {
    **NORTHLINE,
    "stage": _by_line("stage", _which_parcel),
    "delivery": _by_line("delivery", _days_since_scan),
    "age": _by_line("age", _days_since_delivery),
    "packing": _named_line("packing", _counts),
    "sent_again": _named_line("sent_again", _which_line),
    "redirect": _named_line("redirect", lambda now: int("country" in now.arguments)),
    "window": FactReader(
        WINDOWS, "track_parcel", _window, _window_by_its_order, compares=_days_since_delivery
    ),
    "evidence": _by_order(_evidence, EVIDENCE, _photos),
    "sender": _by_order(_sender, ("holder", "other"), lambda now: int(bool(now.seen.file.ticket_from))),
    "approval": _by_order(_approval, ("none", "real"), lambda now: len(now.seen.file.approvals)),
    "address_age": _by_order(
        _address_age,
        ("settled", "recent"),
        lambda now: int(isinstance(now.seen.file.address_changed, date)),
    ),
    "unknown": _named("about", UNKNOWNS),
    "concern": _named("about", CONCERNS),
}
"""Every fact that a condition may use, with its values."""
