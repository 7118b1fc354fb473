"""Issue: what a finding against an agent is called on pages, and how serious it is."""

from typing import NamedTuple

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.checks.check import Check
from supportagentbench.site.data.outcome import Grade

SERIOUS = tuple(check.name for check in CATALOGUE.values() if check.serious)
"""Issues that cost money or trust immediately; all others are marked with a diamond."""

SLIPS = frozenset(check.metric_name for check in CATALOGUE.values() if check.card in ("acts", "claims"))
"""Issues in an action or a statement."""


class IssueKind(NamedTuple):
    """A kind of finding against an agent."""

    check: str
    words: str
    about: str
    """What it means, in one sentence."""
    grade: Grade


def _kind(check: Check) -> IssueKind:
    words = check.issue or check.title.casefold()
    about = check.issue_about or check.metric_about
    return IssueKind(check.name, words, about, "bad" if check.serious else "fair")


ISSUES = {check.name: _kind(check) for check in CATALOGUE.values() if check.counted}
"""By check, the most serious kind first."""
