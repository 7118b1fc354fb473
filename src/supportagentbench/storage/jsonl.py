"""JSONL: records in a file, one line of JSON each.

A line goes to the operating system in one write, so killing the process at any moment loses none that was
added. A kill can tear only the last line: readers skip it, and a writer that resumes cuts it off.
"""

import os
import re
from collections.abc import Iterable, Iterator
from itertools import count, islice
from pathlib import Path
from typing import IO, TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.storage.file import (
    LONGEST_LINE,
    MOST_VALUES,
    NoSuchFile,
    append,
    disk_problem,
    open_reading,
    read_problem,
)
from supportagentbench.storage.record_file import unreadable

Kind = TypeVar("Kind")

_TEXT_OR_VALUE = re.compile(rb'"(?:[^"\\]++|\\.)*+"|(?P<value>[,\[{])')
"""Of a line of JSON: a text, or what begins another value."""


def whole_lines(path: Path) -> Iterator[tuple[int, bytes]]:
    """Every line that was written to its end, with its number; none, if there is no such file."""
    try:
        with open_reading(path) as file:
            yield from lines_in(file, path)
    except NoSuchFile:
        return


def lines_in(file: IO[bytes], path: Path, *, torn: bool = False) -> Iterator[tuple[int, bytes]]:
    """The same for a file that is open; `torn`: and what follows the last whole line, if anything does."""
    for number in count(1):
        try:
            line = file.readline(LONGEST_LINE)
        except OSError as error:
            raise read_problem(path, error) from None
        is_whole = line.endswith(b"\n")
        if len(line) == LONGEST_LINE and not is_whole:
            sentence = f"is longer than {LONGEST_LINE:,} bytes; take the line out."
            raise Problem(sentence, place=path, line=number)
        if len(line) > MOST_VALUES and has_many_values(line):
            sentence = f"has more than {MOST_VALUES:,} values; take the line out."
            raise Problem(sentence, place=path, line=number)
        if is_whole or (torn and line):
            yield number, line
        if not is_whole:
            return


def has_many_values(line: bytes) -> bool:
    """Whether reading a line would take far more memory than the line does."""
    if sum(map(line.count, (b",", b"[", b"{"))) <= MOST_VALUES:
        return False  # There are not even as many in its texts.
    values = (None for found in _TEXT_OR_VALUE.finditer(line) if found["value"])
    return any(True for _ in islice(values, MOST_VALUES, None))


def read_lines(path: Path, kind: type[Kind], remedy: str = "") -> Iterator[Kind]:
    """Every record in a file; a Problem names the line that holds none, and what can be done about it."""
    for number, line in whole_lines(path):
        try:
            yield from_json(line, kind)
        except msgspec.MsgspecError as error:
            raise unreadable(error, path, number, remedy) from None


def add_line(file: IO[bytes], line: bytes, place: Path) -> None:
    """Put one line at the end of an unbuffered file; it is safe when this returns."""
    if len(line) > LONGEST_LINE:
        raise Problem(f"cannot take a line of {len(line):,} bytes; at most {LONGEST_LINE:,}.", place=place)
    if has_many_values(line):
        raise Problem(f"cannot take a line of more than {MOST_VALUES:,} values.", place=place)
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
    known = {line for _, line in whole_lines(place)}
    ended = (line.rstrip(b"\r\n") + b"\n" for line in lines)
    append(place, b"".join(line for line in ended if line not in known))


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
