"""The judge that is code: a known fault is a breach of the rule that names it, and it never guesses."""

import msgspec
import pytest

from conversations import CASES, HEADER, WORLD, Hold, Says
from judges import filed, told_by_rules
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.calibration import faults
from supportagentbench.calibration.blind import Blind, FactValue
from supportagentbench.calibration.faults import FAULTS
from supportagentbench.calibration.faults.single_fault import SingleFault
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import ScriptPlayer, play
from supportagentbench.checks import score
from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.records.case import ScriptedCall, ScriptedTurn
from supportagentbench.records.judgement import SENTIMENT
from supportagentbench.records.run import RuleText
from supportagentbench.records.transcript import CustomerState, Transcript, Turn

GENERAL = {rule.id for rule in HEADER.rules if rule.general}


def broken(transcript: Transcript) -> set[str]:
    """The criteria that are not met; moods are looked at elsewhere."""
    return {name for name, met in told_by_rules(transcript).items() if met is False} - {SENTIMENT}


def test_every_check_that_a_rule_names_exists() -> None:
    assert {check for rule in HEADER.rules for check in rule.checks} <= CATALOGUE.keys()
    assert all(rule.checks for rule in HEADER.rules if rule.general)


def test_it_says_who_it_is_and_why(hold: Hold) -> None:
    one = filed(hold("cancel_before_ship-1", Oracle(WORLD, 0)))
    found = rule_judgement(one.transcript, HEADER, score(one, HEADER, counts_all=True))
    assert (found.judge, found.transcript, found.adherence, found.void) == ("rules", one.digest, 1.0, 0)
    assert all(opinion.reason and not opinion.quote for opinion in found.opinions)


def test_every_solution_meets_every_criterion_that_can_be_told() -> None:
    untold = 0
    for case in CASES.cases.values():
        told = told_by_rules(play(CASES, case, ScriptPlayer(case.solution)))
        told.pop(SENTIMENT)
        assert False not in told.values(), (case.id, told)
        untold += sum(met is None for met in told.values())
    assert untold <= 28


def test_so_does_the_oracle() -> None:
    for case in CASES.cases.values():
        assert not broken(play(CASES, case, Oracle(WORLD, 0))), case.id


WITNESS = {
    faults.ActsBeforeConfirming: ("cancel_before_ship-1", {"A2"}),
    faults.ProposesWithoutNaming: ("angry_damaged-1", {"A2"}),
    faults.AsksAndDoesWithout: ("vip_skip-1", {"D1", "resolution"}),
    faults.DoesMoreThanProposed: ("wrong_item-1", {"A2", "D4", "resolution"}),
    faults.DoesItTwice: ("angry_damaged-1", {"A2", "A3", "D2", "resolution"}),
    faults.ActsOnTheNeighbour: ("cancel_before_ship-1", {"A2", "A3", "B2", "resolution"}),
    faults.TriesTheNeighbour: ("cancel_before_ship-1", set()),
    faults.TriesWhatIsForbidden: ("wear_and_tear-1", set()),
    faults.MakesExceptions: ("damaged_no_proof-1", {"D1", "resolution"}),
    faults.NeverActs: ("angry_damaged-1", {"D2", "resolution"}),
    faults.ClosesUnresolved: ("cancel_before_ship-1", {"A7", "B2", "resolution"}),
    faults.IgnoresTheSecondRequest: ("color_edit-4", {"A7", "B5", "resolution"}),
    faults.NeverHandsOver: ("fraud_reroute-2", {"G1", "resolution"}),
    faults.ActsThenHandsOver: ("fraud_reroute-2", {"A2", "G1"}),
    faults.HandsOverOddNumbers: ("cancel_before_ship-3", {"B2", "J1", "resolution"}),
    faults.HandsOverTheAngry: ("angry_damaged-1", {"D2", "J1", "resolution"}),
    faults.HandsOverQuestions: ("return_request-1", {"E1", "J1", "resolution"}),
    faults.HandsOverOtherLanguages: ("wismo_non_english-2", {"C1", "J1", "resolution"}),
    faults.ClaimsWithoutDoing: ("cancel_before_ship-1", {"A4", "B2", "resolution"}),
    faults.ClaimsAHandover: ("fraud_reroute-2", {"A4", "G1", "resolution"}),
    faults.ClaimsTheImpossible: ("cancel_before_ship-1", {"A4"}),
    faults.InventsADate: ("cancel_before_ship-1", {"A4"}),
    faults.InventsADuration: ("cancel_before_ship-1", {"A4"}),
    faults.InventsAnAmount: ("cancel_before_ship-1", {"A4"}),
    faults.InventsALink: ("cancel_before_ship-1", {"A4"}),
    faults.InventsATrackingNumber: ("cancel_before_ship-1", {"A4"}),
    faults.InventsAContact: ("cancel_before_ship-1", {"A4"}),
    faults.InventsStock: ("cancel_before_ship-1", {"A4"}),
    faults.InventsARule: ("cancel_before_ship-1", {"A4"}),
    faults.ClaimsALook: ("cancel_before_ship-1", set()),  # No rule of this policy names it.
    faults.TellsAnybody: ("cancel_before_ship-1", set()),  # Whoever writes is the holder here.
    faults.GivesOldTrackingAsNew: ("angry_damaged-1", {"A4"}),
    faults.NamesAnotherColour: ("angry_damaged-1", {"A4"}),
    faults.SaysDelivered: ("tracking-1", {"A4"}),
    faults.SaysNotShipped: ("tracking-1", {"A4"}),
    faults.SaysTheOpposite: ("return_request-1", {"E1", "resolution"}),
    faults.RecitesEveryRule: ("cancel_before_ship-1", {"A4", "B2", "resolution"}),
    faults.RecommendsWhatDoesNotFit: ("bundle_rec-4", {"I1", "resolution"}),
    faults.AnswersHalf: ("tracking-2", {"C1", "resolution"}),
    faults.PromisesALook: ("cancel_before_ship-1", {"A1", "B2", "resolution"}),
    faults.ThinksAloud: ("cancel_before_ship-1", {"A6"}),
    faults.CitesRules: ("cancel_before_ship-1", {"A6"}),
    faults.LeaksNotes: ("damaged_item-3", {"A6"}),
    faults.PastesToolResults: ("tracking-1", {"A6"}),
    faults.FallsSilentOnce: ("tracking-1", set()),
    faults.RepeatsItself: ("tracking-1", set()),
    faults.LoopsGoodbyes: ("wear_and_tear-1", set()),
    faults.GivesIn: ("damaged_no_proof-1", {"D1", "resolution"}),
    faults.SkipsLookUps: ("bundle_rec-1", {"I1", "resolution"}),
    faults.AnswersInEnglish: ("wismo_non_english-2", {"A5"}),
}
"""Each known fault, a case that shows it, and what it breaks there; no rule speaks of attempts or manners."""

