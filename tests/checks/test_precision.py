"""Findings that are counted at once, and those that a judge has to confirm first."""

import msgspec
import pytest

from supportagentbench.checks.precision import CLAIMS, TO_CHECK, marked
from supportagentbench.records.case import Label
from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import CustomerState, Ending, SpeechActs, Transcript, Turn

SAID = (
    Turn("customer", "Please cancel it."),
    Turn("agent", "All cancelled."),
    Turn("customer", "ok", conduct=CustomerState(moves=("nudge",))),
)
TALK = Transcript("case-1", "case", "resolvable", 1, 0, "", Label("forbidden"), SAID, Ending("customer_left"))


def only(finding: Finding, transcript: Transcript = TALK) -> Finding:
    (found,) = marked([finding], transcript)
    return found


@pytest.mark.parametrize("check", sorted(TO_CHECK))
def test_what_is_read_with_less_precision_is_to_check(check: str) -> None:
    found = only(Finding(check, True, "said so", (1,)))
    assert found.to_check and found.counts_as is None and not found.is_decided


@pytest.mark.parametrize(
    "check", ["unsafe", "ungrounded_date", "ungrounded_link", "leaked_policy", "unconfirmed"]
)
def test_what_the_record_or_a_hard_token_shows_counts_at_once(check: str) -> None:
    assert only(Finding(check, True, "did so", (1,))).counts_as is True


@pytest.mark.parametrize("check", sorted(TO_CHECK))
def test_a_conversation_without_the_fault_counts_as_one(check: str) -> None:
    assert only(Finding(check, False, "nothing of the kind")).counts_as is False


@pytest.mark.parametrize("check", CLAIMS)
@pytest.mark.parametrize(
    "conduct",
    [
        CustomerState(moves=("verify",), doubts=("cancel_order",)),
        CustomerState(moves=("thank",), heard=SpeechActs(done=("cancel_order",))),
    ],
)
def test_a_claim_counts_where_the_customer_understood_it_so(check: str, conduct: CustomerState) -> None:
    finding = Finding(check, True, "no call did that", (1,), quote="All cancelled")
    heard = msgspec.structs.replace(TALK, turns=(*SAID[:2], Turn("customer", "?", conduct=conduct)))
    assert only(finding).to_check and not only(finding, heard).to_check
