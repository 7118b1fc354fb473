"""Record file: one record per file, JSON or TOML, with every fault named by file and line."""

import re
import tomllib
from pathlib import Path
from typing import Any, TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.storage.file import LARGEST_RECORD, LARGEST_WRITTEN, read_bounded
from supportagentbench.storage.git_file import GitFile

Kind = TypeVar("Kind")

REPAIR = "`sab repair` saves the rest"
"""What can be done about a damaged file of a run."""

_BYTE = re.compile(r"\(byte (\d+)\)")


def read_record(path: Path, kind: type[Kind], remedy: str = "", *, follow: bool = False) -> Kind:
    """The record in this file, or a Problem that says what is wrong on which line, and what can be done."""
    return record_in(read_bounded(path, LARGEST_RECORD, follow=follow), kind, path, remedy)


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


def read_toml(place: Path | GitFile, kind: type[Kind], hint: str) -> Kind:
    """The record in this file, which the user named, or a Problem; `hint` says what the file may have."""
    return record_of(toml_in(place), kind, place, hint)


MOST_DOTS = 200
"""Dots in a line of TOML: the time to read a key grows with the square of its parts."""


def toml_in(place: Path | GitFile) -> dict[str, Any]:
    """What this file says, not yet checked."""
    path = str(place)
    if isinstance(place, GitFile):
        data = place.read(LARGEST_WRITTEN)
    else:
        data = read_bounded(place, LARGEST_WRITTEN, follow=True)
    if any(line.count(b".") > MOST_DOTS for line in data.splitlines()):
        raise Problem(f"has a line with more than {MOST_DOTS} dots; make it shorter.", place=path)
    try:
        return tomllib.loads(data.decode())
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"is not well-formed TOML: {error}.", place=path) from None
    except RecursionError:
        raise Problem("is not well-formed TOML: it is nested too deeply.", place=path) from None
    except UnicodeDecodeError:
        raise Problem("is not text; expected TOML in UTF-8.", place=path) from None
    except ValueError:  # Python reads no number of thousands of digits.
        raise Problem("is not well-formed TOML: a number has too many digits.", place=path) from None


def record_of(found: dict[str, Any], kind: type[Kind], place: Path | GitFile, hint: str) -> Kind:
    """The record that this file's content is."""
    try:
        return msgspec.convert(found, kind)
    except RecursionError:
        raise Problem("is nested too deeply.", place=str(place)) from None
    except msgspec.ValidationError as error:
        sentence = str(error).replace("$.", "").replace(" - at `$`", "")
        raise Problem(f"{sentence}; {hint}.", place=str(place)) from None
