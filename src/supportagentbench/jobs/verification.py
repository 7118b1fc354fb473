"""Verification: decides which agents' results are verified. It is the only place that does.

What costs nothing is looked at first; conversations are played again only where that decides the status.
`sab site verify` plays all of them again in any case.
"""

import time
from collections import defaultdict
from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import UTC, datetime
from pathlib import Path

from supportagentbench.agents.shipped import ShippedAgent
from supportagentbench.jobs.borrowed import borrowed_words
from supportagentbench.jobs.rederive import DerivedRun, obstacle_of, part_of, rederive
from supportagentbench.jobs.repeats import repeated_words
from supportagentbench.jobs.secret import NO_SECRET, Secret
from supportagentbench.records.counts import counted
from supportagentbench.records.run import IsolationKind, Run
from supportagentbench.records.selection import selection_signs
from supportagentbench.records.verification import Verification
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.jsonl import whole_lines
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.set_aside import read_set_aside
from supportagentbench.storage.transcripts import TRANSCRIPTS, read_transcripts, stored_lines

READS: dict[IsolationKind, str] = {
    "none": "its code ran in the benchmark's process",
    "process": "its code could read the files of its machine, and so the cases",
}
"""Where an agent's code can read cases and labels: of stored conversations, too, if files are open to it."""

DAY = 24 * 60 * 60.0
"""Seconds."""

Derive = Callable[[Sequence[Path]], list[DerivedRun]]


def verifications_of(
    paths: Iterable[Path],
    secret: Secret = NO_SECRET,
    derive: Derive | None = None,
    *,
    is_published: bool = True,
) -> dict[str, Verification]:
    """The status of every agent in these places, by the name in its runs; `secret` is what is revealed.

    `is_published`: whether everybody gets all conversations, and so can derive them again.
    """
    by_agent: dict[str, list[Path]] = defaultdict(list)
    for folder in distinct_runs(paths).folders:
        by_agent[read_header(folder).agent].append(folder)
    unpublished = [] if is_published else ["its conversations are not published"]
    doubts = {
        agent: [*dict.fromkeys([*_known(folders, secret), *unpublished])]
        for agent, folders in by_agent.items()
    }
    again = derive or (lambda folders: rederive(folders, secret=secret))
    for agent in [agent for agent, found in doubts.items() if not found]:
        folders = by_agent[agent]
        doubts[agent] = [*_rerolled(folders), *_derived(again(folders)), *repeated_words(folders).likeness]
        doubts[agent] += borrowed_words(folders[0], secret)
    return {agent: Verification(tuple(found)) for agent, found in doubts.items()}


def _known(folders: Sequence[Path], secret: Secret) -> Iterator[str]:
    """What headers and counts alone say against an agent's results."""
    headers = [read_header(folder) for folder in folders]
    if ShippedAgent.of(headers[0].agent):
        yield "it comes with the benchmark"
    if any(header.case_seed.isdecimal() for header in headers):
        yield "public cases: an agent may know them"
    yield from (READS[header.isolation] for header in headers if header.isolation in READS)
    if any(header.replayed for header in headers):
        yield "model answers were replayed from a recording"
    yield from selection_signs(headers)
    yield from filter(None, [dated_ahead(folders)])
    planned = sum(len(header.cases) for header in headers)
    if missing := planned - sum(_count(folder) for folder in folders):
        yield f"{missing} of {counted(planned, 'planned conversation')} are missing"
    yield from filter(None, (part_of(header, secret) for header in headers))
    yield from _obstacles(headers, secret)


def dated_ahead(folders: Iterable[Path]) -> str:
    """How many conversations began at a time that is yet to come; a day is left to clocks and time zones."""
    began = [one.line.started for folder in folders for one in stored_lines(folder / TRANSCRIPTS)]
    ahead = [moment for moment in began if moment > time.time() + DAY]
    if not ahead:
        return ""
    day = datetime.fromtimestamp(max(ahead), UTC).date()
    are = "is" if len(ahead) == 1 else "are"
    return f"{len(ahead)} of {counted(len(began), 'conversation')} {are} dated in the future, up to {day}"


def _count(folder: Path) -> int:
    return sum(1 for _ in whole_lines(folder / TRANSCRIPTS))


def _obstacles(headers: Iterable[Run], secret: Secret) -> Iterator[str]:
    for header in headers:
        if found := obstacle_of(header, secret):
            yield f"its conversations cannot be derived again: {found}"


def _rerolled(folders: Iterable[Path]) -> Iterator[str]:
    """Attempts that took another one's place although something had been done, or it is not known what."""
    attempts = [
        one
        for folder in folders
        for one in read_set_aside(folder, [filed.transcript.case for filed in read_transcripts(folder)])
    ]
    rerolled = [one for one in attempts if one.writes != 0 or one.why in ("fresh", "gone")]
    if rerolled:
        yield f"{counted(len(rerolled), 'attempt')} set aside after a change, or started over"


def _derived(runs: Iterable[DerivedRun]) -> Iterator[str]:
    """What playing the conversations again says against them."""
    runs = list(runs)
    yield from (f"its conversations cannot be derived again: {run.obstacle}" for run in runs if run.obstacle)
    if wrong := sum(len(run.differences) for run in runs):
        of = counted(sum(run.conversations for run in runs), "conversation")
        yield f"{wrong} of {of} are not as their cases give them"
    if uncounted := uncounted_in(runs):
        yield uncounted


def uncounted_in(runs: Sequence[DerivedRun]) -> str:
    """How many planned conversations ended outside the agent, whose failures may be among them."""
    uncounted = sum(run.uncounted for run in runs)
    planned = counted(sum(len(run.header.cases) for run in runs), "planned conversation")
    words = "does not count" if uncounted == 1 else "do not count"
    return f"{uncounted} of {planned} {words}" if uncounted else ""
