"""Issue: a finding that counts against an agent."""

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.finding import Finding
from supportagentbench.records.verdict import Verdict

_ORDER = {name: place for place, name in enumerate(CATALOGUE)}


def is_issue(finding: Finding) -> bool:
    """Whether a finding counts against the agent."""
    check = CATALOGUE.get(finding.check)
    return check is not None and check.counted and finding.counts_as is (not check.duty)


def issues(verdict: Verdict) -> list[Finding]:
    """The issues found in a conversation, in the order of the catalogue."""
    return sorted(filter(is_issue, verdict.findings), key=lambda found: _ORDER[found.check])
