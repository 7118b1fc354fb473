"""Event: what happens while a job runs, a JSON line each, for whoever watches.

    runs/events.jsonl   beside the runs of a job, append-only

It holds names, counts and dollars, and never what was said. No number rests on it: a watcher may die and
come back, and what is missing here is read again from the transcripts.
"""

import os
from pathlib import Path
from typing import NamedTuple

import msgspec

from supportagentbench.records.case import Bucket
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause

EVENTS = "events.jsonl"


class PlannedRun(Record):
    """One run of a job."""

    agent: str
    run: int
    folder: str
    cases: int


class Planned(Record, tag_field="event", tag="planned"):
    """A job begins: what it is to run, what that may cost, and what it may cost at most."""

    at: float
    """Seconds since 1970, as everywhere here."""
    job: str
    runs: tuple[PlannedRun, ...]
    world: str = ""
    set: str = ""
    cap: float | None = None
    low: float | None = None
    """Dollars, estimated before; None: nobody knows the price."""
    high: float | None = None


class Dropped(Record, tag_field="event", tag="dropped"):
    """Conversations that are no longer on file, and are held again."""

    at: float
    agent: str
    run: int
    cases: tuple[str, ...]


class Began(Record, tag_field="event", tag="began"):
    """A conversation began."""

    at: float
    agent: str
    run: int
    case: str


class Finished(Record, tag_field="event", tag="finished"):
    """A conversation is on file: how it ended, what was done in it, and what it took."""

    at: float
    agent: str
    run: int
    case: str
    family: str
    bucket: Bucket
    ending: str
    seconds: float
    cause: Cause | None = None
    twin: bool = False
    messages: int = 0
    """How many the agent wrote."""
    tokens: int = 0
    cost: float | None = 0.0
    """Dollars of the agent; None: of some call nobody knows the price."""
    others: float | None = 0.0
    """Dollars of the customer."""
    unsafe: bool | None = None
    """These three: None where it does not apply."""
    over_escalated: bool | None = None
    escalated: bool | None = None
    reason: str = ""
    """Why it is unsafe: the act, and against which rules."""
    turn: int | None = None
    """The turn that this rests on."""

    @property
    def counts(self) -> bool:
        """Whether it says anything of the agent, and need not be held again."""
        return self.cause not in EXTERNAL_CAUSES


class Retried(Record, tag_field="event", tag="retried"):
    """A provider did not answer as it should, and is asked again after a wait."""

    at: float
    agent: str
    run: int
    case: str
    attempt: int
    tries: int
    words: str
    """The provider's own, without anything that looks like a key."""
    wait: float


class Paused(Record, tag_field="event", tag="paused"):
    """An agent's runs were stopped, and why."""

    at: float
    agent: str
    sentence: str


class Spent(Record, tag_field="event", tag="spent"):
    """What the job has cost so far, earlier sessions and all roles included."""

    at: float
    dollars: float


class Stopping(Record, tag_field="event", tag="stopping"):
    """Somebody pulled the brake: what is in flight is finished, nothing new begins."""

    at: float


class Ended(Record, tag_field="event", tag="ended"):
    """A job is over, for now or for good."""

    at: float
    job: str
    how: str
    """complete, partial, budget, provider or interrupted."""
    missing: int = 0
    """Conversations that the same command would hold."""


Event = Planned | Dropped | Began | Finished | Retried | Paused | Spent | Stopping | Ended

_DECODER: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)


class EventWriter:
    """The end of the file, for one process among several that may write to it."""

    def __init__(self, folder: Path) -> None:
        folder.mkdir(parents=True, exist_ok=True)
        self._file = os.open(folder / EVENTS, os.O_RDWR | os.O_APPEND | os.O_CREAT, 0o644)
        size = os.fstat(self._file).st_size
        if size and os.pread(self._file, 1, size - 1) != b"\n":
            os.write(self._file, b"\n")  # Ends a line that a killed process left torn; readers pass it over.

    def add(self, event: Event) -> None:
        """Put one event on file, in one write."""
        os.write(self._file, to_json(event) + b"\n")

    def close(self) -> None:
        os.close(self._file)


class Numbered(NamedTuple):
    """An event and its place in the file: where it ends, in bytes."""

    place: int
    event: Event


class EventReader:
    """Reads on where it stopped; what is still being written is left for the next time."""

    def __init__(self, folder: Path) -> None:
        self.path = folder / EVENTS
        self.place = 0
        self.files = 0
        """How many files it has read: when somebody made a new one, all that was read before is void."""
        self._inode = 0

    def more(self) -> list[Numbered]:
        """Every event since the last time."""
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
    except msgspec.MsgspecError:
        return None
