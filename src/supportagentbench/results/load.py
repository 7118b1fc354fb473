"""Results: stored runs, with what checks and judges make of them. All from the record, none of it stored."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks import score
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.verdict import Verdict
from supportagentbench.storage.archive import find_runs, read_header, read_judgements, read_transcripts


class ScoredRun(NamedTuple):
    """One run, with what checks and judges made of it."""

    header: Run
    verdicts: list[Verdict]
    judgements: tuple[Judgement, ...] = ()


def read_results(paths: Iterable[Path]) -> list[ScoredRun]:
    """Every run in these places, once, however often it is named."""
    folders = {folder.resolve(): folder for folder in find_runs(paths)}
    return [read_result(folder) for folder in folders.values()]


def read_result(folder: Path) -> ScoredRun:
    """One run: its verdicts, the rule judge's opinions, and those of judges that are on file."""
    header = read_header(folder)
    verdicts, judgements, known = [], [], set()
    for filed in read_transcripts(folder):
        verdict = score(filed, header)
        verdicts.append(verdict)
        known.add(filed.digest)
        if verdict.counts:
            judgements.append(rule_judgement(filed, header, verdict))
    judgements += [one for one in read_judgements(folder) if one.transcript in known]
    return ScoredRun(header, verdicts, tuple(judgements))


def of_agent(results: list[ScoredRun], name: str) -> list[ScoredRun]:
    """The runs of one agent among these."""
    found = [run for run in results if run.header.agent == name]
    if not found:
        known = ", ".join(sorted({run.header.agent for run in results}))
        raise Problem(f"there is no run of {name!r} here; there are {known}.")
    return found
