"""Recorded forks: the decisions of a run of forks, taken again from the conversations that they came from."""

from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import NamedTuple

from supportagentbench.forks.fork import Fork
from supportagentbench.forks.source import SourceConversation
from supportagentbench.records.fork import ForkPoint
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import Run
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import TRANSCRIPTS, Filed, stored_lines
from supportagentbench.world.drawn_cases import DrawnCases


class RecordedForks(NamedTuple):
    """The forks of a run whose recorded conversations were found."""

    forks: dict[str, Fork]
    """By id."""
    wrong: list[str]
    """One sentence for every fork that does not come out as its header has it."""


def recorded_forks(header: Run, cases: DrawnCases, sources: Iterable[Path]) -> RecordedForks:
    """Take the forks of a run again from these runs; one without its conversation is left out."""
    found = RecordedForks({}, [])
    known = _conversations(tuple(sources), frozenset(point.transcript for point in header.forks))
    for point in header.forks:
        if point.transcript not in known:
            continue
        its, filed = known[point.transcript]
        try:
            fork = _fork(point, SourceConversation(its, filed, point.unsafe), cases)
        except (Problem, LookupError):
            found.wrong.append(f"the conversation that the fork {point.id} was taken from has no such place")
            continue
        found.forks[point.id] = fork
        if fork.point != point:
            found.wrong.append(f"the fork {point.id} is not the one that its recorded conversation gives")
    return found


def _fork(point: ForkPoint, source: SourceConversation, cases: DrawnCases) -> Fork:
    fork = source.fork(point.rule, point.turn, point.call)
    return fork.having(cases, point.facts) if point.facts else fork


@cache  # All runs of a job have the same forks.
def _conversations(sources: tuple[Path, ...], wanted: frozenset[str]) -> dict[str, tuple[Run, Filed]]:
    """The conversations with these digests, by digest, each with the header of its run."""
    return {
        stored.line.digest: (read_header(folder), stored.decoded())
        for folder in (distinct_runs(sources).folders if sources else ())
        for stored in stored_lines(folder / TRANSCRIPTS)
        if stored.line.digest in wanted
    }
