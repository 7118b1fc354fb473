"""Words of a real ticket as the text of a case."""

from datetime import date

from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.shadow.placeholders import with_placeholders

WORDS = {"order": "#4218", "number": "4218", "item": "Halden Check-In 92", "first": "Ida", "size": "M"}
TODAY = date(2026, 6, 29)


def test_what_is_drawn_becomes_a_placeholder() -> None:
    said = with_placeholders("My HALDEN check-in 92 of #4218 (or 4218), size M. Ida", WORDS)
    assert said == "My {item} of {order} (or {number}), size M. {first}"


def test_only_whole_words_are_replaced() -> None:
    assert with_placeholders("Idaho, 42180", WORDS) == "Idaho, 42180"


def test_days_are_days_from_today_if_they_are_near() -> None:
    assert with_placeholders("It came on 16 June.", {}, TODAY) == "It came on {day-13}."
    assert with_placeholders("on June 30 and on 3 March 2021", {}, TODAY) == "on {day+1} and on 3 March 2021"


@given(st.text(max_size=80))
def test_no_words_of_a_customer_are_a_placeholder(text: str) -> None:
    said = with_placeholders(text, {})
    assert "{" not in said and "}" not in said and len(said) == len(text)