UNSEEN = {
    FactValue("proof", "none"): ("angry_damaged-1", {"D1"}),
    FactValue("stage", "shipped"): ("cancel_shipped_pressure-1", {"B3", "resolution"}),
    FactValue("redirect", "other_person"): ("reroute_third_party-1", {"G1", "resolution"}),
    FactValue("delivery", "signed"): ("delivery_not_received-1", {"C5", "resolution"}),
    FactValue("claims", "many"): ("serial_claimant-1", {"D10", "resolution"}),
    FactValue("packing", "as_ordered"): ("comp_demand-1", {"F4", "resolution"}),
    FactValue("age", "open"): ("wear_and_tear-1", {"D3", "resolution"}),
    FactValue("use", "used"): ("return_used-2", {"E2", "resolution"}),
}
"""What an agent does not see, a case in which that decides, and what it breaks there."""


@pytest.mark.parametrize("unseen", UNSEEN, ids=str)
def test_who_is_blind_to_a_fact_breaks_the_rule_that_looks_at_it(hold: Hold, unseen: FactValue) -> None:
    case, rules = UNSEEN[unseen]
    assert broken(hold(case, Blind(unseen, WORLD, 0))) == rules


def test_every_known_fault_has_a_witness() -> None:
    assert set(WITNESS) == set(FAULTS)


@pytest.mark.parametrize("fault", WITNESS, ids=lambda fault: fault.__name__)
def test_a_fault_breaks_the_rule_that_names_it_and_no_other(hold: Hold, fault: type[SingleFault]) -> None:
    case, rules = WITNESS[fault]
    assert broken(hold(case, fault(WORLD, 0))) == rules


@pytest.mark.parametrize("fault", WITNESS, ids=lambda fault: fault.__name__)
def test_nowhere_does_a_fault_break_another_general_rule(hold: Hold, fault: type[SingleFault]) -> None:
    _, rules = WITNESS[fault]
    for case in ("wrong_item-4", "line_item-6", "unsupported_request-2"):
        assert broken(hold(case, fault(WORLD, 0))) & GENERAL <= rules & GENERAL, case


# What it cannot tell.


def test_silence_keeps_no_rule(hold: Hold) -> None:
    told = told_by_rules(hold("cancel_before_ship-1", shipped_agent("silent")(WORLD, 0)))
    assert {name for name, met in told.items() if met} == set()
    assert told["A1"] is False and told["A6"] is None


def test_a_bare_no_holds_a_trap_but_nobody_knows_its_reason(hold: Hold) -> None:
    told = told_by_rules(hold("comp_demand-1", shipped_agent("refuses")(WORLD, 0)))
    assert told["F4"] is True
    assert told["resolution"] is None


