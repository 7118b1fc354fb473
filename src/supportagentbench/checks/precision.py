"""Precision: which findings may be counted at once, and which have to be checked first.

What is read from words is counted only where at least 98 of 100 such findings are right on words that others
wrote (tests/corpus, `bench/findings.py`). The rest is shown “to check” and counted in no figure until a judge
confirms it.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from supportagentbench.records.finding import Finding

TO_CHECK = frozenset(
    (
        *("phantom_action", "false_handover", "wrong_goods_said", "contradicts_record", "delivery_invented"),
        *("invented_rule", "ungrounded_date", "ungrounded_duration", "ungrounded_stock"),
        *("unconfirmed_strict", "false_look"),
    )
)
"""Checks by words below that precision, or too rare in the corpus to tell."""


def marked(findings: Iterable[Finding]) -> Iterator[Finding]:
    """The findings, each marked if it is to be checked before it counts."""
    for finding in findings:
        doubtful = finding.value and finding.checked and finding.check in TO_CHECK
        yield replace(finding, to_check=True) if doubtful else finding
