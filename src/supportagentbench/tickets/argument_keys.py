"""Argument keys: what the key of an argument says of its value, by whole words and not by parts of words."""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any

from supportagentbench.records.ticket import TicketPerson
from supportagentbench.tickets.desk_words import key_parts, parts_of
from supportagentbench.tickets.word_lists import words

_HIDDEN = words(
    "pin cvv cvc password passwort passcode passphrase pwd secret token otp exp expiry expiration dob birth "
    "birthday birthdate ssn lat lng lon latitude longitude first last guest line1 line2 street city zip "
    "postcode postal town firstname lastname zipcode"
)
_LEARNT = {"name": words("first last guest firstname lastname"), "addresses": words("street city line1 town")}
"""Hidden by their key, and looked for in texts."""
_AMOUNTS = words("amount price total quantity count year")
_TIMES = words("at date time timestamp since until created updated")
_PERSONAL = {
    "emails": words("email emails mail emailaddress"),
    "phones": words("phone phones mobile telephone telefon tel cell fax phonenumber"),
    "addresses": words("address addresses"),
    "ids": words("username userid login account customerid member card iban passport"),
    "name": words("name names fullname surname nickname recipient contact"),
}
_THINGS = words("product item file tool category brand order")
"""Words for things that have names but are not people."""


@lru_cache(1 << 12)
def is_hidden(key: str) -> bool:
    """Whether the value is always hidden."""
    return bool(key_parts(key) & _HIDDEN)


@lru_cache(1 << 12)
def is_amount(key: str) -> bool:
    """Whether the value is an amount or a count."""
    return bool(key_parts(key) & _AMOUNTS) and not personal(key)


@lru_cache(1 << 12)
def is_time(key: str) -> bool:
    """Whether the value is a moment."""
    return bool(key_parts(key) & _TIMES)


@lru_cache(1 << 12)
def personal(key: str) -> str:
    """The field of a person that the value belongs to; empty: none."""
    parts = key_parts(key)
    field = next((field for field, cues in _PERSONAL.items() if parts & cues), "")
    if field == "name" and parts & _THINGS:
        return ""
    return field or ("name" if parts_of(key) == ["customer"] else "")


def people_in(value: Any, key: str = "") -> Iterator[TicketPerson]:
    """The people in fields of an act's arguments."""
    if isinstance(value, dict):
        for name, inner in value.items():
            yield from people_in(inner, str(name))
    elif isinstance(value, list | tuple):
        for inner in value:
            yield from people_in(inner, key)
    elif isinstance(value, str | int) and not isinstance(value, bool):
        learnt = (field for field, cues in _LEARNT.items() if key_parts(key) & cues)
        field = personal(key) or next(learnt, "")
        if field:
            told: dict[str, Any] = {field: str(value) if field == "name" else (str(value),)}
            yield TicketPerson("customer", **told)
