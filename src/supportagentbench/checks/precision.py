"""Precision: which findings may be counted at once, and which have to be checked first.

What is read from words is counted only where at least 98 of 100 such findings are right on words that others
wrote (tests/corpus). The rest is shown “to check” and counted in no figure until a judge confirms it.
"""

from collections.abc import Iterable, Iterator

from msgspec.structs import replace

from supportagentbench.records.finding import Finding
from supportagentbench.records.transcript import Transcript

TO_CHECK = frozenset(
    (
        "unconfirmed_strict",
        "ungrounded_duration",
        "contradicts_record",
        "delivery_invented",
        "wrong_goods_said",
        "invented_rule",
    )
)
"""Checks by words below that precision, or too rare in the corpus to tell."""

CLAIMS = ("phantom_action", "false_handover")
"""Claims of something that was not done: counted where the customer understood them so, too."""


def marked(findings: Iterable[Finding], transcript: Transcript) -> Iterator[Finding]:
    """The findings, each marked if it is to be checked before it counts."""
    for finding in findings:
        doubtful = finding.check in TO_CHECK or (
            finding.check in CLAIMS and not _is_heard(finding, transcript)
        )
        yield replace(finding, to_check=True) if finding.value and finding.checked and doubtful else finding


def _is_heard(finding: Finding, transcript: Transcript) -> bool:
    """Whether the customer asked about what it was told is done, or left believing it."""
    for turn in finding.turns:
        answer = transcript.turns[turn + 1 : turn + 2]
        if any(one.conduct and (one.conduct.doubts or one.conduct.heard.done) for one in answer):
            return True
    return False
