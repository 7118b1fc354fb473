"""Results: stored runs, with what checks and judges make of them. All from the record, none of it stored."""

from collections.abc import Iterable
from pathlib import Path

from supportagentbench.archive import find_runs, read_header, read_judgements, read_transcripts
from supportagentbench.problem import Problem
from supportagentbench.score import score
from supportagentbench.score.rule_judge import rule_judgement
from supportagentbench.tally.standings import Scored


def read_results(paths: Iterable[Path]) -> list[Scored]:
    """Every run in these places, once, however often it is named."""
    folders = {folder.resolve(): folder for folder in find_runs(paths)}
    return [read_result(folder) for folder in folders.values()]


def read_result(folder: Path) -> Scored:
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
    return Scored(header, verdicts, tuple(judgements))


def of_agent(results: list[Scored], name: str) -> list[Scored]:
    """The runs of one agent among these."""
    found = [run for run in results if run.header.agent == name]
    if not found:
        known = ", ".join(sorted({run.header.agent for run in results}))
        raise Problem(f"there is no run of {name!r} here; there are {known}.")
    return found
