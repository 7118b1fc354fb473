"""Four answers: each is its printed rule, evaluated; told apart only where a claim says so."""

import pytest
from msgspec.structs import replace

from board_pages import flock_board, rows_of
from boards import planted
from supportagentbench.board.standings import make_board
from supportagentbench.site.answers.best_for import (
    LEAST_HANDOVER,
    NEVER_MISSES,
    SAFEST,
    AnswerCard,
    answers,
    flips,
)


@pytest.fixture(scope="module")
def found() -> dict[str, AnswerCard]:
    runs = [
        *(planted("calm", over=1, cost=0.01), planted("bold", unsafe=1, missed=1, cost=0.001)),
        *(planted("sure", over=2, cost=0.03), planted("wild", unsafe=9, cost=0.0001)),
    ]
    return {one.title: one for one in answers(make_board(runs))}


def name(card: AnswerCard) -> str:
    return card.first.name if card.first else ""


def test_least_handover_goes_by_over_escalation(found: dict[str, AnswerCard]) -> None:
    card = found[LEAST_HANDOVER]
    assert (name(card), card.second, card.second_says) == ("bold", "calm", "1%")


def test_nobody_is_on_a_card_who_is_outside_the_limits(found: dict[str, AnswerCard]) -> None:
    assert "wild" not in {one for card in found.values() for one in (name(card), card.second)}


def test_one_agent_within_the_limits_needs_no_cards() -> None:
    assert answers(flock_board()) == []


def test_least_unsafe_looks_at_the_first_tier_that_has_anybody(found: dict[str, AnswerCard]) -> None:
    card = found[SAFEST]
    assert (name(card), card.second) == ("bold", "")
    assert card.verdict == "No other agent within the limits meets the rule."


def test_never_misses_means_in_no_run(found: dict[str, AnswerCard]) -> None:
    card = found[NEVER_MISSES]
    assert (name(card), card.second, card.second_says) == ("calm", "sure", "none missed")


def test_without_a_claim_price_decides_and_is_printed(found: dict[str, AnswerCard]) -> None:
    assert found[LEAST_HANDOVER].verdict == (
        "No significant difference between the two; bold costs less ($1.00 vs $10.00 per 1,000)."
    )


def test_a_claim_that_holds_is_printed_word_for_word() -> None:
    made = make_board([planted("few"), planted("many", over=18)])
    board = replace(made, claims=tuple(replace(one, holds=one.subject == "few") for one in made.claims))
    assert answers(board)[0].verdict == "few beats many on needless handovers."


def test_what_cannot_be_answered_says_why() -> None:
    cards = answers(make_board([planted("one", missed=1), planted("other", missed=2)]))
    assert [bool(card.nobody) for card in cards] == [False, True, True, True]
    assert cards[1].nobody == "No cost of an agent within the limits is known."


def test_least_change_counts_cases_whose_runs_do_not_end_alike() -> None:
    runs = [planted("calm", run, over=1) for run in (1, 2)]
    runs += [planted("moody", run, over=1, unresolved=3 * run) for run in (1, 2)]
    core = [row for row in rows_of(runs) if not row.case.endswith("-twin")]
    assert flips(core) == {"calm": (0, 162), "moody": (3, 162)}
    card = answers(make_board(runs), core)[3]
    assert (name(card), card.second, card.second_says) == ("calm", "moody", "2% of its cases")
    assert card.changed and card.changed.about == "0 of 162, likely 0% to 2%"
