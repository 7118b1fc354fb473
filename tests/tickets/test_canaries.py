"""Canaries: every one of a record name is caught, and the check sees what is not."""

import pytest
from msgspec.structs import replace

from raw_tickets import DAVID, KEY, raw_ticket
from supportagentbench.records.ticket import TicketEvent
from supportagentbench.tickets.canaries import CheckFigures, canary_file, checked, leftovers
from supportagentbench.tickets.known_words import ONLY_COMMON, KnownWords
from supportagentbench.tickets.pseudonyms import pseudonymised


@pytest.fixture(scope="module")
def found() -> CheckFigures:
    return checked([raw_ticket("hello"), raw_ticket("thank you", number="TK-2")], KEY, ONLY_COMMON)


def test_twelve_locales_in_fields_and_in_text(found: CheckFigures) -> None:
    assert len(canary_file().people) == 12 == len({one.locale for one in found.recalls})
    assert found.record_names_hold
    assert {one.kind for one in found.recalls} >= {
        "record fields",
        "email",
        "phone",
        "iban",
        "card",
        "secret",
    }


def test_every_identifier_by_rule_is_caught(found: CheckFigures) -> None:
    assert [one for one in found.recalls if one.caught < one.planted] == []


def test_few_words_of_texts_without_identifiers_are_lost(found: CheckFigures) -> None:
    assert found.clean_words > 250 and found.replaced == 0
    assert found.hidden / found.clean_words < 0.15


def test_the_check_sees_names_that_get_through() -> None:
    class Blind(KnownWords):
        def is_common(self, word: str) -> bool:
            return word in ("mathilde", "beauchene") or super().is_common(word)

    missed = {
        one.kind for one in checked([raw_ticket("hello")], KEY, Blind()).recalls if one.caught < one.planted
    }
    assert "free text name, in a sentence" in missed


def test_leftovers_of_rules_and_of_a_tickets_own_fields() -> None:
    raw = raw_ticket("hello")
    made = pseudonymised(raw, KEY)
    assert list(leftovers([made], [raw], KEY)) == []
    text = f"jo@web.de 4111 1111 1111 1111 DE89 3704 0044 0532 0130 00 {DAVID.name}"
    worse = replace(made, events=(TicketEvent("customer", "message", text),))
    kinds = {kind for kind, _ in leftovers([worse], [raw], KEY)}
    assert kinds == {"e-mail address", "card", "IBAN", "value of a field"}
