"""Transcripts on disk: one JSON line per conversation with the digest of its transcript.

A line that was edited, damaged, written twice or taken from another run is named by file and line. A torn
last line is skipped: it is what a killed process leaves behind.
"""

from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from supportagentbench.records.amount import Moment, Seconds
from supportagentbench.records.clock import TurnClock
from supportagentbench.records.consistent import RunParts
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, from_json, to_json
from supportagentbench.records.run import Run
from supportagentbench.records.secrets import holds_secret, scrubbed_record
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.jsonl import whole_lines
from supportagentbench.storage.record_file import REPAIR, unreadable

TRANSCRIPTS, BROKEN = "transcripts.jsonl", "broken.jsonl"


class ArchiveLine(Record):
    """One line of `transcripts.jsonl`: the transcript, its digest, and what the clock said."""

    digest: str
    """Of the transcript alone, without clock readings."""
    started: Moment
    seconds: Seconds
    transcript: msgspec.Raw
    clock: tuple[TurnClock, ...] = ()
    """One reading per turn; none on lines from older versions."""


class Filed(NamedTuple):
    """A transcript that is on file."""

    transcript: Transcript
    digest: str
    started: float
    seconds: float
    clock: tuple[TurnClock, ...] = ()


def archive_line(
    transcript: Transcript, started: float, seconds: float, clock: tuple[TurnClock, ...] = ()
) -> tuple[Filed, bytes]:
    """A transcript as it is stored, without secrets, and its line."""
    body = to_json(transcript)
    if holds_secret(body):
        transcript = scrubbed_record(transcript)
        body = to_json(transcript)
    filed = Filed(transcript, digest(body), started, seconds, clock)
    return filed, to_json(ArchiveLine(filed.digest, started, seconds, msgspec.Raw(body), clock)) + b"\n"


class StoredLine(NamedTuple):
    """A line whose content matches its digest; decoded only on demand."""

    path: Path
    number: int
    size: int
    line: ArchiveLine

    def decoded(self) -> Filed:
        """The conversation on this line."""
        line = self.line
        try:
            transcript = from_json(bytes(line.transcript), Transcript)
        except msgspec.MsgspecError as error:
            raise unreadable(error, self.path, self.number, REPAIR) from None
        return Filed(transcript, line.digest, line.started, line.seconds, line.clock)

    def problem(self, sentence: str) -> Problem:
        """What is wrong with this line."""
        return Problem(sentence, place=self.path, line=self.number)


class Roll:
    """The conversations that a run planned, ticked off as they are read."""

    def __init__(self, header: Run) -> None:
        self._header = header
        self._planned = frozenset(header.cases)
        self._parts = RunParts(header)
        self._seen: set[str] = set()

    def read(self, stored: StoredLine) -> Filed:
        """The conversation on this line, if it is the run's own and the first on its case."""
        filed = self.own(stored)
        self.tick(stored, filed.transcript.case)
        return filed

    def own(self, stored: StoredLine) -> Filed:
        """The conversation on this line, if it is the run's own."""
        filed = stored.decoded()
        transcript, header = filed.transcript, self._header
        is_own = (transcript.run, transcript.seed) == (header.run, header.seed)
        if not is_own or transcript.case not in self._planned:
            raise stored.problem(
                f"has a conversation on {transcript.case} that does not belong to this run "
                f"(run {transcript.run}, seed {transcript.seed}); take the line out."
            )
        if fault := self._parts.fault(transcript):
            raise stored.problem(f"the conversation on {transcript.case} {fault}; take the line out.")
        return filed

    def tick(self, stored: StoredLine, case: str) -> None:
        """Stop at a second conversation on the same case."""
        if case in self._seen:
            raise stored.problem(f"has the conversation {case} twice; delete one of the lines.")
        self._seen.add(case)


def stored_lines(path: Path) -> Iterator[StoredLine]:
    """Every whole line of a file of transcripts, checked against its digest."""
    for number, data in whole_lines(path):
        try:
            line = from_json(data, ArchiveLine)
        except msgspec.MsgspecError as error:
            raise unreadable(error, path, number, REPAIR) from None
        if digest(bytes(line.transcript)) != line.digest:
            raise Problem(
                "was changed after it was written: its content does not match its digest; "
                f"restore the line from the original, or {REPAIR}.",
                place=path,
                line=number,
            )
        yield StoredLine(path, number, len(data), line)


def stored_size(folders: Iterable[Path]) -> int:
    """Bytes of the conversations in these runs."""
    paths = (folder / TRANSCRIPTS for folder in folders)
    return sum(path.stat().st_size for path in paths if path.exists())


def read_transcripts(folder: Path) -> Iterator[Filed]:
    """Every conversation of a run, in the order they finished."""
    from supportagentbench.storage.archive import read_header  # It reads transcripts itself.

    roll = Roll(read_header(folder))
    yield from map(roll.read, stored_lines(folder / TRANSCRIPTS))
