"""Surrogates: from ranges that belong to nobody, always the same, and of the same kind."""

import re

import pytest

from supportagentbench.tickets.identifiers import is_card, is_iban
from supportagentbench.tickets.surrogates import TEST_CARDS, Surrogates

MADE = Surrogates(b"k" * 32, "t-1")


@pytest.mark.parametrize(
    ("text", "pattern"),
    [
        ("(791) 582-4288", r"\(\d{3}\) 555-01\d\d"),
        ("+1 415 867 2290", r"\+1 \(\d{3}\) 555-01\d\d"),
        ("+44 20 7946 0958", r"\+44 1632 960\d{3}"),
        ("0049 171 5529034", r"\+49 30 23125 \d{3}"),
        ("+33 6 71 42 88 19", r"\+33 6 39 98 \d\d \d\d"),
        ("+81 90 2284 7719", r"\+1 \(\d{3}\) 555-01\d\d"),
    ],
)
def test_a_phone_is_of_a_range_that_is_never_given(text: str, pattern: str) -> None:
    assert re.fullmatch(pattern, MADE.phone(text))


def test_mail_goes_nowhere_and_cards_and_accounts_pay_nothing() -> None:
    assert re.fullmatch(r"[a-z]+\d{4}@example\.(com|org|net)", MADE.email("Jö@web.de"))
    card = MADE.of("card", "4539 1488 0343 6467")
    assert card.replace(" ", "") in TEST_CARDS and card.count(" ") == 3 and is_card(card)
    iban = MADE.of("iban", "DE89 3704 0044 0532 0130 00")
    assert iban.startswith("DE00 ") and not is_iban(iban)
    assert MADE.of("ip", "84.1.2.3").startswith("192.0.2.") and MADE.of("ip", "fe80::1").startswith(
        "2001:db8::"
    )


def test_a_number_has_the_same_shape_and_is_another() -> None:
    for text in ("ORD-48213-X", "482139", "#7712", "A1b2-00"):
        made = MADE.shaped(text)
        assert made != text and len(made) == len(text)
        assert [one.isdigit() for one in made] == [one.isdigit() for one in text]
    assert MADE.shaped("ORD-48213").startswith("ORD-")
    assert MADE.shaped("AB 12345").replace(" ", "") == MADE.shaped("AB12345")


def test_a_name_is_of_the_same_script_and_case() -> None:
    assert re.fullmatch(r"[А-ЯЁ][а-яё]+", MADE.name("given", "Серафима"))
    assert re.fullmatch(r"[\u4e00-\u9fff]+", MADE.name("family", "欧阳"))
    assert MADE.name("given", "THEO").isupper() and MADE.name("given", "theo").islower()
    assert MADE.name("given", "Teho", "Theo") == MADE.name("given", "Theo")


def test_a_street_is_the_same_with_and_without_its_town() -> None:
    whole = MADE.address("8815 Primrose Street, San Lima, CA 94111")
    assert whole.startswith(MADE.address("8815 primrose St.") + ", ") and "94111" not in whole


def test_a_birthday_is_another_day_and_other_dates_move_by_weeks() -> None:
    assert MADE.of("birth", "1980-05-03") != "1980-05-03"
    assert MADE.of("date", "1980-05-03") != MADE.of("birth", "1980-05-03")
    assert (
        MADE.weeks != Surrogates(b"k" * 32, "t-2").weeks or MADE.weeks != Surrogates(b"k" * 32, "t-3").weeks
    )


def test_another_key_gives_something_else() -> None:
    other = Surrogates(b"x" * 32, "t-1")
    for kind, text in (
        ("email", "a@b.de"),
        ("own", "48213977"),
        ("address", "1 Elm Street"),
        ("link", "https://a.b/c"),
    ):
        assert MADE.of(kind, text) != other.of(kind, text)  # type: ignore[arg-type]
