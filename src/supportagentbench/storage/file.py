"""File: the one way to open a file. No other module of the package opens one for writing.

A folder may come from a stranger: a link in it leads elsewhere, a pipe or a device may never end, and a file
may be larger than memory. So links, pipes and devices are refused at once, reading is bounded, and a file is
replaced in one step. Only a path that the user typed, or a part of code that the user runs, may be a link
(`follow`); and nothing is written to a place in the current folder that a link leads out of it, because the
folder may have brought that link along.
"""

import errno
import os
import stat
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from io import BufferedReader
from pathlib import Path
from secrets import token_hex
from typing import IO

from supportagentbench.records.problem import Problem

LARGEST_RECORD = 64_000_000
"""Bytes of a file with one record: a header, a manifest, a baseline, a key."""
LARGEST_WRITTEN = 1_000_000
"""Bytes of a file that people write: settings, a report, a publisher's file."""
LARGEST_SHEET = 64_000_000
"""Bytes of a table that people fill in."""
LARGEST_BUNDLE = 256_000_000
"""Bytes of a page's data: one agent's conversations on one case."""
LONGEST_LINE = 16_000_000
"""Bytes of a line of JSON: one conversation.

The longest that a run can write has about 14 MB: eight turns with 600 KB of arguments, forty results of
25 KB, and what is said. Reading one takes up to 500 MB of memory.
"""
MOST_VALUES = 2_000_000
"""Values on a line of JSON, each of which takes up to 150 bytes in memory. Results that fill a line have
half as many, and the arguments of a call at most a thousand."""

_READ = os.O_RDONLY
_APPEND = os.O_RDWR | os.O_APPEND | os.O_CREAT
_NEW = os.O_WRONLY | os.O_CREAT | os.O_EXCL


class NoSuchFile(Problem):
    """There is nothing at this path."""

    def __init__(self, place: Path) -> None:
        super().__init__("there is no such file.", place=place)


def open_reading(path: Path, *, follow: bool = False) -> BufferedReader:
    """An ordinary file, to be read."""
    try:
        return os.fdopen(_opened(path, _READ, follow=follow), "rb")
    except FileNotFoundError:
        raise NoSuchFile(path) from None
    except (OSError, ValueError) as error:
        raise read_problem(path, error) from None


def read_bounded(path: Path, most: int, *, follow: bool = False) -> bytes:
    """The content of an ordinary file of at most `most` bytes."""
    try:
        with open_reading(path, follow=follow) as file:
            size = min(most, os.fstat(file.fileno()).st_size)
            data = file.read(size + 1)  # As much memory as the file needs; it may be growing.
            data += file.read(most + 1 - len(data)) if len(data) > size else b""
    except OSError as error:
        raise read_problem(path, error) from None
    if len(data) > most:
        raise Problem(f"has more than {most:,} bytes; make it smaller or split it.", place=path)
    return data


def open_append(path: Path, *, follow: bool = False) -> IO[bytes]:
    """An ordinary file, new or not, whose end is written to without a buffer; it can be read, too."""
    refuse_way_out(path)
    try:
        file = os.fdopen(_opened(path, _APPEND, follow=follow), "ab+", buffering=0)
    except OSError as error:
        raise disk_problem(path, error) from None
    if os.fstat(file.fileno()).st_nlink > 1 and not follow:
        file.close()
        raise Problem("has a second name elsewhere (a hard link); put a copy in its place.", place=path)
    return file


def append(path: Path, data: bytes, *, follow: bool = False) -> None:
    """Put this at the end of a file; it is safe when this returns."""
    try:
        with open_append(path, follow=follow) as file:
            left = memoryview(data)
            while left:  # A disk that fills up takes a part of the last write without an error.
                left = left[file.write(left) :]
            os.fsync(file.fileno())
    except OSError as error:
        raise disk_problem(path, error) from None


def open_new(path: Path, *, mode: int = 0o666) -> IO[bytes]:
    """A file that did not exist, written to without a buffer; its folders are made."""
    return os.fdopen(_created(path, path, mode), "wb", buffering=0)


def write_new(path: Path, data: bytes, *, mode: int = 0o666) -> None:
    """Write a file that did not exist. `mode`: who may read it; 0o600: only this user."""
    try:
        with os.fdopen(_created(path, path, mode), "wb") as file:
            file.write(data)
    except OSError as error:
        raise disk_problem(path, error) from None


