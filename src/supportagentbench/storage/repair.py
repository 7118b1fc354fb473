"""Repair: a damaged run, made readable again. What cannot be read is set aside; nothing is deleted."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from os.path import lexists
from pathlib import Path
from typing import Any, NamedTuple

import msgspec

from supportagentbench.records.judgement import Judgement
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, from_json
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.archive import HEADER, JUDGEMENTS, lock_folder, read_header
from supportagentbench.storage.file import disk_problem, open_reading, replacing
from supportagentbench.storage.in_flight import IN_FLIGHT
from supportagentbench.storage.jsonl import damaged_path, lines_in, set_aside
from supportagentbench.storage.place import refuse_link, refuse_links
from supportagentbench.storage.transcripts import BROKEN, TRANSCRIPTS, ArchiveLine


class RepairedFile(NamedTuple):
    """The repair of one file of a run."""

    path: Path
    kept: int = 0
    """Records that can be read."""
    lost: tuple[str, ...] = ()
    """A sentence for each that was set aside."""


LineReader = Callable[[bytes], None]
"""Raises a Problem or a MsgspecError at a line that cannot be read."""


def damaged_runs(paths: Iterable[Path]) -> list[Path]:
    """The runs among these paths and directly below them, those without a header included."""
    found: list[Path] = []
    for path in paths:
        try:
            below = [path] if _is_run(path) else sorted(one for one in path.iterdir() if _is_run(one))
        except OSError as error:
            raise Problem(f"is not a folder of runs ({error.strerror}).", place=path) from None
        for folder in below if below != [path] else ():
            refuse_link(folder)
        if not below:
            raise Problem("holds no runs.", place=path)
        found += below
    return found


def _is_run(folder: Path) -> bool:
    return any(lexists(folder / name) for name in (HEADER, TRANSCRIPTS))


def repair_run(folder: Path, others: Mapping[str, Any]) -> list[RepairedFile]:
    """Repair the files of a run; `others` are kept there by other rooms, one record of this kind a line."""
    refuse_links(folder)
    try:
        with lock_folder(folder):
            header, first = _repair_header(folder)
            readers: dict[str, LineReader] = {
                TRANSCRIPTS: TranscriptReader(header, only_once=True),
                BROKEN: TranscriptReader(header, only_once=False),
                IN_FLIGHT: TranscriptReader(header, only_once=False),
                JUDGEMENTS: _record_reader(Judgement),
                **{name: _record_reader(kind) for name, kind in others.items()},
            }
            found = (folder / name for name in readers if lexists(folder / name))
            return [first, *[_repair_lines(path, readers[path.name]) for path in found]]
    except OSError as error:
        raise disk_problem(folder, error) from None


def _repair_header(folder: Path) -> tuple[Run | None, RepairedFile]:
    """The header; a damaged one is moved away, so that the same command can write it."""
    path = folder / HEADER
    try:
        return read_header(folder), RepairedFile(path, kept=1)
    except Problem as problem:
        if problem.place == folder and path.exists():
            raise  # Another version's: it is not damaged.
        why = problem.sentence
    if lexists(path):
        path.rename(_unused(damaged_path(path)))
    remedy = "The `sab run` command that began this run writes it again and keeps the conversations"
    return None, RepairedFile(path, lost=(f"{HEADER}: {why} {remedy}.",))


def _unused(path: Path) -> Path:
    """This name, or the next free one with a number."""
    number, free = 1, path
    while lexists(free):
        number += 1
        free = path.with_name(f"{path.name}{number}")
    return free


class TranscriptReader:
    """Reads conversations of one run: one that is changed, repeated or from another run is set aside."""

    def __init__(self, header: Run | None, *, only_once: bool) -> None:
        self.header = header
        self.only_once = only_once
        self._seen: set[str] = set()

    def __call__(self, line: bytes) -> None:
        stored = from_json(line, ArchiveLine)
        body = bytes(stored.transcript)
        if digest(body) != stored.digest:
            raise Problem("was changed after it was written")
        self._check(from_json(body, Transcript))

    def _check(self, transcript: Transcript) -> None:
        header, case = self.header, transcript.case
        if header and (case not in header.cases or transcript.run != header.run):
            raise Problem(f"has {case!r} of run {transcript.run}, which does not belong here")
        if self.only_once and case in self._seen:
            raise Problem(f"has the conversation {case!r} a second time")
        self._seen.add(case)


def _record_reader(kind: Any) -> LineReader:
    def read(line: bytes) -> None:
        from_json(line, kind)

    return read


def _repair_lines(path: Path, read: LineReader) -> RepairedFile:
    """Keep every good line as it is and in its place, and set the others aside."""
    if not path.is_file():
        path.rename(_unused(damaged_path(path)))
        return RepairedFile(path, lost=(f"{path.name}: is not a file.",))
    bad, lost, number, is_torn = dict[int, bytes](), list[str](), 0, False
    for number, line in _lines(path):
        is_torn = not line.endswith(b"\n")
        try:
            read(_ended(line))
        except (Problem, msgspec.MsgspecError) as error:
            lost.append(f"{path.name}:{number}: {error}.")
            bad[number] = line
    if bad or is_torn:
        set_aside(path, bad.values())
        with replacing(path) as made:
            made.writelines(_ended(line) for at, line in _lines(path) if at not in bad)
    return RepairedFile(path, number - len(bad), tuple(lost))


def _lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every line with its number, even a last one without its end."""
    with open_reading(path) as file:
        yield from lines_in(file, path, torn=True)


def _ended(line: bytes) -> bytes:
    return line if line.endswith(b"\n") else line + b"\n"
