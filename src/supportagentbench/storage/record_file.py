"""Record file: one record per file, JSON or TOML, with every fault named by file and line.

Files may come from strangers: a pipe or a device, which may never end, is refused.
"""

import os
import re
import stat
import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.storage.git_file import GitFile

Kind = TypeVar("Kind")

REPAIR = "`sab repair` saves the rest"
"""What can be done about a damaged file of a run."""

LARGEST_TOML = 1_000_000
"""Bytes of a file that people write."""

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


def read_toml(place: Path | GitFile, kind: type[Kind], hint: str) -> Kind:
    """The record in this file, or a Problem; `hint` says what the file may have."""
    data = place.read(LARGEST_TOML) if isinstance(place, GitFile) else read_file(place)
    path = str(place)
    if len(data) > LARGEST_TOML:
        raise Problem(f"has more than {LARGEST_TOML:,} bytes; expected a short TOML file.", place=path)
    try:
        return msgspec.convert(tomllib.loads(data.decode()), kind)
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"is not well-formed TOML: {error}.", place=path) from None
    except RecursionError:
        raise Problem("is not well-formed TOML: it is nested too deeply.", place=path) from None
    except UnicodeDecodeError:
        raise Problem("is not text; expected TOML in UTF-8.", place=path) from None
    except msgspec.ValidationError as error:
        sentence = str(error).replace("$.", "").replace(" - at `$`", "")
        raise Problem(f"{sentence}; {hint}.", place=path) from None


def read_regular(path: Path, most: int) -> bytes:
    """The content of a regular file of at most `most` bytes; anything else is a Problem at once."""
    try:
        # A pipe without a writer would block an ordinary open forever.
        file = os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
    except FileNotFoundError:
        raise Problem("there is no such file.", place=path) from None
    except (OSError, ValueError) as error:
        raise _not_readable(path, error) from None
    try:
        if not stat.S_ISREG(os.fstat(file).st_mode):
            raise Problem("is a folder, a pipe or a device; put an ordinary file there.", place=path)
        with os.fdopen(file, "rb", closefd=False) as opened:
            data = opened.read(most + 1)
    except OSError as error:
        raise _not_readable(path, error) from None
    finally:
        os.close(file)
    if len(data) > most:
        raise Problem(f"has more than {most:,} bytes; make it smaller or split it.", place=path)
    return data


def _not_readable(path: Path, error: OSError | ValueError) -> Problem:
    why = error.strerror if isinstance(error, OSError) else str(error)
    return Problem(f"cannot be read ({why}); check the path and its permissions.", place=path)
