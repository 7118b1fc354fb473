"""Evidence: a stored opinion counts only if it would when a judge gives it: its words are where it says."""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import TypeVar

from msgspec.structs import replace

from supportagentbench.judges.answer import flaw_in
from supportagentbench.judges.prompt import BlindTranscript
from supportagentbench.records.judgement import FindingOpinion, Judgement, Opinion
from supportagentbench.records.run import Run
from supportagentbench.storage.transcripts import Filed

Given = TypeVar("Given", Opinion, FindingOpinion)


def with_evidence(judgements: Sequence[Judgement], stored: Iterable[Filed], header: Run) -> list[Judgement]:
    """The judgements on these conversations, in their order; opinions without evidence are void in them."""
    places: dict[str, list[int]] = defaultdict(list)
    for at, judgement in enumerate(judgements):
        places[judgement.transcript].append(at)
    found: dict[int, Judgement] = {}
    for filed in stored:
        record = BlindTranscript(filed.transcript, header)
        found |= {at: _checked(judgements[at], record) for at in places[filed.digest]}
    return [found[at] for at in sorted(found)]


def _checked(judgement: Judgement, record: BlindTranscript) -> Judgement:
    opinions = tuple(_or_void(one, record) for one in judgement.opinions)
    findings = tuple(_or_void(one, record) for one in judgement.findings)
    if opinions == judgement.opinions and findings == judgement.findings:
        return judgement
    return replace(judgement, opinions=opinions, findings=findings)


def _or_void(opinion: Given, record: BlindTranscript) -> Given:
    """The opinion, or what is left of one that says something without evidence."""
    verdict = "met" if isinstance(opinion, Opinion) else "says"
    if getattr(opinion, verdict) is None:
        return opinion
    void = opinion.void or flaw_in(opinion, record)
    return replace(opinion, **{verdict: None}, void=void) if void else opinion
