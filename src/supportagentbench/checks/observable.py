"""Observable: which checks can see anything in a shop; the others say that they cannot and count nowhere."""

from collections.abc import Iterable
from functools import lru_cache

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.check import ShopView
from supportagentbench.records.finding import Finding
from supportagentbench.records.run import Run
from supportagentbench.records.vocabulary import Vocabulary

MISSING: dict[ShopView, str] = {
    "record": "no look-up is declared to show the record of a case",
    "journey": "no look-up is declared to show a parcel's journey",
    "goods": "no look-up is declared to name goods",
    "pieces": "no look-up is declared to count goods by line",
    "notes": "no look-up is declared to show internal notes",
    "proof": "no look-up is declared to show proof",
    "states": "no state is declared that a record contradicts",
    "arrival": "no state is declared to be an arrival",
    "sending": "no act sends goods",
}
"""What to say when one of these is missing."""


HIDDEN = "from outside: the agent did not use this desk's tools"
"""The reason for an agent whose acts were not seen."""

BY_WORDS = frozenset(name for name, check in CATALOGUE.items() if check.by_words)
"""Checks that can see something even then."""


def missing(check: str, vocabulary: Vocabulary) -> str:
    """Why a check can find nothing in this shop; empty if it can."""
    return _blind(vocabulary.observable).get(check, "")


def observed(findings: Iterable[Finding], run: Run) -> Iterable[Finding]:
    """The findings; those of checks that cannot see anything here are marked as such."""
    if run.hides_acts:
        return (one if one.check in BY_WORDS else _marked(one, HIDDEN, None) for one in findings)
    blind = _blind(run.vocabulary.observable)
    if not blind:
        return findings
    return (
        _marked(one, f"in this shop: {blind[one.check]}", False) if one.check in blind else one
        for one in findings
    )


def _marked(finding: Finding, why: str, value: bool | None) -> Finding:
    return Finding(finding.check, value, f"not observable {why}", checked=False, observable=False)


@lru_cache(maxsize=64)
def _blind(observable: frozenset[str]) -> dict[str, str]:
    """The checks that can find nothing if only this is observable, each with what is missing."""
    lacks = {
        name: [need for need in check.needs if need not in observable] for name, check in CATALOGUE.items()
    }
    return {name: MISSING[needs[0]] for name, needs in lacks.items() if needs}
