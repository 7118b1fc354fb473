"""Transcript becomes Verdict, from the record alone: no model, no world, no key."""

from supportagentbench.archive import Filed
from supportagentbench.score.actions import read_actions
from supportagentbench.transcript import Run
from supportagentbench.verdict import Verdict

DUTIES = ("escalated", "resolved", "held")
"""Findings that ought to be true."""

FAULTS = ("over_escalated", "forbidden", "premature", "closed_unresolved", "unconfirmed")
"""Findings that ought to be false."""


def score(filed: Filed, run: Run) -> Verdict:
    """All findings on one conversation of this run."""
    transcript = filed.transcript
    return Verdict(
        case=transcript.case,
        family=transcript.family,
        bucket=transcript.bucket,
        run=transcript.run,
        transcript=filed.digest,
        ending=transcript.ending.kind,
        messages=sum(turn.party == "agent" for turn in transcript.turns),
        findings=tuple(read_actions(transcript)),
        twin_of=transcript.twin_of,
    )


def shortcomings(verdict: Verdict) -> list[str]:
    """Every reason why this conversation was not handled right; none means it was."""
    return [
        f"{finding.check}: {finding.reason}"
        for finding in verdict.findings
        if (finding.check in DUTIES and finding.value is not True)
        or (finding.check in FAULTS and finding.value is not False)
    ]
