"""`read_policy` over a handbook: one section, or the few passages that have the words."""

import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from conversations import CASES
from supportagentbench.desk.session import DeskSession
from supportagentbench.records.transcript import ToolResult
from supportagentbench.world.handbook_search import MOST_OF_A_SECTION, MOST_PASSAGES


def read(**arguments: Any) -> ToolResult:
    case = CASES.cases["tracking-1"]
    return DeskSession(CASES.desk_for(case, "email", "handbook")).open_turn().call("read_policy", arguments)


def titles_found(search: str, **arguments: Any) -> list[str]:
    found = json.loads(read(search=search, **arguments).text)
    return [passage["section"] for passage in found["passages"]]


@pytest.mark.parametrize(
    "asked", ["9", "9. Cancelling an order", "cancelling AN order", "Section 9", "cancell"]
)
def test_a_section_is_opened_by_number_title_or_words_of_its_title(asked: str) -> None:
    assert json.loads(read(section=asked).text)["text"].startswith("# 9. Cancelling an order\n")


def test_a_title_that_is_part_of_another_opens_its_own_section() -> None:
    assert json.loads(read(section="Returns").text)["text"].startswith("# 23. Returns\n")


def test_nothing_asked_for_is_answered_with_the_contents() -> None:
    listed = json.loads(read().text)["text"].splitlines()
    assert listed[0] == "1. About this handbook" and len(listed) == 35


def test_what_the_shop_shows_with_a_text_comes_with_its_section() -> None:
    assert json.loads(read(section="Promotion codes").text)["promotions"]
    assert "promotions" not in json.loads(read(section="Used goods").text)


@pytest.mark.parametrize(
    ("search", "title"),
    [
        ("cancel shipped order", "9. Cancelling an order"),
        ("parcel signed for by somebody", "15. Parcels that never arrived"),
        ("freight forwarder address", "12. Addresses that are a warning sign"),
        ("hold on the card", "28. Charges, holds and double captures"),
    ],
)
def test_words_find_their_section(search: str, title: str) -> None:
    assert title in titles_found(search)


def test_a_search_is_bounded_and_not_all_from_one_section() -> None:
    found = titles_found("customer order parcel goods colleague photo days return address")
    assert len(found) == MOST_PASSAGES
    assert max(map(found.count, found)) <= MOST_OF_A_SECTION


def test_a_search_within_a_section_stays_there() -> None:
    assert set(titles_found("photo", section="Damaged goods")) == {"18. Damaged goods"}


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ({"section": "dragons"}, "no section 'dragons'"),
        ({"section": "99"}, "no section '99'"),
        ({"search": "xyzzy"}, "No passage has any of these words"),
        ({"section": "x" * 100_000}, "no section"),
    ],
)
def test_what_is_not_there_is_a_short_no(arguments: dict[str, str], words: str) -> None:
    result = read(**arguments)
    assert not result.ok and words in result.text and len(result.text) < 600


@given(st.text(max_size=60), st.text(max_size=60))
def test_whatever_is_asked_an_answer_comes_back(section: str, search: str) -> None:
    assert len(read(section=section, search=search).text) < 10_000
