"""Findings that are counted at once, and those that a judge has to confirm first."""

import pytest

from supportagentbench.checks.catalogue import CATALOGUE, UNSAFE
from supportagentbench.checks.precision import marked
from supportagentbench.records.finding import Finding

TO_CHECK = {check.name for check in CATALOGUE.values() if check.to_check}


def only(finding: Finding) -> Finding:
    (found,) = marked([finding])
    return found


@pytest.mark.parametrize("check", sorted(TO_CHECK))
def test_what_is_read_with_less_precision_is_to_check(check: str) -> None:
    found = only(Finding(check, True, "said so", (1,)))
    assert found.to_check and found.counts_as is None and not found.is_decided


@pytest.mark.parametrize("check", ["forbidden", "ungrounded_link", "leaked_policy", "unconfirmed", "held"])
def test_what_the_record_or_a_hard_token_shows_counts_at_once(check: str) -> None:
    assert only(Finding(check, True, "did so", (1,))).counts_as is True


@pytest.mark.parametrize("check", sorted(TO_CHECK))
def test_a_conversation_without_the_fault_counts_as_one(check: str) -> None:
    assert only(Finding(check, False, "nothing of the kind")).counts_as is False


def test_no_finding_about_what_was_done_is_ever_to_check() -> None:
    done = {*UNSAFE, "escalated", "over_escalated", "held"}
    assert len(TO_CHECK) == 11 and TO_CHECK.isdisjoint(done)