@contextmanager
def replacing(
    path: Path, *, follow: bool = False, is_lasting: bool = True, mode: int = 0o666
) -> Iterator[IO[bytes]]:
    """A draft that takes the file's place at the end, in one step; an error leaves what was there before.

    `is_lasting`: also after a power failure, which takes time. `mode`: who may read it, if it is new.
    """
    refuse_way_out(path)
    place = Path(os.path.realpath(path)) if follow and path.is_symlink() else path
    before = _replaceable(place)
    draft = place.with_name(f".{token_hex(8)}.draft")
    try:
        with os.fdopen(_created(draft, path, mode), "wb") as file:
            if before:
                os.fchmod(file.fileno(), stat.S_IMODE(before.st_mode))
            yield file
            file.flush()
            if is_lasting:
                os.fsync(file.fileno())
        draft.replace(place)
    except OSError as error:
        raise disk_problem(path, error) from None
    finally:
        with suppress(OSError):
            draft.unlink()


def write_whole(
    path: Path, data: bytes, *, follow: bool = False, is_lasting: bool = True, mode: int = 0o666
) -> None:
    """Write a file in one step: a kill or a full disk leaves what was there before, whole."""
    with replacing(path, follow=follow, is_lasting=is_lasting, mode=mode) as file:
        file.write(data)


def make_folder(folder: Path) -> None:
    """Make a folder and those above it, unless it is there."""
    refuse_way_out(folder)
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk_problem(folder, error) from None


def refuse_way_out(path: Path) -> None:
    """Refuse to write to a place in the current folder from which a link leads out of that folder."""
    try:
        here = Path.cwd()  # It has no links.
    except OSError:  # It was deleted.
        return
    named, target = Path(os.path.normpath(here / path)), Path(os.path.realpath(path))
    if named.is_relative_to(here) and not target.is_relative_to(here):
        raise link_problem(path, f"if it is yours, give the place that it leads to: {target}")


def link_problem(place: Path, remedy: str = "put the file itself there, or delete it") -> Problem:
    """A link in a folder that was given."""
    return Problem(f"is a link to somewhere else; {remedy}.", place=place)


def read_problem(place: Path, error: OSError | ValueError) -> Problem:
    """Why a file cannot be read."""
    why = error.strerror if isinstance(error, OSError) else str(error)
    return Problem(f"cannot be read ({why}); check the path and its permissions.", place=place)


def disk_problem(place: Path, error: OSError) -> Problem:
    """What it means that nothing can be written there: a disk that is full or read-only, a wrong path."""
    return Problem(
        f"cannot be written ({error.strerror}); what is finished stays on file. Check the path and its "
        "permissions or make room, and run the same command again.",
        place=place,
    )


def _opened(path: Path, flags: int, *, follow: bool = False, mode: int = 0o666) -> int:
    """The descriptor of an ordinary file. An ordinary open would wait for the other end of a pipe."""
    flags |= os.O_NONBLOCK | os.O_CLOEXEC | (0 if follow else os.O_NOFOLLOW)
    try:
        found = os.open(path, flags, mode)
    except OSError as error:
        if error.errno == errno.ELOOP and not follow:
            raise link_problem(path) from None
        if error.errno in (errno.ENXIO, errno.EISDIR):
            raise not_ordinary(path, is_folder=error.errno == errno.EISDIR) from None
        raise
    kind = os.fstat(found).st_mode
    if stat.S_ISREG(kind):
        return found
    os.close(found)
    raise not_ordinary(path, is_folder=stat.S_ISDIR(kind))


def _created(path: Path, told: Path, mode: int = 0o666) -> int:
    """The descriptor of a file that did not exist; its folders are made. `told`: the name for people."""
    refuse_way_out(path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
    except OSError as error:
        raise disk_problem(told, error) from None
    try:
        return _opened(path, _NEW, mode=mode)
    except FileExistsError:
        raise Problem("is in the way; nothing was written. Move it away.", place=told) from None
    except OSError as error:
        raise disk_problem(told, error) from None


def not_ordinary(path: Path, *, is_folder: bool) -> Problem:
    """Something else is where a file should be."""
    kind = "a folder" if is_folder else "a pipe or a device"
    return Problem(f"is {kind}; put an ordinary file there.", place=path)


def _replaceable(path: Path) -> os.stat_result | None:
    """The file that is about to be replaced, if there is one."""
    try:
        found = path.lstat()
    except FileNotFoundError:
        return None
    except OSError as error:
        raise disk_problem(path, error) from None
    if stat.S_ISLNK(found.st_mode):
        raise link_problem(path)
    if not stat.S_ISREG(found.st_mode):
        raise not_ordinary(path, is_folder=stat.S_ISDIR(found.st_mode))
    return found
