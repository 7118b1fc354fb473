"""Load: stored runs, with what checks and judges say about them. Every number and page begins here.

A conversation is decoded and scored once per version of the code; the scores are kept (`cache.py`) and
everything else is read from the record again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks import score
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.cache import Score, cached_scores, keep_scores, packed, score_key, unpacked
from supportagentbench.storage.archive import find_runs, read_header, read_judgements
from supportagentbench.storage.transcripts import Filed, read_transcripts


class ScoredRun(NamedTuple):
    """One run, with what checks and judges say about it."""

    header: Run
    verdicts: list[Verdict]
    judgements: tuple[Judgement, ...] = ()
    """The rule judge's, then those on file."""


class ScoredConversation(NamedTuple):
    """One conversation, with what checks and judges say about it."""

    filed: Filed
    verdict: Verdict
    judgements: tuple[Judgement, ...]
    """The rule judge's, then those on file."""


def load_runs(paths: Iterable[Path], *, processes: int = 1) -> list[ScoredRun]:
    """Every run in these places, once, however often it is named; `processes` score side by side."""
    folders = list({folder.resolve(): folder for folder in find_runs(paths)}.values())
    found = {folder: cached_scores(folder, score_key(folder)) for folder in folders}
    missing = [folder for folder, scores in found.items() if scores is None]
    found |= zip(missing, _scored(missing, processes), strict=True)
    return [_scored_run(folder, scores or []) for folder, scores in found.items()]


def load_run(folder: Path) -> ScoredRun:
    """The run in this folder."""
    [run] = load_runs([folder])
    return run


def load_conversations(folder: Path, *, fresh: bool = False) -> Iterator[ScoredConversation]:
    """The conversations of one run with their transcripts, in the order they finished.

    `fresh` scores all of them, and neither reads nor writes the cache.
    """
    header, key = read_header(folder), score_key(folder)
    opinions: dict[str, list[Judgement]] = defaultdict(list)
    for judgement in read_judgements(folder):
        opinions[judgement.transcript].append(judgement)
    cached = None if fresh else cached_scores(folder, key)
    known = {one.verdict.transcript: one for one in cached or ()}
    scores = []
    for filed in read_transcripts(folder):
        one = known.get(filed.digest) or score_conversation(filed, header)
        scores.append(one)
        own = (one.judgement,) if one.judgement else ()
        yield ScoredConversation(filed, one.verdict, (*own, *opinions[filed.digest]))
    if cached is None and not fresh:
        _keep(folder, key, scores)


def score_conversation(filed: Filed, header: Run) -> Score:
    """What the checks and the rule judge say about one conversation."""
    verdict = score(filed, header)
    return Score(verdict, rule_judgement(filed, header, verdict) if verdict.counts else None)


def _scored(folders: list[Path], processes: int) -> Iterator[list[Score] | None]:
    """The scores of these runs, each run by one process and one at a time."""
    if processes < 2 or len(folders) < 2:
        yield from map(_score_run, folders)
        return
    with ProcessPoolExecutor(min(processes, len(folders)), mp_context=get_context("spawn")) as pool:
        for packed_scores in pool.map(_score_and_pack, folders):
            yield unpacked(packed_scores, "")


def _score_and_pack(folder: Path) -> bytes:
    """Packed, scores are a tenth of the size and travel between processes in no time."""
    return packed("", _score_run(folder))


def _score_run(folder: Path) -> list[Score]:
    header, key = read_header(folder), score_key(folder)
    scores = [score_conversation(filed, header) for filed in read_transcripts(folder)]
    _keep(folder, key, scores)
    return scores


def _keep(folder: Path, key: str, scores: list[Score]) -> None:
    """Keep what was scored, unless the run grew in the meantime."""
    if score_key(folder) == key:
        keep_scores(folder, packed(key, scores))


def _scored_run(folder: Path, scores: list[Score]) -> ScoredRun:
    known = {one.verdict.transcript for one in scores}
    judgements = [one.judgement for one in scores if one.judgement]
    judgements += [one for one in read_judgements(folder) if one.transcript in known]
    return ScoredRun(read_header(folder), [one.verdict for one in scores], tuple(judgements))


def of_agent(runs: list[ScoredRun], name: str) -> list[ScoredRun]:
    """The runs of one agent among these."""
    found = [run for run in runs if run.header.agent == name]
    if not found:
        known = ", ".join(sorted({run.header.agent for run in runs}))
        raise Problem(f"there is no run of {name!r} here; there are {known}.")
    return found
