"""Checks: turn a transcript into a verdict, from the record alone: no model, no world, no key."""

from itertools import chain

import msgspec

from supportagentbench.checks.actions import read_actions
from supportagentbench.checks.claims import read_claims
from supportagentbench.checks.confirmation import read_confirmation
from supportagentbench.checks.decider import decider_of
from supportagentbench.checks.evidence import COPIED_OUT
from supportagentbench.checks.guards import blocked_calls
from supportagentbench.checks.observable import observed
from supportagentbench.checks.outcome import outcome_of, unlabelled_outcome
from supportagentbench.checks.precision import marked
from supportagentbench.checks.requests import read_wishes
from supportagentbench.checks.style import read_style, word_count
from supportagentbench.checks.unchecked import read_unchecked
from supportagentbench.records.fidelity import fidelity_of
from supportagentbench.records.finding import Finding
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.records.usage_total import bills
from supportagentbench.records.verdict import Verdict
from supportagentbench.storage.transcripts import Filed


def score(filed: Filed, run: Run, *, counts_all: bool = False) -> Verdict:
    """All findings about one stored conversation of this run."""
    return score_transcript(filed.transcript, filed.digest, run, counts_all=counts_all)


def score_transcript(transcript: Transcript, digest: str, run: Run, *, counts_all: bool = False) -> Verdict:
    """All findings about one conversation, whether it is stored or not; none, if they are unlabelled.

    `counts_all`: count findings that a judge would have to check, too; for use where we know what was said.
    """
    cause = transcript.ending.cause or ""
    findings = () if run.unlabelled else _findings(transcript, run, counts_all=counts_all)
    outcome = (
        unlabelled_outcome(cause)
        if run.unlabelled
        else outcome_of(findings, transcript.bucket, cause, run.vocabulary)
    )
    return Verdict(
        case=transcript.case,
        family=transcript.family,
        bucket=transcript.bucket,
        run=transcript.run,
        transcript=digest,
        ending=transcript.ending.kind,
        messages=sum(turn.party == "agent" for turn in transcript.turns),
        findings=findings,
        outcome=outcome,
        twin_of=transcript.twin_of,
        words=word_count(transcript),
        cause=cause,
        bills=bills(transcript),
        customer=fidelity_of([transcript]) if run.customer != "scripted" else None,
        level=transcript.level,
        blocked=() if run.unlabelled else blocked_calls(transcript, run),
        decider=decider_of(transcript.label, run.rules),
    )


def _findings(transcript: Transcript, run: Run, *, counts_all: bool) -> tuple[Finding, ...]:
    found = chain(
        read_actions(transcript, run),
        read_confirmation(transcript, run),
        read_wishes(transcript, run),
        read_unchecked(transcript, run),
        read_claims(in_own_words(transcript), run),
        read_style(transcript, run),
    )
    read = tuple(observed(found, run))
    return read if counts_all else tuple(marked(read))


def in_own_words(transcript: Transcript) -> Transcript:
    """The conversation without tool results pasted whole: those are the shop's claims, not the agent's."""
    shown: dict[str, None] = {}
    own: dict[str, str] = {}
    """Replies without the tool results shown so far. A cache, because many replies are repeated."""
    turns = []
    for turn in transcript.turns:
        for call in turn.calls:
            if len(call.result.text) >= COPIED_OUT and call.result.text not in shown:
                shown[call.result.text] = None
                own.clear()
        if turn.party == "agent" and len(turn.text) >= COPIED_OUT and turn.text not in own:
            words = turn.text
            for result in shown:
                words = words.replace(result, " ")
            own[turn.text] = words
        words = own.get(turn.text, turn.text)
        turns.append(turn if words == turn.text else msgspec.structs.replace(turn, text=words))
    return msgspec.structs.replace(transcript, turns=tuple(turns))
