"""JSON file: a file with one record; every fault is reported with file and line."""

import re
from pathlib import Path
from typing import TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json

Kind = TypeVar("Kind")

REPAIR = "`sab repair` saves the rest"
"""What can be done about a damaged file of a run."""

_BYTE = re.compile(r"\(byte (\d+)\)")


def read_file(path: Path) -> bytes:
    """The bytes of a regular file; a pipe or a device, which may never end, is refused."""
    try:
        if path.exists() and not path.is_file():
            raise Problem(
                f"is {'a folder' if path.is_dir() else 'a pipe or a device'}, not a file.", place=path
            )
        return path.read_bytes()
    except FileNotFoundError:
        raise Problem("there is no such file.", place=path) from None
    except OSError as error:
        raise Problem(f"cannot be read ({error.strerror}).", place=path) from None


def read_record(path: Path, kind: type[Kind], remedy: str = "") -> Kind:
    """The record in this file, or a Problem that says what is wrong on which line, and what can be done."""
    return record_in(read_file(path), kind, path, remedy)


def record_in(data: bytes, kind: type[Kind], path: Path, remedy: str = "") -> Kind:
    """The same for bytes that were read from there."""
    try:
        return from_json(data, kind)
    except msgspec.MsgspecError as error:
        raise unreadable(error, path, line_of_fault(data, error), remedy) from None


def unreadable(error: msgspec.MsgspecError, path: Path, line: int | None, remedy: str = "") -> Problem:
    """What is wrong with a file or one of its lines."""
    return Problem(f"cannot be read: {error}{remedy and f'; {remedy}'}.", place=path, line=line)


def line_of_fault(data: bytes, error: msgspec.MsgspecError) -> int | None:
    """The line that an error is about; None: the error names a field, and no place in the file."""
    if isinstance(error, msgspec.ValidationError):
        return None
    place = _BYTE.search(str(error))
    return data[: int(place[1]) if place else None].count(b"\n") + 1
