"""The conversation that a report shows for a habit shows the cause that its heading names."""

import re
from collections.abc import Collection

import pytest

from fault_evidence import Fault, evidence_of
from reports import agent_stats_of, reference_data
from supportagentbench.calibration.faults import (
    ActsThenHandsOver,
    HandsOverTheAngry,
    MakesExceptions,
    NeverHandsOver,
    TriesWhatIsForbidden,
)
from supportagentbench.records.transcript import Turn
from supportagentbench.site.answers.exhibit import Exhibit, exhibit_of
from supportagentbench.site.answers.troubles import OwnPlace, troubles
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.quote import Cite, in_excerpts


def shown(fault: Fault, habit: str, used: Collection[OwnPlace] = ()) -> Exhibit:
    """What a report shows of a habit of an agent with this fault; what came before it is filled up."""
    evidence, data = evidence_of(fault), reference_data()
    stats: AgentStats = agent_stats_of(data._replace(evidence={"Complies": evidence}), "complies")
    found = next(one for one in troubles(stats) if one.name == habit)
    known = in_excerpts([], {one.agent: stats.slug for one in evidence.moments}, evidence.moments)
    last = {(one.case, one.run): one.exchange.said_at for one in evidence.moments if one.exchange}

    def said(cite: Cite) -> Turn | None:
        filler = Turn("agent" if cite.turn % 2 else "customer", "Hello.")
        return known(cite) or (filler if cite.turn <= last.get((cite.case, cite.run), -1) else None)

    stats.said = said
    exhibit = exhibit_of(found, stats, used)
    assert exhibit is not None
    return exhibit


def customer(exhibit: Exhibit) -> str:
    return " ".join(bubble.text for bubble in exhibit.chat.bubbles if bubble.kind == "customer")


@pytest.mark.parametrize(
    ("fault", "habit", "words"),
    [
        (MakesExceptions, "excepts", r"for years|review|my bank|chargeback|loyal"),
        (HandsOverTheAngry, "angry", r"[A-Z]{4,}|!!"),
    ],
)
def test_the_customers_words_show_the_cause(fault: Fault, habit: str, words: str) -> None:
    assert re.search(words, customer(shown(fault, habit)))


def test_the_gravest_is_shown_with_the_message_that_gives_the_case_to_a_person() -> None:
    exhibit = shown(NeverHandsOver, "danger")
    assert exhibit.chat.is_danger
    assert exhibit.did == "it does not hand over a case that a rule gives to a human"
    assert "I'm driving there tomorrow morning" in customer(exhibit)


def test_one_conversation_shows_one_habit_if_there_is_another() -> None:
    first = shown(MakesExceptions, "excepts")
    second = shown(MakesExceptions, "excepts", used=[first.place])
    assert second.place != first.place


def test_what_was_done_is_told_in_its_order() -> None:
    did = shown(ActsThenHandsOver, "late").did
    assert did.startswith("its calls, in this order: ") and did.endswith(", then hand over to a person")


def test_harm_is_outlined_and_no_chat_has_more_than_six_bubbles() -> None:
    exhibit = shown(TriesWhatIsForbidden, "attempted_forbidden")
    assert any(bubble.is_harm for bubble in exhibit.chat.bubbles)
    assert sum(bubble.kind in ("customer", "agent") for bubble in exhibit.chat.bubbles) <= 6