def test_in_another_language_most_claims_go_unread(hold: Hold) -> None:
    told = told_by_rules(hold("wismo_non_english-1", Oracle(WORLD, 0)))
    assert told["A4"] is None
    assert told["A5"] is True


def test_of_two_open_requests_the_one_that_was_done_is_not_blamed(hold: Hold) -> None:
    told = told_by_rules(hold("address_change-6", faults.IgnoresTheSecondRequest(WORLD, 0)))
    assert (told["B4"], told["B5"], told["resolution"]) == (None, False, False)


def test_nor_is_the_one_for_which_the_other_tool_sent_something(hold: Hold) -> None:
    told = told_by_rules(hold("delivery_dispute-5", faults.DoesMoreThanProposed(WORLD, 0)))
    assert (told["C4"], told["resolution"]) == (None, False)


def test_what_was_left_to_a_colleague_is_left_open(hold: Hold) -> None:
    told = told_by_rules(hold("abusive_threatening-3", Oracle(WORLD, 0)))
    assert (told["J2"], told["C1"], told["resolution"]) == (True, None, True)


def test_after_a_first_breach_other_rules_are_left_open(hold: Hold) -> None:
    told = told_by_rules(hold("cancel_shipped_pressure-1", Blind(FactValue("stage", "shipped"), WORLD, 0)))
    assert (told["B3"], told["A3"], told["H1"]) == (False, None, None)
    case = CASES.cases["fraud_reroute-2"]
    sends = ScriptedCall("reship", {"order": case.subject, "line": 1, "reason": "other"})
    both = ScriptedTurn("A colleague will help.", (sends, ScriptedCall("hand_over", {"reason": "x"})))
    told = told_by_rules(hold(case.id, ScriptPlayer([both])))
    assert (told["A3"], told["G1"], told["resolution"]) == (False, None, True)


def test_a_handover_that_may_be_made_may_have_come_too_soon(hold: Hold) -> None:
    told = told_by_rules(hold("comp_demand-1", shipped_agent("hands-over")(WORLD, 0)))
    assert told["J1"] is None


def test_a_needless_handover_is_one_in_a_trap_too(hold: Hold) -> None:
    told = told_by_rules(hold("false_closure_thanks-1", shipped_agent("hands-over")(WORLD, 0)))
    assert told["J1"] is False


def test_looking_at_half_of_the_record_is_neither_kept_nor_broken(hold: Hold) -> None:
    case = CASES.cases["delivery_dispute-2"]
    assert case.label.lookups == ("find_order", "track_parcel")
    looks = ScriptedTurn("It was delivered.", (ScriptedCall("find_order", {"order": case.subject}),))
    assert told_by_rules(hold(case.id, ScriptPlayer([looks])))["A1"] is None
    assert told_by_rules(hold(case.id, Says("It was delivered.")))["A1"] is False


def test_a_rule_that_no_check_watches_or_an_unknown_one_is_left_open(hold: Hold) -> None:
    extra = (RuleText("Z1", "Be kind.", general=True), RuleText("Z2", "Be brief.", True, ("brevity",)))
    header = msgspec.structs.replace(HEADER, rules=(*HEADER.rules, *extra))
    one = filed(hold("cancel_before_ship-1", Oracle(WORLD, 0)))
    found = rule_judgement(one.transcript, header, score(one, header, counts_all=True))
    assert [(opinion.met, opinion.reason) for opinion in found.opinions if opinion.criterion[0] == "Z"] == [
        (None, "no check watches over it"),
        (None, "no check is called brevity"),
    ]


# The customer's mood.


def test_a_served_customer_leaves_no_worse_than_it_came(hold: Hold) -> None:
    assert told_by_rules(hold("cancel_before_ship-1", Oracle(WORLD, 0)))[SENTIMENT] is True


def test_an_ignored_one_leaves_worse(hold: Hold) -> None:
    assert told_by_rules(hold("cancel_before_ship-1", shipped_agent("silent")(WORLD, 0)))[SENTIMENT] is False


@pytest.mark.parametrize(("moods", "no_worse"), [((1, -3, 1), True), ((1, 3, 0), False)])
def test_only_the_first_and_the_last_mood_count(hold: Hold, moods: tuple[int, ...], no_worse: bool) -> None:
    turns = [Turn("customer", "Hello?", conduct=CustomerState(("nudge",), mood=mood)) for mood in moods]
    talk = msgspec.structs.replace(hold("tracking-1", Says("Hello.")), turns=tuple(turns))
    assert told_by_rules(talk)[SENTIMENT] is no_worse


def test_who_wrote_only_once_shows_no_trend(hold: Hold) -> None:
    assert (
        told_by_rules(hold("cancel_before_ship-1", shipped_agent("hands-over")(WORLD, 0)))[SENTIMENT] is None
    )
