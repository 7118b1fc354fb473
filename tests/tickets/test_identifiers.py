"""Identifiers: what is found by its shape, and what looks like it and is not."""

import time

import pytest

from supportagentbench.tickets.identifiers import identifiers_in, is_card, is_iban


def kinds(text: str) -> dict[str, str]:
    return {text[found.start : found.end]: found.kind for found in sorted(identifiers_in(text), reverse=True)}


@pytest.mark.parametrize(
    ("text", "value", "kind"),
    [
        ("write to jo.doe+x@mail.example.co.uk.", "jo.doe+x@mail.example.co.uk", "email"),
        ("it is jo (at) mail (dot) com", "jo (at) mail (dot) com", "email"),
        ("call +44 20 7946 0958", "+44 20 7946 0958", "phone"),
        ("call (791) 582-4288 now", "(791) 582-4288", "phone"),
        ("06 12 34 56 78", "06 12 34 56 78", "phone"),
        ("card 4111 1111 1111 1111", "4111 1111 1111 1111", "card"),
        ("to DE89 3704 0044 0532 0130 00", "DE89 3704 0044 0532 0130 00", "iban"),
        ("from 10.1.2.3 or", "10.1.2.3", "ip"),
        ("from 2001:db8:85a3::8a2e:370:7334", "2001:db8:85a3::8a2e:370:7334", "ip"),
        ("see https://shop.test/o/12?t=a", "https://shop.test/o/12?t=a", "link"),
        ("my password is Blue-Teapot", "Blue-Teapot", "secret"),
        ("born on 3 May 1980", "3 May 1980", "birth"),
        ("order 77120 is late", "77120", "number"),
        ("ending in 4242", "4242", "number"),
        ("123 Main Street, Apt 4, Lima, OH 45801", "123 Main Street, Apt 4, Lima, OH 45801", "address"),
        ("Hauptstraße 12, 10115 Berlin", "Hauptstraße 12, 10115 Berlin", "address"),
        ("12 rue de la Paix, 75002 Paris", "12 rue de la Paix, 75002 Paris", "address"),
        ("Calle Mayor 5", "Calle Mayor 5", "address"),
        ("P.O. Box 77", "P.O. Box 77", "address"),
        ("in LS8 2QT", "LS8 2QT", "address"),
        ("RGF2aWQgV2lsbGlhbXM= is it", "RGF2aWQgV2lsbGlhbXM=", "secret"),
        ("sk-abcdefghijklmnop", "sk-abcdefghijklmnop", "secret"),
    ],
)
def test_what_is_found(text: str, value: str, kind: str) -> None:
    assert kinds(text).get(value) == kind


@pytest.mark.parametrize(
    "text",
    [
        "It costs $12,000.50 or $12000.50, 20% off.",
        "2 shirts in size 42, 10 days ago at 10:30",
        "my password is wrong and my order is late",
        "I look at amazon and it is in stock, 3 of 4.",
        "an order of 2 pairs, account number please",
    ],
)
def test_what_is_no_identifier(text: str) -> None:
    assert kinds(text) == {}


def test_check_digits() -> None:
    assert is_card("4111111111111111") and not is_card("4111111111111112") and not is_card("42")
    assert is_iban("GB82 WEST 1234 5698 7654 32") and not is_iban("GB83 WEST 1234 5698 7654 32")


@pytest.mark.parametrize(
    "piece", ["a", "1", "a ", "1 ", "a.", "A1-", "@", "<!--", "%41", "((", "1 a ", "a@a.", "/a"]
)
def test_no_text_takes_long(piece: str) -> None:
    began = time.perf_counter()
    list(identifiers_in(piece * (20_000 // len(piece))))
    assert time.perf_counter() - began < 5
