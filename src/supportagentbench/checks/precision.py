"""Precision: findings that have to be checked before they count are marked.

What is read from words is counted only where at least 98 of 100 such findings are right on words that others
wrote (tests/corpus, `bench/findings.py`). The rest is shown “to check” and counted in no figure until a judge
confirms it; the catalogue says which checks these are.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.finding import Finding


def marked(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, each marked if it is to be checked before it counts."""
    for finding in findings:
        doubtful = finding.value and finding.checked and _is_to_check(finding.check)
        yield replace(finding, to_check=True) if doubtful else finding


def _is_to_check(check: str) -> bool:
    return check in CATALOGUE and CATALOGUE[check].to_check
