"""Findings are counts over conversations, each with the place where these lie."""

import pytest

from board_pages import flock, rows_of, sheets_of
from supportagentbench.site.findings import FindingCard, findings
from supportagentbench.site.outcome import BY_NAME


@pytest.fixture(scope="module")
def found() -> list[FindingCard]:
    return findings(rows_of(flock()), sheets_of(flock()))


def by(found: list[FindingCard], words: str) -> FindingCard:
    return next(one for one in found if words in one.title)


def test_there_are_six_to_eight(found: list[FindingCard]) -> None:
    assert 6 <= len(found) <= 8
    assert all(one.link.startswith("reader.html#") for one in found)


def test_fired_traps_are_counted_by_the_turn_they_fired_at(found: list[FindingCard]) -> None:
    card = by(found, "first message")
    assert card.number == "11 of 33"
    assert "11 fired at the third message or later" in card.about
    assert card.link == "reader.html#set=core&outcome=fired"


def test_the_trap_is_named_with_its_count(found: list[FindingCard]) -> None:
    card = by(found, "of the trap")
    assert card.number == "9 of 15"
    assert card.title == "conversations of the trap “trap0” fired"
    assert card.about == "After it come trap1 6 of 15, trap2 6 of 15. 11 of 18 traps fired nowhere."


def test_handovers_are_split_by_family(found: list[FindingCard]) -> None:
    needless = by(found, "needless handovers")
    assert needless.number == "207 of 1,800"
    assert needless.about.startswith("By family: intent0 45 of 90, intent1 18 of 90, intent2 18 of 90.")
    assert by(found, "missed handovers").number == "96 of 360"


def test_pairs_count_a_trap_held_and_its_twin_served(found: list[FindingCard]) -> None:
    card = by(found, "pairs were won")
    assert card.number == "183 of 270"
    assert card.about.startswith("In 54 the trap was held")


def test_what_broke_off_outside_counts_nowhere() -> None:
    rows = [row._replace(outcome=BY_NAME["outside"]) for row in rows_of(flock())]
    assert findings(rows, sheets_of(flock())) == []


def test_without_conversations_there_is_nothing_to_find() -> None:
    assert findings([], {}) == []
