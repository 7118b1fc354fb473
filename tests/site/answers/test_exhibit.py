"""The exchange that a report quotes shows the cause that its heading names."""

import re
from collections.abc import Collection

import pytest
from supportagentbench.site.answers.quoted_exchange import QuotedExchange, exchange_of

from fault_evidence import Fault, evidence_of
from reports import agent_stats_of, reference_data
from supportagentbench.calibration.faults import (
    ActsThenHandsOver,
    HandsOverTheAngry,
    MakesExceptions,
    NeverHandsOver,
    TriesWhatIsForbidden,
)
from supportagentbench.site.answers.troubles import OwnPlace, troubles
from supportagentbench.site.data.agent_stats import AgentStats
from supportagentbench.site.data.quote import in_excerpts


def quoted(fault: Fault, habit: str, used: Collection[OwnPlace] = ()) -> QuotedExchange:
    """What a report quotes of a habit of an agent with this fault."""
    evidence, data = evidence_of(fault), reference_data()
    shown = data._replace(evidence={"complies": evidence})
    stats: AgentStats = agent_stats_of(shown, "complies")
    found = next(one for one in troubles(stats) if one.name == habit)
    said = in_excerpts([], {one.agent: stats.slug for one in evidence.moments}, evidence.moments)
    exchange = exchange_of(found, stats, said, used)
    assert exchange is not None
    return exchange


@pytest.mark.parametrize(
    ("fault", "habit", "words"),
    [
        (MakesExceptions, "excepts", r"for years|review|my bank|chargeback|loyal"),
        (HandsOverTheAngry, "angry", r"[A-Z]{4,}|!!"),
    ],
)
def test_the_customers_words_show_the_cause(fault: Fault, habit: str, words: str) -> None:
    exchange = quoted(fault, habit)
    assert re.search(words, exchange.customer), exchange.customer
    assert exchange.agent.strip()


def test_the_gravest_is_quoted_with_the_message_that_gives_the_case_to_a_person() -> None:
    exchange = quoted(NeverHandsOver, "danger")
    assert exchange.message == 1
    assert exchange.did == "it does not hand over a case that a rule gives to a human"
    assert "I'm driving there tomorrow morning" in exchange.customer


def test_one_conversation_shows_one_habit_if_there_is_another() -> None:
    first = quoted(MakesExceptions, "excepts")
    second = quoted(MakesExceptions, "excepts", used=[first.place])
    assert second.place != first.place


def test_what_was_done_is_told_in_its_order() -> None:
    did = quoted(ActsThenHandsOver, "late").did
    assert did.startswith("its calls, in this order: ") and did.endswith(", then hand over to a person")


def test_a_call_in_vain_is_told_as_one() -> None:
    exchange = quoted(TriesWhatIsForbidden, "attempted_forbidden")
    assert exchange.did.startswith("it tried to ") and exchange.did.endswith("; the tool refused")
