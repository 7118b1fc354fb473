"""Merge: the parts of a job, put together as the archive that one machine would have written.

Conversations are stored in the order in which they were planned. A part that does not belong to the others,
or that differs from one of them on the same conversation, is refused before anything is written. What is
missing is said, and the `sab run` command without `--shard` plays it.
"""

from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import NamedTuple

from supportagentbench.checks import score
from supportagentbench.models.answer_cache import ANSWERS, REMEDY, CachedAnswer
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.set_aside import SetAside
from supportagentbench.records.shard import Shard
from supportagentbench.records.transcript import EXTERNAL_CAUSES
from supportagentbench.storage.archive import (
    ERRORS,
    HEADER,
    JUDGEMENTS,
    begun_in,
    folder_name,
    has_header,
    header_bytes,
    is_being_written,
    lock_folder,
    newcomer,
    read_header,
    refuse_other_version,
    runs_of,
)
from supportagentbench.storage.bucket import NoRuns, restored
from supportagentbench.storage.file import make_folder, write_whole
from supportagentbench.storage.in_flight import IN_FLIGHT, continues
from supportagentbench.storage.jsonl import read_lines
from supportagentbench.storage.place import check_folder, inside, refuse_links, url_of
from supportagentbench.storage.record_file import REPAIR
from supportagentbench.storage.set_aside import SET_ASIDE, read_set_aside
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, Roll, StoredLine, stored_lines

OF_THE_JOB = (
    "world",
    "world_digest",
    "policy_digest",
    "today",
    "set",
    "seed",
    "customer",
    "turn_limit",
    "package",
    "channel",
    "desk",
    "replayed",
)
"""Fields in which all runs of a job agree, whatever the agent."""


class MergedRun(NamedTuple):
    """One run, put together from its parts."""

    header: Run
    folders: Mapping[Path, Run]
    """Where its parts are, with the header of each, in the order of their numbers."""
    stored: Mapping[str, StoredLine]
    """By case, the conversation that counts."""
    aside: Mapping[Path, list[StoredLine]]
    """By folder, the attempts that do not count, of those that are in other files until now."""

    @property
    def missing(self) -> tuple[str, ...]:
        """Planned conversations that no part has."""
        return tuple(case for case in self.header.cases if case not in self.stored)


class Merged(NamedTuple):
    """An archive that was put together."""

    runs: tuple[MergedRun, ...]
    shards: tuple[Shard, ...]
    """What the parts say that they are; none, if all runs were whole."""
    empty: tuple[Path, ...]
    """Places in which there is no run."""

    @property
    def stored(self) -> int:
        """Conversations that there are."""
        return sum(len(one.stored) for one in self.runs)

    @property
    def planned(self) -> int:
        """Conversations of the whole job, those of runs that no part has included."""
        known = sum(len(one.header.cases) for one in self.runs)
        return max((known, *(shard.conversations for shard in self.shards)))

    @property
    def missing(self) -> list[tuple[Run, str]]:
        """The conversations that no part has, of runs of which there is a part."""
        return [(one.header, case) for one in self.runs for case in one.missing]

    @property
    def missing_parts(self) -> tuple[int, ...]:
        """The numbers of parts of which there is no run, if conversations are missing."""
        found, of = {shard.part for shard in self.shards}, max((one.of for one in self.shards), default=0)
        is_whole = self.stored == self.planned
        return () if is_whole else tuple(part for part in range(1, of + 1) if part not in found)

    @property
    def is_whole(self) -> bool:
        return self.stored == self.planned and not self.empty


def merge(parts: Sequence[Path], out: Path) -> Merged:
    """Put the runs in these places together in a folder; what is there of them already counts as a part."""
    check_folder(out)
    with TemporaryDirectory(prefix="sab-merge-") as scratch, ExitStack() as locked:
        here = {part: _here(part, Path(scratch) / str(number)) for number, part in enumerate(parts)}
        found = {part: [*_folders_in(place)] if place else [] for part, place in here.items()}
        folders = dict.fromkeys(folder for its in found.values() for folder in its)
        if not folders:
            raise Problem("holds no runs; `sab run --shard` makes parts.", place=", ".join(map(str, parts)))
        headers = _with_earlier({folder: read_header(folder) for folder in folders}, out, locked)
        _refuse_strangers(headers)
        runs = tuple(_merged_runs(headers))
        for one in runs:
            _check(one, out)
        for one in runs:
            _write(one, out, locked)
    shards = tuple(header.shard for header in headers.values() if header.shard)
    return Merged(runs, shards, tuple(part for part, its in found.items() if not its))


