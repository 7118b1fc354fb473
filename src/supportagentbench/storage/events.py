"""Events on disk: one JSON line each, in `runs/events.jsonl` next to the runs of a job, append-only."""

import os
from pathlib import Path
from typing import NamedTuple

import msgspec

from supportagentbench.records.event import Event
from supportagentbench.records.record import to_json
from supportagentbench.records.secrets import sealed_json
from supportagentbench.storage.place import inside

EVENTS = "events.jsonl"

_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class EventWriter:
    """The end of the file, for one process among several that may write to it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(inside(folder, EVENTS), os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")  # Ends a line that a killed process left torn; readers pass it over.

    def add(self, event: Event) -> None:
        """Put one event on file, in one write."""
        os.write(self._file, sealed_json(event, to_json) + b"\n")

    def close(self) -> None:
        os.close(self._file)


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
        if not self.path.is_file():
            return []
        try:
            with self.path.open("rb") as file:
                self._recognise(os.fstat(file.fileno()))
                file.seek(self.place)
                data = file.read()
        except OSError:
            return []
        found = []
        for line in data[: data.rfind(b"\n") + 1].splitlines(keepends=True):
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
