"""Guards are replayed over the record: what they stop was wrong, and what they hinder was right."""

from collections import Counter

import pytest

from fault_evidence import Fault, evidence_of
from reports import agent_stats_of, reference_data
from supportagentbench.calibration.faults import (
    ActsBeforeConfirming,
    ActsOnTheNeighbour,
    ClosesUnresolved,
    DoesItTwice,
    GivesIn,
    HandsOverQuestions,
    NeverHandsOver,
)
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.site.answers.guard_table import guard_table


def stopped(fault: Fault) -> Counter[str]:
    """Conversations that each guard would have stopped."""
    return Counter(hit.guard for hit in evidence_of(fault).guard_hits if hit.is_stopped)


@pytest.mark.parametrize(
    ("fault", "guard", "check"),
    [
        (ActsBeforeConfirming, "yes", "unconfirmed"),
        (ActsOnTheNeighbour, "own record", "unrequested"),
        (ClosesUnresolved, "policy", "closed_unresolved"),
        (DoesItTwice, "once", "unrequested"),
        (GivesIn, "policy", "forbidden"),
        (HandsOverQuestions, "no rule", "over_escalated"),
        (NeverHandsOver, "route", "escalated"),
    ],
)
def test_a_guard_stops_the_fault_it_is_for(fault: Fault, guard: str, check: str) -> None:
    issues = sum(one.check == check for one in evidence_of(fault).moments)
    assert issues and stopped(fault)[guard] == issues


def test_no_guard_stops_an_agent_without_fault_and_one_would_hinder_it() -> None:
    assert not stopped(Oracle)
    assert {hit.guard for hit in evidence_of(Oracle).guard_hits} == {"answer first"}


def test_the_table_names_the_rule_and_counts_both_ways() -> None:
    table = guard_table(agent_stats_of(reference_data(), "complies"))
    stopped = [row.stopped for row in table.rows if row.is_on_tools]
    assert stopped and all(stopped) and stopped == sorted(stopped, reverse=True)
    assert max(stopped) <= table.stopped <= sum(row.stopped for row in (*table.rows, *table.more))
    assert any(" (rule " in row.words for row in table.rows)
