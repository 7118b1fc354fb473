"""Load: stored runs, with what checks and judges say about them. Every number and page begins here.

A conversation is decoded and scored once per version of the code; the scores are kept (`cache.py`) and
everything else is read from the record again.
"""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks import score
from supportagentbench.concurrency.cpu_limit import OutOfTime, cpu_limit
from supportagentbench.concurrency.worker_pool import worker_pool, workers_for
from supportagentbench.judges.evidence import with_evidence
from supportagentbench.judges.rule_judge import rule_judgement
from supportagentbench.records.did_you_mean import did_you_mean
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.records.set_aside import SetAside
from supportagentbench.records.verdict import Verdict
from supportagentbench.results.cache import (
    NOTHING,
    Score,
    ScoreKey,
    keep_scores,
    known_scores,
    packed,
    score_key,
    unpacked,
)
from supportagentbench.results.settled import finding_answers, settled
from supportagentbench.storage.archive import HEADER, read_header, read_judgements
from supportagentbench.storage.run_folders import (
    distinct_runs,
    refuse_mixed_versions,
    refuse_part,
    refuse_unlabelled,
)
from supportagentbench.storage.set_aside import read_set_aside
from supportagentbench.storage.transcripts import (
    TRANSCRIPTS,
    Filed,
    Roll,
    read_transcripts,
    stored_lines,
    stored_size,
)

LONGEST_SCORING = 20
"""Seconds of the processor that one conversation may take to score; most take a thousandth."""


class ScoredRun(NamedTuple):
    """One run, with what checks and judges say about it."""

    header: Run
    verdicts: list[Verdict]
    judgements: tuple[Judgement, ...] = ()
    """The rule judge's, then those on file."""
    set_aside: tuple[SetAside, ...] = ()
    """Attempts at its conversations that do not count."""


class ScoredConversation(NamedTuple):
    """One conversation, with what checks and judges say about it."""

    filed: Filed
    verdict: Verdict
    judgements: tuple[Judgement, ...]
    """The rule judge's, then those on file."""


def load_runs(paths: Iterable[Path], *, processes: int = 1) -> list[ScoredRun]:
    """Every run in these places, once, however often named or copied; `processes` score side by side."""
    folders = distinct_runs(paths).folders
    _refuse_partial(folders)
    refuse_mixed_versions(folders)
    known = {folder: known_scores(folder, score_key(folder)) for folder in folders}
    scores = {folder: found.scores for folder, found in known.items() if found.is_whole}
    missing = [folder for folder in folders if folder not in scores]
    scores |= zip(missing, _scored(missing, processes), strict=True)
    return [_scored_run(folder, scores[folder]) for folder in folders]


def _refuse_partial(folders: Iterable[Path]) -> None:
    """A rate at a fork is not an overall rate, and never counts as one; without labels there is none."""
    for folder in folders:
        header = read_header(folder)
        if header.forks:
            raise Problem(
                "holds replays of forks, not a run of cases; see them with `sab forks`.", place=folder
            )
        refuse_unlabelled(folder, header)
        refuse_part(folder, header)


def load_run(folder: Path) -> ScoredRun:
    """The run in this folder."""
    [run] = load_runs([folder])
    return run


def load_conversations(folder: Path, *, fresh: bool = False) -> Iterator[ScoredConversation]:
    """The conversations of one run with their transcripts, in the order they finished.

    `fresh` scores all of them, and neither reads nor writes the cache.
    """
    header, key = read_header(folder), score_key(folder)
    refuse_unlabelled(folder, header)
    opinions: dict[str, list[Judgement]] = defaultdict(list)
    on_file = opinions_in(folder)
    for judgement in on_file:
        opinions[judgement.transcript].append(judgement)
    answers = finding_answers(on_file)
    known = NOTHING if fresh else known_scores(folder, key)
    by_digest = {one.verdict.transcript: one for one in known.scores}
    scores = []
    for filed in read_transcripts(folder):
        one = by_digest.get(filed.digest) or scored_in(folder, filed, header)
        scores.append(one)
        own = (one.judgement,) if one.judgement else ()
        verdict = settled(one.verdict, answers, header.vocabulary)
        yield ScoredConversation(filed, verdict, (*own, *opinions[filed.digest]))
    if not known.is_whole and not fresh:
        _keep(folder, key, scores)


