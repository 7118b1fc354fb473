"""In flight: conversations that are not stored yet, as they were when something was last carried out in them.

A killed process loses its conversations in flight, but not what was carried out in them: the conversation so
far is written down before the agent gets to know that its change was made. When the run is opened again, they
are attempts that were interrupted.
"""

import time
from collections import defaultdict
from collections.abc import Container, Mapping
from pathlib import Path
from types import TracebackType
from typing import IO

from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.file import open_append, write_whole
from supportagentbench.storage.jsonl import add_line
from supportagentbench.storage.kept_file import KeptFile
from supportagentbench.storage.transcripts import Filed, Roll, archive_line, stored_lines

IN_FLIGHT = "in_flight.jsonl"


class InFlight:
    """The unfinished conversations of one run. Only the run's one writer may open it."""

    def __init__(self, folder: Path, header: Run, unfinished: Container[str]) -> None:
        self.path = folder / IN_FLIGHT
        self.kept = KeptFile(self.path)
        """The file as this process left it."""
        self._header = header
        self._unfinished = unfinished
        self._file: IO[bytes] | None = None
        self._attempts: dict[str, list[Filed]] = defaultdict(list)
        self._latest: dict[str, Filed] = {}
        """By case, the conversation that goes on now, as it was written down last."""

    def __enter__(self) -> "InFlight":
        roll = Roll(self._header)
        for stored in stored_lines(self.path):
            attempt = roll.own(stored)
            if attempt.transcript.case in self._unfinished:
                _add(self._attempts[attempt.transcript.case], attempt)
        if self.path.exists():
            self._rewrite()
        self.kept.take()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._file:
            self._file.close()

    @property
    def attempts(self) -> Mapping[str, list[Filed]]:
        """By case, the attempts that were interrupted, each as far as it got."""
        return self._attempts

    def take(self, case: str) -> list[Filed]:
        """The interrupted attempts at a case, which are no longer kept here once the run is opened again."""
        self._latest.pop(case, None)
        return self._attempts.pop(case, [])

    def interrupt(self, case: str) -> None:
        """Who played this conversation is gone: as far as it is, it is an attempt that was interrupted."""
        if latest := self._latest.pop(case, None):
            _add(self._attempts[case], latest)

    def note(self, transcript: Transcript, started: float) -> None:
        """Write a conversation down as far as it is; it is safe when this returns."""
        self._file = self._file or open_append(self.path)
        filed, line = archive_line(transcript, started, max(0.0, time.time() - started))
        add_line(self._file, line, self.path)
        self.kept.add(line)
        self._latest[transcript.case] = filed

    def discard(self) -> None:
        """All conversations are stored."""
        self.path.unlink(missing_ok=True)
        self.kept.take()

    def _rewrite(self) -> None:
        """Drop what is stored by now, and a torn last line."""
        kept = (one for attempts in self._attempts.values() for one in attempts)
        lines = (archive_line(one.transcript, one.started, one.seconds)[1] for one in kept)
        write_whole(self.path, b"".join(lines))


def _add(attempts: list[Filed], found: Filed) -> None:
    """Add what was written down last; of one attempt, what got furthest is kept."""
    for at, known in enumerate(attempts):
        if continues(found.transcript, known.transcript):
            attempts[at] = found
            return
        if continues(known.transcript, found.transcript):
            return
    attempts.append(found)


def continues(whole: Transcript, part: Transcript) -> bool:
    """Whether one conversation is the other one, continued: the same words, calls and results so far."""
    if not part.turns or len(whole.turns) < len(part.turns):
        return not part.turns
    *before, last = part.turns
    pairs = zip(before, whole.turns, strict=False)
    if any((one.party, one.text, one.calls) != (two.party, two.text, two.calls) for one, two in pairs):
        return False
    now = whole.turns[len(before)]
    is_same = now.party == last.party and now.calls[: len(last.calls)] == last.calls
    return is_same and last.text in ("", now.text)
