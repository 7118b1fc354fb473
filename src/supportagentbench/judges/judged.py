"""Judged: stored conversations with all that judges hold of them, `rules` among them, made anew."""

from collections.abc import Iterable
from pathlib import Path

import msgspec

from supportagentbench.checks import score
from supportagentbench.judges.agreement import Judged, Source
from supportagentbench.judges.model_family import families
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES
from supportagentbench.storage.archive import (
    Filed,
    folder_name,
    read_header,
    read_judgements,
    read_transcripts,
)


def read_judged(folders: Iterable[Path]) -> Judged:
    """Every conversation of these runs that says something of its agent, and every judgement on it."""
    judged = Judged({}, [])
    for folder in dict.fromkeys(folders):
        header = read_header(folder)
        for filed in read_transcripts(folder):
            if filed.transcript.ending.cause not in EXTERNAL_CAUSES:
                source = _source(filed, header)
                judged.sources[source.name] = source
                judged.judgements.append(_named(rule_judgement(filed, header, score(filed, header)), header))
        judged.judgements.extend(_named(judgement, header) for judgement in read_judgements(folder))
    return judged


def source_name(header: Run, transcript: str) -> str:
    """What a transcript of this digest in this run is called."""
    return f"{folder_name(header)}/{transcript}"


def _named(judgement: Judgement, header: Run) -> Judgement:
    return msgspec.structs.replace(judgement, transcript=source_name(header, judgement.transcript))


def _source(filed: Filed, header: Run) -> Source:
    return Source(
        name=source_name(header, filed.digest),
        agent=header.agent,
        vendor="+".join(sorted(families(header.agent))),
        case=filed.transcript.case,
        family=filed.transcript.family,
        bucket=filed.transcript.bucket,
        is_twin=bool(filed.transcript.twin_of),
    )
