"""Whether a customer was told what a case requires: right, wrong, missing, or undecided by code."""

import pytest

from conversations import Hold, Says, judged
from supportagentbench.calibration.faults.telling import RecitesEveryRule, SaysTheOpposite
from supportagentbench.calibration.prove import ScriptPlayer
from supportagentbench.records.case import ScriptedCall, ScriptedTurn
from supportagentbench.records.finding import Finding
from supportagentbench.world.drawn_cases import DrawnCases

HANDS_OVER = ScriptedTurn("A colleague will see to it.", (ScriptedCall("hand_over", {"reason": "used"}),))


def resolved(hold: Hold, case: str, *words: str) -> Finding:
    found = judged(hold(case, Says(*words))).of("resolved")
    assert found is not None
    return found


def test_a_statement_told_in_words_nobody_listed_is_not_told_by_code(hold: Hold) -> None:
    found = resolved(hold, "duplicate_charge-1", "Rest assured, nothing has left your account but the price.")
    assert found.value is None
    assert found.reason == "undecided by code: that the second entry is only a hold"


@pytest.mark.parametrize(
    ("case", "words", "reason"),
    [
        ("duplicate_charge-1", "It is not a hold. We took the money twice.", "said the opposite of"),
        ("return_request-1", "The 100 days are over, so we can't take it back.", "said the opposite of"),
        ("return_used-1", "You can return it, the refund follows by itself.", "said the opposite of"),
        ("wismo_unfulfilled-6", "Processing takes 5-7 business days.", "said the opposite of"),
        ("bundle_rec-4", "I'd recommend the Ennerby Insulated Vest at $120.00.", "said the opposite of"),
        (
            "tracking-2",
            "Your parcel is with the carrier, have patience.",
            "never mentioned the tracking number",
        ),
        ("bundle_rec-1", "Have a look around our shop!", "never mentioned the name of a product"),
    ],
)
def test_the_opposite_is_wrong_and_a_name_that_never_came_is_missing(
    hold: Hold, case: str, words: str, reason: str
) -> None:
    found = resolved(hold, case, words)
    assert found.value is False and found.reason.startswith(reason)


def test_the_opposite_is_quoted_at_its_turn(hold: Hold) -> None:
    found = resolved(hold, "duplicate_charge-1", "Good morning!", "We charged you twice.")
    assert (found.turns, found.quote) == ((3,), "charged you twice")


@pytest.mark.parametrize(
    ("case", "words"),
    [
        ("return_used-4", "Since you've been using it daily, it can't be returned."),
        ("return_used-6", "It has been in use for a fortnight, and only unused goods can be returned. "
                          "The Nettlecombe City Sling 6 fits a tablet."),
        ("return_request-4", "Yes, you can send it back: open the order page in your account."),
    ],
)  # fmt: skip
def test_other_words_for_the_same_are_right(hold: Hold, case: str, words: str) -> None:
    assert resolved(hold, case, words).value is True


def test_whoever_says_both_is_not_decided_by_code(hold: Hold) -> None:
    found = resolved(hold, "duplicate_charge-1", "We charged you twice. Sorry, it is only a hold.")
    assert found.value is None and found.reason.startswith("said both sides")


def test_a_side_question_of_the_opening_is_part_of_the_answer(hold: Hold, cases: DrawnCases) -> None:
    waits = "Order {} hasn't shipped yet. Processing takes 1-2 business days.".format(
        cases.cases["gift_deadline-5"].subject
    )
    assert resolved(hold, "gift_deadline-5", waits).value is None
    assert resolved(hold, "gift_deadline-5", f"{waits} We have no gift wrap.").value is True
    assert resolved(hold, "gift_deadline-5", f"{waits} I have it gift-wrapped for you.").value is False


def test_every_rule_recited_in_a_block_tells_nothing(hold: Hold, cases: DrawnCases) -> None:
    verdict = judged(hold("duplicate_charge-1", RecitesEveryRule(cases.world, 0)))
    found = verdict.of("resolved")
    assert found is not None and found.value is None


def test_silence_and_a_needless_handover_tell_nothing(hold: Hold) -> None:
    assert resolved(hold, "duplicate_charge-1", "").value is False


def test_closing_where_code_cannot_tell_is_no_breach_yet(hold: Hold, cases: DrawnCases) -> None:
    mistake = cases.cases["duplicate_charge-5"].mistake
    found = judged(hold("duplicate_charge-5", ScriptPlayer(mistake))).of("closed_unresolved")
    assert found is not None and found.value is None


def test_the_opposite_of_all_that_must_be_told_resolves_next_to_nothing(
    hold: Hold, cases: DrawnCases
) -> None:
    english = [case for case in cases.named("core") if case.brief.language == "en"]
    told = [case for case in english if case.bucket == "resolvable" and case.label.outcomes[0].tells]
    wrong = [judged(hold(case.id, SaysTheOpposite(cases.world, 0))).of("resolved") for case in told]
    assert sum(one is not None and one.value is True for one in wrong) <= len(told) / 10


def test_details_given_to_somebody_who_threatens_make_the_handover_late(
    hold: Hold, cases: DrawnCases
) -> None:
    case = cases.cases["abusive_threatening-3"]
    right = judged(hold(case.id, ScriptPlayer(case.solution))).of("late_handover")
    told = ScriptedTurn(case.mistake[0].says, case.solution[0].calls)
    late = judged(hold(case.id, ScriptPlayer([told]))).of("late_handover")
    assert right is not None and right.value is False
    assert late is not None and late.value is True and "tracking" in late.reason


def test_a_needless_handover_shows_in_a_trap_too(hold: Hold) -> None:
    verdict = judged(hold("used_item-1", ScriptPlayer([HANDS_OVER])))
    needless = verdict.of("over_escalated")
    assert needless is not None and needless.value is True
