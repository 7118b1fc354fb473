"""JSONL: records in a file, one line of JSON each.

A line goes to the operating system in one write, so killing the process at any moment loses none that was
added. A kill can tear only the last line: readers skip it, and a writer that resumes cuts it off.
"""

import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.storage.record_file import unreadable

Kind = TypeVar("Kind")


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every line that was written to its end, with its number; none, if there is no such file."""
    try:
        if not path.exists() and not path.is_symlink():
            return
        if not path.is_file():
            raise Problem("is not a file of JSON lines; move it away.", place=path)
        with path.open("rb") as lines:
            for number, line in enumerate(lines, start=1):
                if not line.endswith(b"\n"):
                    return
                yield number, line
    except OSError as error:
        raise Problem(f"cannot be read ({error.strerror}).", place=path) from None


def read_lines(path: Path, kind: type[Kind], remedy: str = "") -> Iterator[Kind]:
    """Every record in a file; a Problem names the line that holds none, and what can be done about it."""
    for number, line in whole_lines(path):
        try:
            yield from_json(line, kind)
        except msgspec.MsgspecError as error:
            raise unreadable(error, path, number, remedy) from None


def add_line(file: IO[bytes], line: bytes, place: Path) -> None:
    """Put one line at the end of an unbuffered file; it is safe when this returns."""
    try:
        if file.write(line) != len(line):
            raise OSError(28, "No space left on device")
    except OSError as error:
        raise disk_problem(place, error) from None


def damaged_path(path: Path) -> Path:
    """Where unreadable lines of this file are kept, for people to look at."""
    return path.with_name(f"{path.name}.damaged")


def set_aside(path: Path, lines: Iterable[bytes]) -> None:
    """Keep these lines in a second file next to the one they cannot stay in, each once."""
    place = damaged_path(path)
    try:
        known = set(place.read_bytes().splitlines()) if place.exists() else set()
        with place.open("ab") as file:
            file.writelines(
                line.rstrip(b"\r\n") + b"\n" for line in lines if line.rstrip(b"\r\n") not in known
            )
            file.flush()
            os.fsync(file.fileno())
    except OSError as error:
        raise disk_problem(place, error) from None


def cut_torn_line(file: IO[bytes]) -> int:
    """Truncate after the last whole line; how many bytes were cut."""
    size = file.seek(0, os.SEEK_END)
    keep = size
    while keep:
        step = min(65_536, keep)
        file.seek(keep - step)
        end = file.read(step).rfind(b"\n")
        if end >= 0:
            keep = keep - step + end + 1
            break
        keep -= step
    if keep < size:
        file.truncate(keep)
    file.seek(0, os.SEEK_END)
    return size - keep


def disk_problem(place: Path, error: OSError) -> Problem:
    """What a disk that is full or read-only means for a run."""
    return Problem(
        f"cannot be written ({error.strerror}); what is finished stays on file, "
        "make room and run the same command again.",
        place=place,
    )
