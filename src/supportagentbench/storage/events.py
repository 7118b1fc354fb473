"""Events on disk: one JSON line each, in `runs/events.jsonl` next to the runs of a job, append-only."""

import os
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

import msgspec

from supportagentbench.records.event import Event
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.records.secrets import sealed_json
from supportagentbench.storage.file import make_folder, open_append, open_reading
from supportagentbench.storage.place import inside

EVENTS = "events.jsonl"

LONGEST_EVENT = 1_000_000
"""Bytes of a line; a longer one is no event, and is passed over."""

_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class EventWriter:
    """The end of the file, for one process among several that may write to it."""

    def __init__(self, folder: Path) -> None:
        make_folder(folder)
        self._file = open_append(inside(folder, EVENTS))
        number = self._file.fileno()
        size = os.fstat(number).st_size
        if size and os.pread(number, 1, size - 1) != b"\n":
            self._file.write(b"\n")  # Ends a line that a killed process left torn; readers pass it over.

    def add(self, event: Event) -> None:
        """Put one event on file, in one write."""
        self._file.write(sealed_json(event, to_json) + b"\n")

    def close(self) -> None:
        self._file.close()


class Numbered(NamedTuple):
    """An event and its place in the file: where it ends, in bytes."""

    place: int
    event: Event


class EventReader:
    """Continues where it stopped; a line that is still being written is left for the next time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / EVENTS
        self.place = 0
        self.files = 0
        """How many files it has read: when the file is replaced, everything read before is void."""
        self._inode = 0

    def more(self) -> list[Numbered]:
        """Every event since the last time."""
        found = []
        with suppress(OSError, Problem), open_reading(self.path) as file:
            self._recognise(os.fstat(file.fileno()))
            file.seek(self.place)
            while (line := file.readline(LONGEST_EVENT)).endswith(b"\n") or len(line) == LONGEST_EVENT:
                self.place += len(line)
                if (event := _read(line)) is not None:
                    found.append(Numbered(self.place, event))
        return found

    def _recognise(self, file: os.stat_result) -> None:
        if file.st_ino != self._inode or file.st_size < self.place:
            self.place, self._inode = 0, file.st_ino
            self.files += 1


def _read(line: bytes) -> Event | None:
    """The event on this line, if it is one that this version knows."""
    try:
        return _DECODER.decode(line)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return None
