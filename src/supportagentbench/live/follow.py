"""Follow: a view of another process's job, from the event file next to its runs."""

import threading
from collections.abc import Iterator
from pathlib import Path

from supportagentbench.concurrency.steady_clock import steady_time
from supportagentbench.live.journal import finished_event
from supportagentbench.live.state import State
from supportagentbench.live.view import View
from supportagentbench.records.event import Ended, Event, Planned, PlannedRun
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.events import EVENTS, EventReader
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import read_transcripts


class Follower:
    """Reads new events whenever a view is asked for; safe to use from several threads."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self._lock = threading.Lock()
        self._reader = EventReader(root)
        self._state = State(root.name)
        self._files = 0
        if not (root / EVENTS).exists():
            for event in events_on_file(root):
                self._state.add(event)

    def view(self) -> View:
        """Everything known at this moment."""
        with self._lock:
            found = self._reader.more()
            if self._reader.files != self._files:
                self._files = self._reader.files
                self._state = State(self.root.name)
            for _, event in found:
                self._state.add(event)
            return self._state.view(steady_time())


def events_on_file(root: Path) -> Iterator[Event]:
    """Events derived from the stored runs if none were written, as if one job had run them all."""
    folders = distinct_runs([root]).folders
    headers = [(folder, read_header(folder)) for folder in folders]
    runs = tuple(
        PlannedRun(header.agent, header.run, folder.name, len(header.cases)) for folder, header in headers
    )
    finished = sorted(
        (finished_event(header, filed) for folder, header in headers for filed in read_transcripts(folder)),
        key=lambda event: event.at,
    )
    first, last = (finished[0].at, finished[-1].at) if finished else (0.0, 0.0)
    missing = sum(run.cases for run in runs) - sum(event.counts for event in finished)
    yield Planned(first, "", runs)
    yield from finished
    yield Ended(last, "", "partial" if missing else "complete", missing)
