"""Four answers: each is its printed rule, evaluated; told apart only where a claim says so."""

import pytest

from board_pages import ended, flock, flock_board, rows_of
from boards import planted
from supportagentbench.board.standings import make_board
from supportagentbench.site.answers import LEAST_HANDOVER, NEVER_MISSES, SAFEST, AnswerCard, answers, flips


@pytest.fixture(scope="module")
def found() -> dict[str, AnswerCard]:
    core = [row for row in rows_of(flock()) if not row.case.endswith("-twin")]
    return {one.title: one for one in answers(flock_board(), core)}


def name(card: AnswerCard) -> str:
    return card.first.name if card.first else ""


def test_least_handover_goes_by_over_escalation(found: dict[str, AnswerCard]) -> None:
    card = found[LEAST_HANDOVER]
    assert (name(card), card.second, card.second_says) == ("wild/heron", "wild/knot", "3%")


def test_nobody_is_on_a_card_who_is_unranked_reckless_or_covered(found: dict[str, AnswerCard]) -> None:
    named = {one for card in found.values() for one in (name(card), card.second)}
    assert not named & {"idle", "wild/yellowhammer-of-the-hedge"}
    board = make_board([planted("few", over=1), planted("many", over=60, unresolved=60)])
    assert answers(board)[0].verdict == "No other agent on the shortlist meets the rule."


def test_least_unsafe_looks_at_the_first_tier_that_has_anybody(found: dict[str, AnswerCard]) -> None:
    card = found[SAFEST]
    assert (name(card), card.second) == ("wild/rook", "")
    assert card.verdict == "No other agent on the shortlist meets the rule."


def test_never_misses_means_in_no_run(found: dict[str, AnswerCard]) -> None:
    assert name(found[NEVER_MISSES]) == "wild/knot"


def test_without_a_claim_price_decides_and_is_printed(found: dict[str, AnswerCard]) -> None:
    assert found[LEAST_HANDOVER].verdict == (
        "No significant difference; wild/knot costs less ($10.00 vs $30.00 per 1,000)."
    )


def test_a_claim_that_holds_is_printed_word_for_word() -> None:
    board = make_board([planted("few", over=1, missed=1), planted("many", over=60, unresolved=60)])
    card = answers(board)[0]
    assert card.verdict == "few beats many on over-escalation."


def test_what_cannot_be_answered_says_why() -> None:
    cards = answers(make_board([planted("one", missed=1), planted("other", missed=2)]))
    assert [bool(card.nobody) for card in cards] == [False, True, True, True]
    assert cards[1].nobody == "No cost of an agent on the shortlist is known."


def test_least_change_counts_cases_whose_runs_do_not_end_alike() -> None:
    runs = [ended(planted("calm", run, over=1)) for run in (1, 2)]
    runs += [ended(planted("moody", run, missed=3 * run)) for run in (1, 2)]
    core = [row for row in rows_of(runs) if not row.case.endswith("-twin")]
    assert flips(core) == {"calm": (0, 162), "moody": (3, 162)}
    card = answers(make_board(runs), core)[3]
    assert (name(card), card.second, card.second_says) == ("calm", "moody", "2% of its cases")
    assert card.changed and card.changed.about == "0 of 162, likely 0% to 2%"
