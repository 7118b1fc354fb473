"""Settled: findings to check, with what judges say to them. Confirmed ones count, all others do not.

Only the judgements that count are heard: first samples, in the version that counts. Judges who contradict
each other settle nothing.
"""

from collections import defaultdict
from collections.abc import Iterable, Mapping

from msgspec.structs import replace

from supportagentbench.checks.outcome import outcome_of
from supportagentbench.records.finding import Finding, Settled
from supportagentbench.records.judgement import Judgement, Says, counting_judgements
from supportagentbench.records.verdict import Verdict
from supportagentbench.records.vocabulary import Vocabulary

FindingAnswers = Mapping[tuple[str, str], set[Says]]
"""By transcript and question, what was said to it."""


def finding_answers(judgements: Iterable[Judgement]) -> FindingAnswers:
    """What all judges of a run say to its findings; void answers say nothing."""
    found: dict[tuple[str, str], set[Says]] = defaultdict(set)
    for by_transcript in counting_judgements(judgements).values():
        for transcript, judgement in by_transcript.items():
            for one in judgement.findings:
                if one.says:
                    found[transcript, one.question].add(one.says)
    return found


def settled(verdict: Verdict, answers: FindingAnswers, vocabulary: Vocabulary) -> Verdict:
    """The verdict with what judges say to its findings to check, and the outcome that follows."""
    if not answers or not any(one.to_check for one in verdict.findings):
        return verdict
    findings = tuple(
        _settled(one, answers.get((verdict.transcript, one.question), set())) for one in verdict.findings
    )
    outcome = outcome_of(findings, verdict.bucket, verdict.cause, vocabulary)
    return replace(verdict, findings=findings, outcome=outcome)


def _settled(finding: Finding, said: set[Says]) -> Finding:
    told = said - {"cannot_tell"}
    now: Settled = (
        "confirmed" if told == {"confirm"} else "dropped" if told == {"drop"} else "open" if said else ""
    )
    return replace(finding, settled=now) if finding.to_check else finding