def _here(part: Path, folder: Path) -> Path | None:
    """Where a part is on this machine; one in a bucket is brought to a folder. None: there is nothing."""
    if not (url := url_of(part)):
        return part if part.is_dir() else None
    try:
        restored(url, folder)
    except NoRuns:
        return None
    return folder


def _folders_in(place: Path) -> list[Path]:
    """The run folders in a place: a run, a folder of runs, or a folder of such folders."""
    if has_header(place):
        return [place]
    return begun_in(place) or [
        folder for below in sorted(place.iterdir()) if below.is_dir() for folder in begun_in(below)
    ]


def _with_earlier(headers: dict[Path, Run], out: Path, locked: ExitStack) -> dict[Path, Run]:
    """These runs, and what is there of them already, which nobody else writes to until they are merged."""
    places = dict.fromkeys(inside(out, folder_name(header)) for header in headers.values())
    known = {place.resolve() for place in places}
    for folder in headers:
        if out.resolve() in folder.resolve().parents and folder.resolve() not in known:
            raise Problem("is a part, in the folder of the result; choose another with --out.", place=folder)
    for place in filter(has_header, places):
        locked.enter_context(lock_folder(place))
    others = {folder: header for folder, header in headers.items() if folder.resolve() not in known}
    for folder, header in headers.items():
        if header.shard and folder not in others:
            raise Problem("is one of the parts; choose another folder with --out.", place=folder)
    return others | {place: read_header(place) for place in places if has_header(place)}


def _refuse_strangers(headers: Mapping[Path, Run]) -> None:
    """Stop at a run that cannot be of the same job as the first one, or that is still being written."""
    first, before = next(iter(headers.items()))
    shard: Shard | None = None
    for folder, header in headers.items():
        refuse_links(folder)
        if header.shard and is_being_written(folder):
            raise Problem("is being written by another process; wait until it has ended.", place=folder)
        if other := [name for name in OF_THE_JOB if getattr(header, name) != getattr(before, name)]:
            raise Problem(
                f"was made with another {' and '.join(other)} than {first}; only parts of one job can be "
                "put together.",
                place=folder,
            )
        if header.shard:
            shard = shard or header.shard
            if (header.shard.of, header.shard.deal) != (shard.of, shard.deal):
                raise Problem(
                    f"is {header.shard.shown} of another job than {first} ({shard.shown}): its agents, cases "
                    "or number of runs differ.",
                    place=folder,
                )


def _merged_runs(headers: Mapping[Path, Run]) -> Iterator[MergedRun]:
    """The runs, in the order of their names, each with the conversations of all its parts."""
    alike: dict[str, list[Path]] = defaultdict(list)
    for folder in sorted(headers, key=lambda one: _part(headers[one])):
        alike[folder_name(headers[folder])].append(folder)
    for _, folders in sorted(alike.items()):
        whole = headers[folders[0]].whole
        for folder in folders[1:]:
            refuse_other_version(folder, whole)
            _refuse_other(folder, headers[folder].whole, folders[0], whole)
        yield _merged_run(whole, {folder: headers[folder] for folder in folders})


def _part(header: Run) -> int:
    return header.shard.part if header.shard else 0


def _refuse_other(folder: Path, header: Run, first: Path, whole: Run) -> None:
    if other := [name for name in whole.__struct_fields__ if getattr(header, name) != getattr(whole, name)]:
        raise Problem(
            f"was made with another {' and '.join(other)} than {first}; only parts of one run can be put "
            "together.",
            place=folder,
        )


def _merged_run(whole: Run, folders: Mapping[Path, Run]) -> MergedRun:
    """One run: of every case what counts, by the rules by which an interrupted run is resumed.

    A conversation that broke off for an external cause is missing. An attempt that was in flight is part of
    the stored conversation, or is set aside; if something unsafe was carried out in it, it counts instead.
    """
    stored, aside = dict[str, StoredLine](), defaultdict[Path, list[StoredLine]](list)
    known = {one.line.digest for folder in folders for one in stored_lines(folder / BROKEN)}
    for folder, header in folders.items():
        roll = Roll(header)
        for line in stored_lines(folder / TRANSCRIPTS):
            filed = roll.read(line)
            case = filed.transcript.case
            if filed.transcript.ending.cause in EXTERNAL_CAUSES and not score(filed, whole).counts:
                aside[folder].append(line)
                continue
            other = stored.setdefault(case, line)
            if other.line.digest == line.line.digest or line.line.digest in known:
                continue
            if other.line.digest in known:  # Another copy has set it aside already.
                stored[case] = line
            else:
                raise line.problem(
                    f"has another conversation on {case} than {other.path}:{other.number}; keep one of the "
                    "two parts."
                )
    for folder, header in folders.items():
        roll = Roll(header)
        for line in stored_lines(folder / IN_FLIGHT):
            attempt = roll.own(line)
            counted = stored.get(attempt.transcript.case)
            if counted is None or continues(counted.decoded().transcript, attempt.transcript):
                continue
            is_final = score(attempt, whole).counts and not _is_attempt(counted)
            aside[folder].append(counted if is_final else line)
            if is_final:
                stored[attempt.transcript.case] = line
    return MergedRun(whole, folders, stored, aside)


