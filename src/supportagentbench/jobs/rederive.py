"""Rederive: draws the cases of recorded runs again and plays every conversation on them again.

Only worlds that come with the package are opened: a run from elsewhere may name any folder.
"""

import asyncio
import re
from collections.abc import Iterable, Iterator, Sequence
from functools import cache, partial
from pathlib import Path
from typing import NamedTuple

from supportagentbench.concurrency.worker_pool import worker_pool, workers_for
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.forks.fork import ForkPlay
from supportagentbench.jobs.possible_ending import counts
from supportagentbench.jobs.recorded_forks import recorded_forks
from supportagentbench.jobs.reenactment import Reenactment
from supportagentbench.jobs.secret import NO_SECRET, Secret
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import read_back, to_json
from supportagentbench.records.run import DeskKind, Run
from supportagentbench.records.version import __version__
from supportagentbench.runner.play import CaseStage
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts, stored_size
from supportagentbench.world.drawn_cases import DrawnCases
from supportagentbench.world.folder import shipped_worlds
from supportagentbench.world.redraw import redrawn

PRIVATE = "private:"
"""How the name of a draw begins that only a secret makes again."""

DERIVED = ("world_digest", "policy_digest", "policy", "today", "turn_limit", "rules", "vocabulary")
"""Parts of a header that follow from the world."""


class DerivedRun(NamedTuple):
    """What came of playing one run again."""

    header: Run
    conversations: int = 0
    """How many were played again."""
    differences: tuple[str, ...] = ()
    """One sentence for every conversation that is not as recorded, and for the header."""
    left_out: int = 0
    """Conversations that were not played again."""
    obstacle: str = ""
    """Why they were not."""
    uncounted: int = 0
    """Conversations among those played again that ended for reasons outside the agent and do not count."""
    part: str = ""
    """Which part of a whole set was planned, if not all of one."""


def rederive(
    folders: Sequence[Path], sources: Iterable[Path] = (), secret: Secret = NO_SECRET
) -> list[DerivedRun]:
    """Play the runs in these folders again; forks need the runs that they were taken from, the `sources`."""
    play = partial(rederive_run, sources=tuple(sources), secret=secret)
    workers = workers_for(len(folders), stored_size(folders))
    if not workers:
        return [play(folder) for folder in folders]
    with worker_pool(workers) as pool:
        return list(pool.map(play, folders))


def rederive_run(folder: Path, sources: tuple[Path, ...] = (), secret: Secret = NO_SECRET) -> DerivedRun:
    """Play the run in this folder again."""
    header = read_header(folder)
    if obstacle := obstacle_of(header, secret):
        count = sum(1 for _ in read_transcripts(folder))
        return DerivedRun(header, left_out=count, obstacle=obstacle)
    cases = _redrawn(header, secret)
    if not header.forks:
        stage = stage_of(header, secret)
        found = asyncio.run(_played_again(folder, stage, _header_differences(header, cases)))
        return found._replace(part=part_of(header, secret))
    forks, wrong = recorded_forks(header, cases, sources)
    stage = Reenactment(header, cases, ForkPlay(cases, forks))
    missing = frozenset(point.id for point in header.forks) - forks.keys()
    return asyncio.run(_played_again(folder, stage, [*_world_differences(header, cases), *wrong], missing))


def stage_of(header: Run, secret: Secret = NO_SECRET) -> Reenactment:
    """Where conversations of whole cases are played again; a Problem if they cannot be."""
    cases = _redrawn(header, secret)
    return Reenactment(header, cases, CaseStage({header.case_seed: cases}))


def obstacle_of(header: Run, secret: Secret = NO_SECRET) -> str:
    """Why a run cannot be played again here; empty: it can."""
    try:
        _redrawn(header, secret)
    except Problem as problem:
        return str(problem).rstrip(".")
    return ""


def refuse_other_secret(headers: Iterable[Run], secret: Secret) -> None:
    """Raise a Problem for a private run whose cases this secret did not draw."""
    for header in headers:
        if header.case_seed.startswith(PRIVATE):
            _redrawn(header, secret)


async def _played_again(
    folder: Path, stage: Reenactment, wrong: Iterable[str], missing: frozenset[str] = frozenset()
) -> DerivedRun:
    """The run with the differences of its conversations; those in `missing` cannot be played."""
    header, played, left_out, uncounted = stage.header, 0, 0, 0
    found = [f"{header.agent} run {header.run}: {words}." for words in wrong]
    for filed in read_transcripts(folder):
        case = filed.transcript.case
        if case in missing:
            left_out += 1
            continue
        played += 1
        uncounted += not counts(filed, header)
        if words := await stage.difference(filed):
            found.append(f"{header.agent} run {header.run}, {case}: {words}.")
    obstacle = "the conversations that its forks were taken from are not here" if left_out else ""
    return DerivedRun(header, played, tuple(found), left_out, obstacle, uncounted)


class CaseSource(NamedTuple):
    """As much of a header as its cases depend on."""

    world: str
    world_digest: str
    policy_digest: str
    desk: DeskKind


def _redrawn(header: Run, secret: Secret) -> DrawnCases:
    """The cases of a run; a Problem says why they cannot be drawn here."""
    if header.package != __version__:
        raise Problem(f"it was made by version {header.package}, and this is {__version__}")
    if header.world not in shipped_worlds():
        raise Problem(f"the world {header.world} is not shipped")
    is_private = header.case_seed.startswith(PRIVATE)
    if not is_private and not re.fullmatch(r"(?a)\d{1,18}", header.case_seed):
        raise Problem(f"its case seed {header.case_seed[:80]!r} is not a number")
    if is_private and not secret:
        raise Problem("the secret that drew its cases has not been revealed")
    source = CaseSource(header.world, header.world_digest, header.policy_digest, header.desk)
    return _drawn(source, header.case_seed, secret)


@cache
def _drawn(source: CaseSource, case_seed: str, secret: Secret) -> DrawnCases:
    (cases,) = redrawn(source, [case_seed], secret=secret.reveal(), remedy="use the version that made it")
    return cases


def part_of(header: Run, secret: Secret = NO_SECRET) -> str:
    """Which part of a whole set a run planned, if not all of one; empty also if it cannot be known here."""
    try:
        cases = _redrawn(header, secret)
        planned = cases.names(header.set)
    except Problem:
        return ""
    if {*header.cases} != {*planned}:
        return f"{len(header.cases)} of the {len(planned)} cases of its set were run"
    if {part.strip() for part in header.set.split(",")} <= {*cases.sets}:
        return ""
    return f"{len(planned)} of the {len(cases.places)} cases were run, chosen by name"


def _header_differences(header: Run, cases: DrawnCases) -> Iterator[str]:
    """What a header says about its world and set, and they do not."""
    try:
        planned = cases.names(header.set)
    except Problem as problem:
        yield str(problem).rstrip(".")
        return
    if unknown := sorted({*header.cases} - {*planned}):
        yield f"the case {unknown[0]} is not in its set {header.set}"
    yield from _world_differences(header, cases)


def _world_differences(header: Run, cases: DrawnCases) -> Iterator[str]:
    made = header_of(cases, "all", header.agent, ScriptedVoice(), 1, 0, header.channel, header.desk)
    derived = read_back(made, Run)
    for field in DERIVED:
        if to_json(getattr(header, field)) != to_json(getattr(derived, field)):
            yield f"the header's {field} is not the one that its world gives"
