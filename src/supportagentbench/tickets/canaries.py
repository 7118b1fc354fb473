"""Canaries: invented people of twelve locales, planted into copies of tickets to see what gets through.

They are never stored. A canary got through if a reader who may not see doubts can read a telling part.
"""

import re
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import NamedTuple

from msgspec.structs import replace

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.records.ticket import SupportTicket, TicketEvent, TicketPerson
from supportagentbench.storage.yaml_file import read_document
from supportagentbench.tickets.folding import WORD, folded, squeezed
from supportagentbench.tickets.identifiers import CARD, EMAIL, IBAN, is_card, is_iban
from supportagentbench.tickets.known_words import KnownWords
from supportagentbench.tickets.pseudonyms import pseudonymised, texts_of
from supportagentbench.tickets.raw import RawTicket
from supportagentbench.tickets.surrogates import TEST_CARDS, Surrogates


class CanaryPerson(Record):
    """A person who does not exist, with everything that identifies them."""

    name: str
    email: str
    phone: str
    number: str
    birth: str
    address: str = ""
    card: str = ""
    iban: str = ""
    ip: str = ""
    link: str = ""
    secret: str = ""
    native: str = ""
    """A line of the locale's language with part of the name in it."""
    inflected: str = ""
    """One with the name as the language bends it."""


class CanaryFile(Record):
    """People to plant, and lines without any person in them."""

    people: dict[str, CanaryPerson]
    """By locale."""
    clean: str


@cache
def canary_file() -> CanaryFile:
    """The canaries of this package."""
    return read_document(Path(__file__).with_name("canaries.yaml"), CanaryFile)


class Recall(NamedTuple):
    """How many canaries of a kind were caught."""

    kind: str
    locale: str
    planted: int
    caught: int


class CheckFigures(NamedTuple):
    """What a check of the rules found."""

    recalls: tuple[Recall, ...]
    clean_words: int
    """Words of texts without identifiers."""
    replaced: int
    """Of these: replaced by a rule."""
    hidden: int
    """Of these: hidden as doubtful."""

    @property
    def record_names_hold(self) -> bool:
        """Whether all of a name that a field has was caught everywhere."""
        return all(one.caught == one.planted for one in self.recalls if one.kind.startswith("record"))


NAME_WAYS = {
    "full name": "Please note that {name} paid for it.",
    "given name": "As {given} said, nothing came.",
    "family name": "It was sent to {family} last week.",
    "possessive": "{given}'s parcel is late.",
    "capitals": "IT IS FOR {upper}!",
    "small letters": "it is for {lower}",
    "initial": "Signed by {initial}. {family}",
    "slip": "I told you, {slip} is right.",
}
"""How texts write a name: those of record names have to be caught whole."""
FREE_WAYS = {
    "after a cue": "Hello, my name is {name}.",
    "at the end": "Thanks, {given}",
    "in a sentence": "Yesterday I gave it to {given} for repair.",
    "small letters": "it was {lower} who called",
}
VALUES = {
    "email": "Write to {value} please.",
    "phone": "Call me on {value} today.",
    "address": "Send it to {value}.",
    "card": "I paid with {value}.",
    "iban": "Refund it to {value}, please.",
    "number": "It is order {value}.",
    "birth": "I was born on {value}.",
    "ip": "My IP is {value} here.",
    "link": "See {value} for it.",
    "secret": "my password is {value}",
}


def checked(raws: Sequence[RawTicket], key: bytes, known: KnownWords, region: str = "US") -> CheckFigures:
    """Plant every canary into a copy of one of these tickets, and see what can still be read of it."""
    counts: dict[tuple[str, str], list[int]] = defaultdict(lambda: [0, 0])
    for number, (kind, locale, raw, parts) in enumerate(_planted(raws)):
        unlike = replace(raw.ticket, id=f"canary-{number}")
        caught = not _reads(raw._replace(ticket=unlike), key, known, region, parts)
        counts[kind, locale][0] += 1
        counts[kind, locale][1] += caught
    clean = _clean_figures(key, known, region)
    recalls = (Recall(*names, *pair) for names, pair in sorted(counts.items()))
    return CheckFigures(tuple(recalls), *clean)


def _planted(raws: Sequence[RawTicket]) -> Iterator[tuple[str, str, RawTicket, tuple[str, ...]]]:
    """Every canary: its kind, its locale, the ticket it is in, and the parts that must not be readable."""
    number = 0
    for locale, person in canary_file().people.items():
        for kind, words, parts, known in _canaries(person):
            raw = raws[number % len(raws)]
            number += 1
            people = (TicketPerson("customer", person.name),) if known else ()
            event = TicketEvent("customer", "message", words)
            ticket = replace(
                raw.ticket, events=(*raw.ticket.events, event), people=(*raw.ticket.people, *people)
            )
            yield kind, locale, raw._replace(ticket=ticket), parts
        fields = TicketPerson("customer", person.name, (person.email,), (person.phone,), (person.address,))
        ticket = replace(raws[0].ticket, people=(fields,), subject=f"{person.name} {person.email}")
        yield (
            "record fields",
            locale,
            raws[0]._replace(ticket=ticket),
            (person.name, person.email, person.phone),
        )