def _is_attempt(line: StoredLine) -> bool:
    return line.path.name == IN_FLIGHT


def _check(run: MergedRun, out: Path) -> None:
    """Read everything once before anything is written, so that what is damaged stops the whole."""
    for folder in runs_of(out, run.header.agent):
        refuse_other_version(folder, run.header)
    for folder, header in run.folders.items():
        roll = Roll(header)
        for line in stored_lines(folder / BROKEN):
            roll.own(line)
    for _ in _contents(run, inside(out, folder_name(run.header))):
        pass


def _write(run: MergedRun, out: Path, locked: ExitStack) -> None:
    """Write one run; a kill leaves a folder that the same command completes."""
    place = inside(out, folder_name(run.header))
    if place not in run.folders:
        make_folder(place)
        refuse_links(place)
        locked.enter_context(lock_folder(place))
        if has_header(place):
            raise newcomer(place)
    for name, lines in _contents(run, place):
        data = b"".join(lines)
        if data or (place / name).exists():
            write_whole(place / name, data)
    write_whole(place / HEADER, header_bytes(run.header))


def _contents(run: MergedRun, place: Path) -> Iterator[tuple[str, list[bytes]]]:
    """The files of a run and their lines; what a resumed run has to know comes before what it would skip."""
    stored = run.stored

    def joined(lines: Callable[[Path], Iterable[Record]]) -> list[bytes]:
        return _joined([[_line(one) for one in lines(folder)] for folder in run.folders])

    def answers(folder: Path) -> Iterator[Record]:
        found = read_lines(folder / ANSWERS, CachedAnswer, REMEDY)
        return (one for one in found if one.case not in stored)

    def in_flight(folder: Path) -> Iterator[Record]:
        found = stored_lines(folder / IN_FLIGHT)
        return (one.line for one in found if one.decoded().transcript.case not in stored)

    def broken(folder: Path) -> Iterator[Record]:
        lines = (*stored_lines(folder / BROKEN), *run.aside.get(folder, ()))
        return (one.line for one in lines)

    yield ANSWERS, joined(answers)
    yield IN_FLIGHT, joined(in_flight)
    yield BROKEN, joined(broken)
    yield ERRORS, joined(lambda folder: read_lines(folder / ERRORS, AgentError, REPAIR))
    yield SET_ASIDE, joined(lambda folder: _told_elsewhere(folder, is_here=folder == place))
    yield JUDGEMENTS, joined(lambda folder: read_lines(folder / JUDGEMENTS, Judgement, REPAIR))
    yield TRANSCRIPTS, [_line(stored[case].line) for case in run.header.cases if case in stored]


def _line(record: Record) -> bytes:
    return to_json(record) + b"\n"


def _joined(sources: Iterable[Iterable[bytes]]) -> list[bytes]:
    """The lines of all sources, each as often as the source has it that has it most often."""
    found: Counter[bytes] = Counter()
    lines = []
    for source in sources:
        here: Counter[bytes] = Counter()
        for line in source:
            here[line] += 1
            if here[line] > found[line]:
                found[line] += 1
                lines.append(line)
    return lines


def _told_elsewhere(folder: Path, *, is_here: bool) -> list[SetAside]:
    """Attempts that do not count, of which the run's own folder has no conversation any more.

    `is_here`: the folder stays where it is, with what else tells of them beside it.
    """
    known = [*read_lines(folder / SET_ASIDE, SetAside, REPAIR)]
    if is_here:
        return known
    there = [stored.decoded().transcript.case for stored in stored_lines(folder / TRANSCRIPTS)]
    return known + [
        one for one in read_set_aside(folder, there)[len(known) :] if one.why in ("fresh", "gone")
    ]
