"""Draw: Northline's way to draw a scene, and what this world adds to its rows."""

import re
from collections.abc import Iterable, Iterator
from datetime import date, timedelta
from random import Random
from typing import Any

import msgspec

from supportagentbench.world.kit import Attachment, DrawnScene, Problem, Seat, Sender, Shop
from supportagentbench.worlds.northline.draw import Artist
from supportagentbench.worlds.northline.rows import Order, OrderLine, Parcel, Person

from .rows import Approval, LadderOrder, LadderPlaces, NotedScan, PartParcel, SerialLine
from .scene import LadderScene, LadderSceneLine, LadderSceneParcel

MOST_OTHERS = 4
"""The most orders of an account besides the one that a case is about."""


def draw(shop: Shop, scene: LadderScene, seat: Seat) -> DrawnScene:
    """Draw the scene for this seat. The same seat always gives the same rows."""
    return LadderArtist(shop, scene, seat).draw()


class LadderArtist(Artist):
    """One drawing, with the state that its steps share."""

    scene: LadderScene
    cast: LadderPlaces

    def draw(self) -> DrawnScene:
        plain = super().draw()
        rows, words = plain.rows, dict(plain.words)
        person: Person = rows["people"][self.seat.email]
        order: Order = rows["orders"][self.number]
        parcels = [*self.parcels(order, [*rows["parcels"].values()])]
        waiting = unshipped(order, parcels)
        lines = tuple(
            msgspec.structs.replace(line, packed=None, packed_variant="") if line.line in waiting else line
            for line in self.with_serials(order.lines, self.scene.lines, "serial")
        )
        others = [*self.other_orders(person)]
        words |= self.more_words(person, lines, parcels, others)
        sender = self.sender()
        words |= {"sender_name": sender.name, "sender_first": sender.name.split()[0]}
        words |= {"sender_email": sender.email}
        main = self.enriched(order, lines, parcels, words)
        noted = msgspec.structs.replace(person, notes=(*self.filled(person.notes, words), *self.noise()))
        every = [main, *(other for other, _ in others)]
        rows = {
            **rows,
            "people": {person.email: noted},
            "orders": {one.number: one for one in every},
            "parcels": {one.tracking: one for one in (*parcels, *(p for _, found in others for p in found))},
        }
        return DrawnScene(main.number, rows, words, plain.goods, sender, self.scene.tool_faults)

    def enriched(
        self, order: Order, lines: tuple[SerialLine, ...], parcels: list[PartParcel], words: dict[str, str]
    ) -> LadderOrder:
        """The order with what this world adds to it."""
        told = self.scene
        known = msgspec.structs.asdict(order)
        return LadderOrder(
            **known
            | {
                "status": _status(order, parcels),
                "lines": lines,
                "parcels": tuple(parcel.tracking for parcel in parcels),
                "files": tuple(self.files(told.files, words)),
                "notes": self.filled(order.notes, words),
                "approvals": tuple(self.approvals()),
                "gift_message": _filled(told.gift_message, words),
                "address_changed": self.day(told.address_changed, "address changed")
                if told.address_changed
                else None,
            }
        )

    def parcels(self, order: Order, first: list[Parcel]) -> Iterator[PartParcel]:
        """The first parcel, and the others of the same order."""
        if not first or self.scene.parcel is None:
            return
        yield _part(first[0], self.scene.parcel)
        for number, told in enumerate(self.scene.more_parcels, start=2):
            seat = self.seat._replace(key=f"{self.seat.key}/parcel {number}")
            scene = msgspec.structs.replace(self.scene, parcel=told, country=self.country)
            artist = Artist(self.shop, scene, seat)
            drawn = artist.parcel(order.placed)
            if drawn:
                yield _part(drawn, told)

    def with_serials(
        self, lines: tuple[OrderLine, ...], told: tuple[LadderSceneLine, ...], purpose: str
    ) -> Iterator[SerialLine]:
        rng = self.stream(purpose)
        for line, one in zip(lines, told, strict=True):
            known = msgspec.structs.asdict(line)
            if one.packed == "short" and line.packed is not None:
                left = max(line.quantity - one.short_by, 0)
                known |= {"packed": left, "packed_variant": line.variant if left else ""}
            serials = tuple(_serial(rng) for _ in range(line.quantity)) if one.serial else ()
            yield SerialLine(**known, serials=serials)

    def other_orders(self, person: Person) -> Iterator[tuple[LadderOrder, list[PartParcel]]]:
        """Further orders of this account, each with its parcel."""
        if len(self.scene.others) > MOST_OTHERS:
            raise Problem(f"an account has at most {MOST_OTHERS} other orders; leave some out.")
        for place, told in enumerate(self.scene.others, start=2):
            # Numbers below all others of the set, four for every seat, so that no two cases share one.
            number = self.seat.lowest - 1 - self.seat.rank * MOST_OTHERS - (place - 2)
            seat = self.seat._replace(key=f"{self.seat.key}/order {place}", number=number)
            scene = LadderScene(
                placed=told.placed,
                lines=told.lines,
                parcel=told.parcel,
                notes=told.notes,
                country=self.country,
            )
            plain = Artist(self.shop, scene, seat).draw()
            order: Order = plain.rows["orders"][f"#{number}"]
            order = msgspec.structs.replace(order, email=person.email, address=person.address)
            artist = LadderArtist(self.shop, scene, seat)
            parcels = [*artist.parcels(order, [*plain.rows["parcels"].values()])]
            lines = tuple(artist.with_serials(order.lines, told.lines, "serial"))
            words = dict(plain.words) | {"serial": next((s for one in lines for s in one.serials), "")}
            main = artist.enriched(order, lines, parcels, words)
            yield msgspec.structs.replace(main, files=tuple(self.files(told.files, words))), parcels

    def files(self, told: tuple[Attachment, ...], words: dict[str, str]) -> Iterator[Attachment]:
        for one in told:
            details = {name: _filled(text, words) for name, text in one.details.items()}
            yield Attachment(one.name, one.kind, _filled(one.shows, words), details)

    def approvals(self) -> Iterator[Approval]:
        by = self.stream("approver").choice(self.cast.colleagues)
        day = max(self.day((1, 2), "approved"), self.day(self.scene.placed, "placed"))
        yield from (Approval(one.what, by, day, one.line) for one in self.scene.approvals)

    def noise(self) -> tuple[str, ...]:
        rng = self.stream("noise")
        return tuple(rng.sample(self.cast.notes, min(self.scene.noise, len(self.cast.notes))))

    def filled(self, texts: tuple[str, ...], words: dict[str, str]) -> tuple[str, ...]:
        return tuple(_filled(text, words) for text in texts)

    def sender(self) -> Sender:
        """Who wrote the ticket, according to the address it came from."""
        own, rng = self.seat.sender, self.stream("sender")
        user, domain = own.email.split("@")
        other = rng.choice([name for name in self.cast.strangers if name != self.seat.first])
        match self.scene.writes_from:
            case "lookalike":
                at = rng.randrange(1, len(self.seat.first))
                return Sender(own.name, f"{user[:at]}{user[at]}{user[at:]}@{domain}")
            case "relative":
                return Sender(f"{other} {self.seat.last}", f"{other}.{self.seat.last}@{domain}".casefold())
            case "stranger":
                last = rng.choice([one for one in self.cast.last_names if one != self.seat.last])
                return Sender(f"{other} {last}", f"{other}.{last}@{domain}".casefold())
            case "work":
                others = [one for one in ("example.com", "example.net", "example.org") if one != domain]
                return Sender(own.name, f"{user}@{rng.choice(others)}")
            case _:
                return own

    def more_words(
        self,
        person: Person,
        lines: tuple[SerialLine, ...],
        parcels: list[PartParcel],
        others: list[tuple[LadderOrder, list[PartParcel]]],
    ) -> dict[str, str]:
        """The values of further placeholders."""
        words = {"street": person.address.street, "phone": person.phone}
        words["other_serial"] = _serial(self.stream("other serial"))
        approver = self.stream("approver").choice(self.cast.colleagues)
        words |= {"approver": approver, "colleague": self.stream("colleague").choice(self.cast.colleagues)}
        for line in lines:
            suffix = "" if line.line == 1 else str(line.line)
            words |= {f"serial{suffix}": line.serials[0]} if line.serials else {}
        for place, parcel in enumerate(parcels, start=1):
            suffix = "" if place == 1 else str(place)
            words |= {f"tracking{suffix}": parcel.tracking, f"carrier{suffix}": parcel.carrier}
            last = parcel.scans[-1].day
            words |= {f"scan_date{suffix}": last.isoformat(), f"day_before{suffix}": _near(last, -1)}
            words |= {f"week_before{suffix}": _near(last, -7), f"day_after{suffix}": _near(last, 1)}
        for place, (order, _) in enumerate(others, start=2):
            first = order.lines[0]
            words |= {f"order{place}": order.number, f"order{place}_item": first.name}
            words |= {f"order{place}_colour": first.colour}
            words |= {f"order{place}_serial": first.serials[0]} if first.serials else {}
        return words


