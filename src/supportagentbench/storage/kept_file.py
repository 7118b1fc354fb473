"""Kept file: a file of a run as this process read or wrote it, to see whether anyone else changed it."""

import os
from collections.abc import Iterator
from contextlib import suppress
from hashlib import blake2b
from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import LARGEST_RECORD, NoSuchFile, open_reading, write_whole
from supportagentbench.storage.jsonl import lines_in

CHANGED = "changed.txt"
"""In the folder of a run: how its files were changed while it was written. No command reads such a run."""


class KeptFile:
    """The lines that a file has to have, by digest.

    `whole`: every line has its end; what is left of one that a killed process tore does not count. Otherwise
    the file is one record and counts as one line.
    """

    def __init__(self, path: Path, *, whole: bool = True) -> None:
        self.path = path
        self._whole = whole
        self._lines: list[bytes] = []
        self.size = 0
        """Bytes of its lines."""
        self._written: int | None = None
        """The file's time of change when it was last seen to be right."""

    def take(self) -> None:
        """Remember what is in the file now."""
        self._lines, self.size, self._written = [], 0, None
        for line in self._read(None):
            if line.endswith(b"\n") or not self._whole:
                self.add(line)

    def add(self, line: bytes) -> None:
        """Remember a line that was just written."""
        self._lines.append(_digest(line))
        self.size += len(line)

    def glance(self, file: int) -> None:
        """Check the open file without reading it, unless anyone has touched it."""
        ours = os.fstat(file)
        with suppress(FileNotFoundError):
            if os.path.samestat(ours, self.path.lstat()):
                if (ours.st_size, ours.st_ctime_ns) != (self.size, self._written):
                    self.check()
                return
        raise self._problem("was deleted or replaced")

    def note(self, file: int) -> None:
        """Remember when the open file was written, so that a glance is enough next time."""
        self._written = os.fstat(file).st_ctime_ns

    def check(self) -> None:
        """Read the file again, and raise a Problem if it is not as it was left."""
        number = 0
        for number, line in enumerate(self._read(self.size), start=1):
            if number > len(self._lines) or _digest(line) != self._lines[number - 1]:
                raise self._problem("was changed", number)
        if number < len(self._lines):
            raise self._problem(f"lost {len(self._lines) - number} of {len(self._lines)} lines")

    def _read(self, most: int | None) -> Iterator[bytes]:
        """Its lines, none if there is no file; a link, a pipe or more than this many bytes is a Problem."""
        try:
            file = open_reading(self.path)
        except NoSuchFile:
            return
        except Problem as problem:
            if most is None:  # Nobody knows yet how it was.
                raise
            raise self._problem(f"was replaced or made unreadable ({problem.sentence.rstrip('.')})") from None
        with file:
            size = os.fstat(file.fileno()).st_size
            if most is not None and size > most:
                raise self._problem(f"got {size - most:,} more bytes")
            if not self._whole:
                yield file.read(LARGEST_RECORD)
                return
            for _, line in lines_in(file, self.path, torn=True):
                yield line

    def _problem(self, words: str, line: int | None = None) -> Problem:
        return Problem(f"{words} by another process while this command ran.", place=self.path, line=line)


def _digest(line: bytes) -> bytes:
    return blake2b(line, digest_size=16).digest()


def leave_mark(folder: Path, problem: Problem) -> None:
    """Note in the folder of a run that its files were changed, so that no command takes them for a record."""
    with suppress(OSError):
        (folder / CHANGED).unlink(missing_ok=True)  # It may be a link.
        write_whole(folder / CHANGED, f"{problem}\n".encode())


def is_changed(folder: Path) -> bool:
    """Whether there is such a mark in the folder of a run."""
    return os.path.lexists(folder / CHANGED)


def refuse_changed(folder: Path) -> None:
    """Stop at a run whose files were changed while it was written."""
    if is_changed(folder):
        raise Problem(
            f"was changed by another process while it was written (see {CHANGED}) and no longer shows what "
            "the agent did; start over with --fresh, or move the folder away.",
            place=folder,
        )