def _canaries(person: CanaryPerson) -> Iterator[tuple[str, str, tuple[str, ...], bool]]:
    """The canaries of one person: kind, text, parts that must not be readable, whether a field names it."""
    given, _, family = person.name.partition(" ")
    middle = len(family) // 2
    forms = {
        "name": person.name,
        "given": given,
        "family": family or given,
        "upper": person.name.upper(),
        "lower": person.name.lower(),
        "initial": given[0],
        "slip": (family[:middle] + family[middle + 1 :]) if len(family) > 4 else family or given,
    }
    for kind, words in NAME_WAYS.items():
        parts = (forms["slip"],) if kind == "slip" else (given, family)
        yield f"record name, {kind}", words.format(**forms), parts, True
    for kind, words in FREE_WAYS.items():
        yield f"free text name, {kind}", words.format(**forms), (given, family), False
    yield "free text name, own language", person.native, (given, family), False
    if person.inflected:
        yield "record name, own language", person.inflected, (given, family), True
    for kind, words in VALUES.items():
        if value := getattr(person, kind):
            yield kind, words.format(value=value), (value,), False


def _reads(raw: RawTicket, key: bytes, known: KnownWords, region: str, parts: Iterable[str]) -> bool:
    """Whether any of these can be read in what becomes of a ticket."""
    before = len(raw.ticket.events)
    try:
        ticket = pseudonymised(raw, key, known, region)
    except Problem:
        return False
    texts = [*texts_of(replace(ticket, events=ticket.events[before - 1 :]))]
    return any(_is_in(part, text) for part in parts if part for text in texts)


def _is_in(part: str, text: str) -> bool:
    """Whether a text has it: a short one as a word, a longer one however its letters are set apart."""
    if len(squeezed(part)) > 6 or not part[0].isascii():
        return squeezed(part) in squeezed(text)
    return folded(part) in {folded(found[0]) for found in WORD.finditer(text)}


def _clean_figures(key: bytes, known: KnownWords, region: str) -> tuple[int, int, int]:
    """Words of texts without identifiers, how many of them are replaced, and how many hidden."""
    words = replaced = hidden = 0
    for number, line in enumerate(canary_file().clean.strip().split("\n")):
        event = TicketEvent("customer", "message", line)
        raw = RawTicket(SupportTicket(f"clean-{number}", "clean", (event,)), (), "clean")
        made = pseudonymised(raw, key, known, region).events[0]
        words += len(WORD.findall(line))
        hidden += sum(len(WORD.findall(made.text[start:end])) for start, end in made.doubts)
        kept = {folded(one) for one in WORD.findall(made.text)}
        replaced += sum(folded(one) not in kept for one in WORD.findall(line))
    return words, replaced, hidden


def leftovers(
    stored: Iterable[SupportTicket], raws: Sequence[RawTicket], key: bytes
) -> Iterator[tuple[str, str]]:
    """What is still in stored tickets, and in which: by rule, and of each ticket's own fields."""
    values = {Surrogates(key, raw.ticket.id).ticket: raw for raw in raws}
    for ticket in stored:
        for text in texts_of(ticket):
            found = (one[0] for one in EMAIL.finditer(text))
            yield from (("e-mail address", ticket.id) for one in found if not _OURS.search(one))
            yield from (("IBAN", ticket.id) for one in IBAN.finditer(text) if is_iban(one[0]))
            cards = (squeezed(one[0]) for one in CARD.finditer(text) if is_card(one[0]))
            yield from (("card", ticket.id) for one in cards if one not in TEST_CARDS)
        if raw := values.get(ticket.id):
            bare = squeezed("\n".join(texts_of(ticket)))
            yield from (("value of a field", ticket.id) for one in _own_values(raw) if one in bare)


_OURS = re.compile(r"@example\.(?:com|org|net)$", re.IGNORECASE)


def _own_values(raw: RawTicket) -> Iterator[str]:
    """Long values of a ticket's own fields, squeezed."""
    for person in raw.ticket.people:
        if person.who in ("customer", "human"):
            values = (person.name, *person.emails, *person.phones, *person.addresses)
            yield from (one for one in map(squeezed, values) if len(one) > 7)
    yield from (one for one in map(squeezed, raw.numbers) if len(one) > 7)
