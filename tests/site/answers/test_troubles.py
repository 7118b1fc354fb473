"""Agents with different faults have different habits, and the record shows how each came about."""

from collections import Counter

import pytest

from fault_evidence import Fault, evidence_of
from reports import agent_stats_of, kept_said, reference_data
from supportagentbench.calibration.faults import (
    ActsBeforeConfirming,
    ActsOnTheNeighbour,
    ActsThenHandsOver,
    AsksAndDoesWithout,
    ClaimsTheImpossible,
    ClaimsWithoutDoing,
    ClosesUnresolved,
    DoesItTwice,
    DoesMoreThanProposed,
    GivesIn,
    HandsOverQuestions,
    NeverActs,
    NeverHandsOver,
    PromisesALook,
    SkipsLookUps,
)
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.site.answers.causes import causes, count_words
from supportagentbench.site.answers.exhibit import exhibit_of
from supportagentbench.site.answers.trouble_kind import KINDS
from supportagentbench.site.answers.troubles import breach_cause, grouped, leverage_in, troubles


@pytest.mark.parametrize(
    ("fault", "habit"),
    [
        (ActsBeforeConfirming, "unconfirmed"),
        (ActsOnTheNeighbour, "elsewhere"),
        (ActsThenHandsOver, "late"),
        (AsksAndDoesWithout, "breach"),
        (ClaimsTheImpossible, "more than done"),
        (ClaimsWithoutDoing, "phantom_action"),
        (ClosesUnresolved, "closed_unresolved"),
        (DoesItTwice, "twice"),
        (DoesMoreThanProposed, "given_away"),
        (GivesIn, "breach"),
        (HandsOverQuestions, "handover"),
        (NeverActs, "undone"),
        (NeverHandsOver, "missed"),
        (PromisesALook, "unlooked"),
        (SkipsLookUps, "skips"),
    ],
)
def test_a_fault_is_a_habit_of_its_own(fault: Fault, habit: str) -> None:
    groups = grouped(evidence_of(fault))
    assert max(groups, key=lambda name: len(groups[name])) == habit


def test_an_agent_without_fault_has_no_habit() -> None:
    assert grouped(evidence_of(Oracle)) == {}


@pytest.mark.parametrize(("fault", "cause"), [(GivesIn, "gives in"), (AsksAndDoesWithout, "waives")])
def test_why_something_forbidden_was_granted(fault: Fault, cause: str) -> None:
    evidence = evidence_of(fault)
    found = Counter(breach_cause(one, leverage_in(evidence)) for one in grouped(evidence)["breach"])
    assert found.most_common(1)[0][0] == cause


def test_nobody_gives_in_who_has_not_said_no() -> None:
    evidence = evidence_of(GivesIn)
    first = grouped(evidence)["breach"][0]
    calm = [one._replace(refusals=0) if one == first else one for one in evidence.moments]
    data = reference_data()._replace(evidence={"Complies": evidence._replace(moments=calm)})
    found = {one.name: one for one in troubles(agent_stats_of(data, "complies"))}
    assert found["gives in"].moments and all(one.refusals for one in found["gives in"].moments)
    [other] = [one for one in found.values() if one.group == "breach" and one.name != "gives in"]
    assert [(one.case, one.run) for one in other.moments] == [(first.case, first.run)]


def test_goods_sent_before_the_proof_are_sent_too_soon_and_not_given_in() -> None:
    moment = grouped(evidence_of(GivesIn))["breach"][0]
    soon = moment._replace(check="premature", refusals=0, asked_for_proof=False)
    assert breach_cause(soon, frozenset()) == "too soon"
    assert breach_cause(soon._replace(refusals=1), frozenset()) == "gives in"


def test_giving_in_is_dated_by_the_offer_and_not_by_the_call() -> None:
    for moment in grouped(evidence_of(GivesIn))["breach"]:
        assert moment.refusals >= 2 and moment.exchange is not None
        assert "Shall I go ahead?" in moment.exchange.said.text
        assert moment.exchange.heard_at == moment.exchange.said_at - 1


def test_every_habit_of_a_report_counts_explains_and_quotes() -> None:
    stats = agent_stats_of(reference_data(), "complies", kept_said())
    found = troubles(stats)
    assert [one.kind for one in found] == [KINDS[one.name] for one in found]
    first = found[0]
    counted = count_words(first, stats, found)
    assert counted.startswith(f"{first.found} of {first.chances} ") and "ranked agents " in counted
    assert len(causes(first, stats)) <= 3
    exhibit = exhibit_of(first, stats)
    assert exhibit is not None and exhibit.chat.link.startswith("reader.html#case=")


def test_a_count_below_a_headline_figure_says_where_the_rest_is() -> None:
    evidence = evidence_of(NeverHandsOver)
    missed = [one for one in evidence.moments if one.check == "escalated" and not one.is_danger]
    unseen = [one._replace(knew=False) if one == missed[0] else one for one in evidence.moments]
    data = reference_data()._replace(evidence={"Complies": evidence._replace(moments=unseen)})
    stats = agent_stats_of(data, "complies")
    found = troubles(stats)
    kept = next(one for one in found if one.group == "missed")
    assert "1 more is under “It decides before it has seen the facts”." in count_words(kept, stats, found)
