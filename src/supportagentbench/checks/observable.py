"""Observable: which checks can see anything at a shop's desk; those that cannot say so and count nowhere."""

from collections.abc import Iterable, Iterator

from supportagentbench.records.finding import Finding
from supportagentbench.records.vocabulary import Vocabulary

NEEDS: dict[str, tuple[str, ...]] = {
    "contradicts_record": ("record", "states"),
    "delivery_invented": ("record", "arrival"),
    "stale_tracking": ("journey", "sending"),
    "wrong_goods_said": ("goods", "sending"),
    "leaked_notes": ("notes",),
    "waived_proof": ("proof", "sending"),
}
"""By check, what a desk has to declare before the check can find anything: see `Vocabulary.observable`."""

MISSING = {
    "record": "no look-up is declared to show the record of a case",
    "journey": "no look-up is declared to show a parcel's way",
    "goods": "no look-up is declared to name goods",
    "notes": "no look-up is declared to show internal notes",
    "proof": "no look-up is declared to show proof",
    "states": "no state is declared that a record contradicts",
    "arrival": "no state is declared to be an arrival",
    "sending": "no act sends goods",
}
"""What is said where one of these is not there."""


def missing(check: str, vocabulary: Vocabulary) -> str:
    """Why a check can find nothing at this desk; empty: it can."""
    lacks = (need for need in NEEDS.get(check, ()) if need not in vocabulary.observable)
    return next((MISSING[need] for need in lacks), "")


def observed(findings: Iterable[Finding], vocabulary: Vocabulary) -> Iterator[Finding]:
    """The findings, those of checks that cannot see anything here marked as such."""
    for finding in findings:
        why = missing(finding.check, vocabulary) if finding.check in NEEDS else ""
        if why:
            reason = f"not observable in this shop: {why}"
            yield Finding(finding.check, False, reason, checked=False, observable=False)
        else:
            yield finding