def _near(day: date, days: int) -> str:
    return (day + timedelta(days=days)).isoformat()


def _part(parcel: Parcel, told: LadderSceneParcel) -> PartParcel:
    known: dict[str, Any] = msgspec.structs.asdict(parcel)
    scans = [
        NotedScan(**msgspec.structs.asdict(scan), text=told.text if scan is parcel.scans[-1] else "")
        for scan in parcel.scans
    ]
    return PartParcel(**known | {"scans": tuple(scans), "lines": told.lines})


def _status(order: Order, parcels: list[PartParcel]) -> str:
    if not parcels:
        return order.status
    arrived = all(parcel.scans[-1].event == "delivered" for parcel in parcels)
    return "delivered" if arrived and not unshipped(order, parcels) else "shipped"


def unshipped(order: Order, parcels: Iterable[PartParcel]) -> set[int]:
    """The lines that no parcel holds."""
    held = {line for parcel in parcels for line in parcel.lines or (one.line for one in order.lines)}
    return {line.line for line in order.lines} - held


def _serial(rng: Random) -> str:
    return f"{rng.choice('BCDFGHJKLMNPRSTVWXZ')}{rng.randint(2, 9)}-{rng.randint(10_000, 99_999)}"


def _filled(text: str, words: dict[str, str]) -> str:
    return re.sub(r"\{([a-z_0-9]+)\}", lambda found: words.get(found[1], found[0]), text)
