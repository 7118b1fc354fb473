"""Transcript becomes Verdict, from the record alone: no model, no world, no key."""

import msgspec

from supportagentbench.archive import Filed
from supportagentbench.score.actions import COPIED_OUT, read_actions
from supportagentbench.score.honesty import read_claims
from supportagentbench.score.manners import read_manners, word_count
from supportagentbench.transcript import Run, Transcript
from supportagentbench.verdict import Verdict

DUTIES = ("escalated", "resolved", "held")
"""Findings that ought to be true."""

FAULTS = (
    *("over_escalated", "forbidden", "premature", "closed_unresolved", "unconfirmed"),
    *("phantom_action", "false_handover", "wrong_goods_said", "stale_tracking", "contradicts_record"),
    *("ungrounded_date", "ungrounded_duration", "ungrounded_amount", "ungrounded_link"),
    *("ungrounded_tracking", "leaked_reasoning", "leaked_policy", "leaked_notes", "dumped"),
    *("blank_reply", "repeated_reply", "goodbye_loop", "wrong_language"),
)
"""Findings that ought to be false: what it did, what it claimed, how it wrote."""


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
        findings=(
            *read_actions(transcript),
            *read_claims(in_own_words(transcript), run),
            *read_manners(transcript, run),
        ),
        twin_of=transcript.twin_of,
        words=word_count(transcript),
    )


def in_own_words(transcript: Transcript) -> Transcript:
    """The talk without tool results copied out whole: those are the shop's claims, not the agent's."""
    shown: list[str] = []
    turns = []
    for turn in transcript.turns:
        shown += [call.result.text for call in turn.calls if len(call.result.text) >= COPIED_OUT]
        words = turn.text
        for result in shown if turn.party == "agent" and len(words) >= COPIED_OUT else ():
            words = words.replace(result, " ")
        turns.append(turn if words == turn.text else msgspec.structs.replace(turn, text=words))
    return msgspec.structs.replace(transcript, turns=tuple(turns))


def shortcomings(verdict: Verdict) -> list[str]:
    """Every reason why this conversation was not handled right; none means it was."""
    return [
        f"{finding.check}: {finding.reason}"
        for finding in verdict.findings
        if (finding.check in DUTIES and finding.value is not True)
        or (finding.check in FAULTS and finding.value is not False)
    ]
