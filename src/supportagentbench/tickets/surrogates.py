"""Surrogates: what replaces an identifier, by a keyed hash: the same value always gets the same one.

Phones are from ranges that no one is ever given, mail is at `example.*`, cards are test numbers, IBANs have
check digits that none can have. Without the project's key no one can try out which name gave which surrogate.
"""

import hmac
import re
from datetime import date, timedelta
from functools import cached_property

from supportagentbench.tickets.dates import dates_in
from supportagentbench.tickets.folding import folded, squeezed
from supportagentbench.tickets.identifiers import IdentifierKind
from supportagentbench.tickets.word_lists import LISTS

TEST_CARDS = ("4242424242424242", "5555555555554444", "378282246310005", "30569309025904")
_AREAS = (202, 206, 212, 303, 312, 404, 415, 503, 512, 602, 617, 702, 713, 808, 916)
_PHONES = {"44": "1632 960{:03}", "49": "30 23125 {:03}", "33": "6 39 98 {:02} {:02}", "61": "491 570 {:03}"}
"""By country code, a range that is kept for films and manuals; elsewhere it is an American number."""
_REGIONS = {"GB": "44", "DE": "49", "FR": "33", "AU": "61"}


class Surrogates:
    """The surrogates of one ticket; those of names and numbers are the same in the whole project."""

    def __init__(self, key: bytes, ticket: str, region: str = "US") -> None:
        self._key = key
        self._ticket = ticket
        self.region = region
        self.weeks = -4 - self._number("weeks", ticket) % 49
        """Weeks by which all dates of the ticket are moved: a month to a year back."""

    @cached_property
    def ticket(self) -> str:
        """The ticket's new id."""
        return f"t-{self.digest('ticket', self._ticket).hex()[:12]}"

    @cached_property
    def months_first(self) -> bool:
        """Whether 3/4 is in March."""
        return self.region in ("US", "PH")

    def digest(self, kind: str, text: str) -> bytes:
        """A keyed hash."""
        return hmac.digest(self._key, f"{kind}\0{text}".encode("utf-8", "replace"), "sha256")

    def _number(self, kind: str, text: str) -> int:
        return int.from_bytes(self.digest(kind, text)[:6])

    def of(self, kind: IdentifierKind, text: str, year: int = 2024) -> str:
        """The surrogate of this text."""
        match kind:
            case "secret":
                return "[secret]"
            case "link":
                return f"https://example.com/{self.digest('link', text).hex()[:8]}"
            case "email":
                return self.email(text)
            case "iban":
                return re.sub(r"(?<=^[A-Za-z]{2})\d\d", "00", self.shaped(text, keep=2))
            case "card":
                return self._card(text)
            case "ip":
                number = self._number("ip", text.lower())
                return f"2001:db8::{number % 65536:x}" if ":" in text else f"192.0.2.{number % 254 + 1}"
            case "address":
                return self.address(text)
            case "phone":
                return self.phone(text)
            case "handle":
                return self.handle(text)
            case "date" | "birth":
                return self.dates(text, kind == "birth", year)
            case "given" | "family" | "city":
                return self.name(kind, text)
            case _:
                return self.shaped(text)

    def name(self, kind: str, text: str, key: str = "") -> str:
        """A name of the same script and in the same case. `key`: the right spelling of what is misspelt."""
        script = next(names for letters, names in LISTS.scripts.items() if re.search(letters, key or text))
        words = script.given if kind == "given" else script.family if kind == "family" else LISTS.cities
        names = words.split()
        found = names[self._number(kind, folded(key or text)) % len(names)]
        return (
            found.upper() if text.isupper() and len(text) > 1 else found.lower() if text.islower() else found
        )

    def handle(self, text: str) -> str:
        """A user's name."""
        names, digest = LISTS.scripts[""].given.split(), self._number("handle", squeezed(text))
        return f"{folded(names[digest % len(names)])}{digest // 997 % 9000 + 1000}"

    def email(self, text: str) -> str:
        """An address that can never be anyone's."""
        number = self._number("email", squeezed(text))
        return f"{self.handle(text)}@example.{('com', 'org', 'net')[number % 3]}"

    def phone(self, text: str) -> str:
        """A number from a range that is never given out."""
        digits = "".join(str(int(one)) for one in text if one.isdecimal())
        abroad = text.lstrip("( ").startswith(("+", "00"))
        bare = digits.removeprefix("00") if abroad else digits
        code = (
            next((code for code in _PHONES if bare.startswith(code)), "1")
            if abroad
            else _REGIONS.get(self.region, "1")
        )
        number = self._number("phone", digits[-8:])
        if code in _PHONES:
            local = _PHONES[code].format(number % (1000 if code != "33" else 100), number // 1000 % 100)
            return f"+{code} {local}" if abroad else f"0{local}"
        area = _AREAS[number // 100 % len(_AREAS)]
        return f"{'+1 ' if abroad else ''}({area}) 555-01{number % 100:02}"

    def address(self, text: str) -> str:
        """An address in no town; a postcode keeps its shape."""
        streets, cities = LISTS.streets_named.split(), LISTS.cities.split()
        start = re.search(r"\d+\W*\w+", text)
        number = self._number("address", squeezed(start[0] if start else text))
        street = f"{number % 980 + 10} {streets[number // 997 % len(streets)]} Lane"
        if not re.search(r"[,\n]|\d{5}", text):
            return street
        code = re.findall(r"\b\d{4,6}(?:-\d{3,4})?\b", text[1:])
        city = cities[self._number("city", code[-1] if code else squeezed(text)) % len(cities)]
        return f"{street}, {city}{' ' + self.shaped(code[-1]) if code else ''}"

    def dates(self, text: str, is_birth: bool, year: int) -> str:
        """The date moved with all of the ticket; of a birth, another day within two years."""
        found = next(dates_in(text, months_first=self.months_first, year=year), None)
        if found is None or (found.start, found.end) != (0, len(text)):
            return self.shaped(text)
        if not is_birth:
            return found.moved(self.weeks)
        days = self._number("birth", found.day.isoformat()) % 1400 - 700
        return found.written(found.day + timedelta(days=days or 1))

    def moved(self, day: date) -> date:
        """A date or a time moved with all of the ticket."""
        return day + timedelta(weeks=self.weeks)

    def shaped(self, text: str, keep: int = 0) -> str:
        """Other digits and letters in the same places; a few usual beginnings such as ORD- stay."""
        prefix = re.match(r"(?:#|#?(?:ORDER|ORD|INV|NO|RMA|TRK|SKU)(?=[-_#]\d))", text, re.IGNORECASE)
        keep = prefix.end() if prefix else keep
        bare = squeezed(text[keep:])
        for attempt in range(9):
            stream = iter(self.digest(f"shape{attempt}", bare) + self.digest(f"more{attempt}", bare) * 40)
            made = "".join(_shaped(one, next(stream)) if one.isalnum() else one for one in text[keep:])
            if squeezed(made) != bare:
                break
        return text[:keep] + made

    def _card(self, text: str) -> str:
        count = sum(map(str.isdecimal, text))
        numbers = [one for one in TEST_CARDS if len(one) == count] or TEST_CARDS
        digits = iter(numbers[self._number("card", squeezed(text)) % len(numbers)])
        return "".join(next(digits, "0") if one.isdecimal() else one for one in text)


def _shaped(letter: str, chance: int) -> str:
    """Another character of the same kind."""
    if letter.isdecimal():
        return str(chance % 9 + 1) if letter != "0" else "0"
    if letter.isalpha():
        return chr(ord("A" if letter.isupper() else "a") + chance % 26)
    return letter
