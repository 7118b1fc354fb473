"""Precision: mark the findings that have to be checked before they count.

Findings read from words count only if at least 98 of 100 such findings are right on texts by other authors
(tests/corpus, `bench/findings.py`). The rest are shown as “to check” and left out of every figure until a
judge confirms them; the catalogue says which checks these are.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from supportagentbench.checks.catalogue import CATALOGUE
from supportagentbench.records.finding import Finding


def marked(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, each marked if it has to be checked before it counts."""
    for finding in findings:
        doubtful = finding.value and finding.checked and _is_to_check(finding.check)
        yield replace(finding, to_check=True) if doubtful else finding


def _is_to_check(check: str) -> bool:
    return check in CATALOGUE and CATALOGUE[check].to_check
