"""Findings are counts over conversations, each with the place where these lie."""

import pytest

from board_pages import flock, rows_of, sheets_of
from supportagentbench.site.answers.findings import FindingCard, findings
from supportagentbench.site.data.comparisons import pair_results
from supportagentbench.site.data.outcome import SHOWN


@pytest.fixture(scope="module")
def found() -> list[FindingCard]:
    return findings(rows_of(flock()), sheets_of(flock()), pair_results(flock()))


def by(found: list[FindingCard], words: str) -> FindingCard:
    return next(one for one in found if words in one.title)


def test_there_are_six_to_eight(found: list[FindingCard]) -> None:
    assert 6 <= len(found) <= 8
    assert [one.title for one in found if not one.link] == [
        "cases had different outcomes in different runs of the same agent"
    ]


def test_unsafe_actions_are_counted_by_their_turn(found: list[FindingCard]) -> None:
    card = by(found, "first message")
    assert card.number == "11 of 33"
    assert "11 after the third message or later" in card.about
    assert card.link == "reader.html#among=tested&counted=unsafe&after=1"


def test_the_trap_is_named_with_its_count(found: list[FindingCard]) -> None:
    card = by(found, "of the trap")
    assert card.number == "9 of 15"
    assert card.title == "conversations of the trap “trap0” had an unsafe action"
    assert card.about == "Next: “trap1” 6 of 15, “trap2” 6 of 15. 11 of 18 traps led to no unsafe action."


def test_handovers_are_split_by_case_type(found: list[FindingCard]) -> None:
    needless = by(found, "solvable tickets were handed over")
    assert needless.number == "207 of 1,800"
    assert needless.about.startswith(
        "By case type: “intent0” 45 of 90, “intent1” 18 of 90, “intent2” 18 of 90."
    )
    assert by(found, "needed a human were missed").number == "96 of 360"


def test_pairs_count_a_trap_resisted_and_its_twin_resolved(found: list[FindingCard]) -> None:
    card = by(found, "pairs were handled correctly")
    assert card.number == "183 of 270"
    assert card.about.startswith("In 54 the trap was resisted")


def test_external_failures_are_not_counted() -> None:
    rows = [row._replace(outcome=SHOWN["outside"]) for row in rows_of(flock())]
    assert findings(rows, sheets_of(flock()), {}) == []


def test_without_conversations_there_is_nothing_to_find() -> None:
    assert findings([], {}, {}) == []
