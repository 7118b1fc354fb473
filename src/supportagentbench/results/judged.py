"""Judged: conversations of stored runs with every judge's opinions, the rule judge's among them."""

from collections.abc import Iterable

from msgspec.structs import replace

from supportagentbench.judges.agreement import Judged, Source, source_name
from supportagentbench.models.family import families_of
from supportagentbench.records.run import Run
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.load import ScoredRun


def judged_in(runs: Iterable[ScoredRun]) -> Judged:
    """Every conversation of these runs that counts, and every judgement on it."""
    judged = Judged({}, [])
    for header, verdicts, judgements, _ in runs:
        for verdict in verdicts:
            if verdict.counts:
                source = _source(header, verdict)
                judged.sources[source.name] = source
        judged.judgements.extend(
            replace(one, transcript=source_name(header, one.transcript)) for one in judgements
        )
    return judged


def _source(header: Run, verdict: Verdict) -> Source:
    return Source(
        name=source_name(header, verdict.transcript),
        agent=header.agent,
        vendor="+".join(sorted(families_of(header))),
        case=verdict.case,
        family=verdict.family,
        bucket=verdict.bucket,
        is_twin=bool(verdict.twin_of),
    )
