"""Conversation table: one row per conversation, with all data behind the published numbers."""

from collections import Counter
from collections.abc import Iterator

from supportagentbench.records.judgement import RESOLUTION, SENTIMENT, Judgement
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun

Cell = str | int | float | bool | None

BUCKETS = ("calls", "attempts", "lost", "input", "cache_read", "cache_write", "output", "reasoning", "cost")


def conversation_table(runs: list[ScoredRun]) -> Iterator[dict[str, Cell]]:
    """Every conversation of these runs as a row; all rows have the same columns in the same order."""
    checks = sorted({found.check for run in runs for verdict in run.verdicts for found in verdict.findings})
    roles = sorted({bill.role for run in runs for verdict in run.verdicts for bill in verdict.bills})
    judges = sorted({one.judge for run in runs for one in run.judgements})
    for header, verdicts, judgements, set_aside in runs:
        attempts = Counter(one.case for one in set_aside)
        first = {(one.judge, one.transcript): one for one in judgements if not one.sample}
        for verdict in sorted(verdicts, key=lambda one: one.case):
            row: dict[str, Cell] = {
                "agent": header.agent,
                "run": header.run,
                "world": header.world,
                "world_digest": header.world_digest,
                "set": header.set,
                "case_seed": header.case_seed,
                "seed": header.seed,
                "customer": header.customer,
                "channel": header.channel,
                "desk": header.desk,
                "replayed": header.replayed,
                "case": verdict.case,
                "family": verdict.family,
                "bucket": verdict.bucket,
                "twin_of": verdict.twin_of,
                "transcript": verdict.transcript,
                "ending": verdict.ending,
                "cause": verdict.cause,
                "counts": verdict.counts,
                "set_aside": attempts[verdict.case],
                "outcome": verdict.outcome.kind,
                "handling": verdict.outcome.handling,
                "unsafe": verdict.outcome.unsafe,
                "unsafe_turn": verdict.outcome.turn,
                "unsafe_act": verdict.outcome.act,
                "harm": verdict.outcome.harm,
                "harm_dollars": verdict.outcome.dollars,
                "messages": verdict.messages,
                "words": verdict.words,
                "not_observable": _unobservable(verdict),
            }
            row |= {f"check.{name}": _value(verdict, name) for name in checks}
            row |= {f"{role}.{bucket}": _spent(verdict, role, bucket) for role in roles for bucket in BUCKETS}
            for judge in judges:
                row |= _opinion(judge, first.get((judge, verdict.transcript)))
            yield row


def _value(verdict: Verdict, check: str) -> bool | None:
    """Empty if it does not apply, is undecided, or cannot be observed."""
    found = verdict.of(check)
    return found.counts_as if found and found.observable else None


def _unobservable(verdict: Verdict) -> str:
    return " ".join(sorted(found.check for found in verdict.findings if not found.observable))


def _spent(verdict: Verdict, role: str, bucket: str) -> Cell:
    bill = next((bill for bill in verdict.bills if bill.role == role), None)
    found: Cell = getattr(bill, bucket) if bill else None
    return found


def _opinion(judge: str, judgement: Judgement | None) -> dict[str, Cell]:
    def met(criterion: str) -> bool | None:
        found = judgement.of(criterion) if judgement else None
        return found.met if found else None

    return {
        f"judge.{judge}.adherence": judgement.adherence if judgement else None,
        f"judge.{judge}.resolution": met(RESOLUTION),
        f"judge.{judge}.resolution_quoted": _is_quoted(judgement),
        f"judge.{judge}.sentiment": met(SENTIMENT),
        f"judge.{judge}.void": judgement.void if judgement else None,
    }


def _is_quoted(judgement: Judgement | None) -> bool:
    """Whether a judge shows by a quote what it holds of the resolution."""
    found = judgement.of(RESOLUTION) if judgement else None
    return found is not None and bool(found.quote)
