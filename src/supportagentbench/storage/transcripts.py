"""Transcripts on disk: one JSON line per conversation with the digest of its transcript.

A line that was edited, damaged or written twice is named by file and line. A torn last line is skipped: it is
what a killed process leaves behind.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, digest, from_json
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.json_file import REPAIR, unreadable
from supportagentbench.storage.jsonl import whole_lines

TRANSCRIPTS, BROKEN = "transcripts.jsonl", "broken.jsonl"


class ArchiveLine(Record):
    """One line of `transcripts.jsonl`: the transcript, its digest, and what the clock said."""

    digest: str
    """Of the transcript alone, whatever the clock said."""
    started: float
    seconds: float
    transcript: msgspec.Raw


class Filed(NamedTuple):
    """A transcript that is on file."""

    transcript: Transcript
    digest: str
    started: float
    seconds: float


class StoredLine(NamedTuple):
    """A line whose content matches its digest; decoded only when somebody asks."""

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
        return Filed(transcript, line.digest, line.started, line.seconds)

    def refuse_second(self, case: str, seen: set[str]) -> None:
        """Stop at a second conversation on the same case."""
        if case in seen:
            raise Problem(
                f"has the conversation {case} twice; delete one of the lines.",
                place=self.path,
                line=self.number,
            )
        seen.add(case)


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


def read_transcripts(folder: Path) -> Iterator[Filed]:
    """Every conversation of a run, in the order they finished."""
    seen: set[str] = set()
    for stored in stored_lines(folder / TRANSCRIPTS):
        filed = stored.decoded()
        stored.refuse_second(filed.transcript.case, seen)
        yield filed