def score_conversation(filed: Filed, header: Run) -> Score:
    """What the checks and the rule judge say about one conversation."""
    verdict = score(filed, header)
    has_acts = not header.hides_acts and not header.unlabelled  # Rules are kept or broken by acts.
    is_read = verdict.counts and has_acts
    return Score(verdict, rule_judgement(filed.transcript, header, verdict) if is_read else None)


def scored_in(folder: Path, filed: Filed, header: Run) -> Score:
    """The same for a conversation on file, which anyone may have edited: whatever goes wrong is a Problem."""
    try:
        with cpu_limit(LONGEST_SCORING):
            return score_conversation(filed, header)
    except Problem as problem:
        why = str(problem).rstrip(".")
    except OutOfTime:
        why = f"that took more than {LONGEST_SCORING} s"
    except Exception as error:
        why = f"the record does not hold together ({type(error).__name__}: {error})"
    raise Problem(
        f"the conversation on {filed.transcript.case} cannot be scored: {why}; take the line out, or "
        f"leave out the run if its {HEADER} was edited.",
        place=folder / TRANSCRIPTS,
        line=_line_of(folder, filed),
    )


def _line_of(folder: Path, filed: Filed) -> int | None:
    stored = stored_lines(folder / TRANSCRIPTS)
    return next((one.number for one in stored if one.line.digest == filed.digest), None)


def _scored(folders: list[Path], processes: int) -> Iterator[list[Score]]:
    """The scores of these runs, each run by one process and one at a time."""
    workers = min(processes, workers_for(len(folders), stored_size(folders)))
    if workers < 2:
        yield from map(_score_run, folders)
        return
    with worker_pool(workers) as pool:
        for data in pool.map(_score_and_pack, folders):
            yield unpacked(data, _ANY).scores


_ANY = ScoreKey("", "")


def _score_and_pack(folder: Path) -> bytes:
    """Packed, scores are a tenth of the size and quickly passed between processes."""
    return packed(_ANY, _score_run(folder))


def _score_run(folder: Path) -> list[Score]:
    """Score the conversations that have no score yet; the others are not even decoded."""
    header, key = read_header(folder), score_key(folder)
    by_digest = {one.verdict.transcript: one for one in known_scores(folder, key).scores}
    scores: list[Score] = []
    roll = Roll(header)
    for stored in stored_lines(folder / TRANSCRIPTS):
        if one := by_digest.get(stored.line.digest):
            roll.tick(stored, one.verdict.case)
        else:
            one = scored_in(folder, roll.read(stored), header)
        scores.append(one)
    _keep(folder, key, scores)
    return scores


def _keep(folder: Path, key: ScoreKey, scores: list[Score]) -> None:
    """Keep what was scored, unless the run grew in the meantime."""
    if score_key(folder) == key:
        keep_scores(folder, packed(key, scores))


def opinions_in(folder: Path) -> list[Judgement]:
    """What judges were asked about the conversations of a run; only what has evidence in them is not void."""
    on_file = read_judgements(folder)
    if not on_file:
        return []
    judged = {one.transcript for one in on_file}
    stored = (one.decoded() for one in stored_lines(folder / TRANSCRIPTS) if one.line.digest in judged)
    return with_evidence(on_file, stored, read_header(folder))


def _scored_run(folder: Path, scores: list[Score]) -> ScoredRun:
    judgements = [one.judgement for one in scores if one.judgement]
    on_file = opinions_in(folder)
    answers = finding_answers(on_file)
    header = read_header(folder)
    verdicts = [settled(one.verdict, answers, header.vocabulary) for one in scores]
    set_aside = read_set_aside(folder, [one.case for one in verdicts])
    return ScoredRun(header, verdicts, (*judgements, *on_file), set_aside)


def of_agent(runs: list[ScoredRun], name: str) -> list[ScoredRun]:
    """The runs of one agent among these."""
    found = [run for run in runs if run.header.agent == name]
    if not found:
        known = sorted({run.header.agent for run in runs})
        near = did_you_mean(name, known)
        raise Problem(f"there is no run of {name!r} here; the agents are {', '.join(known)}.{near}")
    return found
