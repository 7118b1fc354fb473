"""Inventory: what is stored of one run, as needed to resume it. Read once, then updated."""

from collections.abc import Callable
from pathlib import Path

from supportagentbench.records.record import from_json
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Ending, Transcript
from supportagentbench.storage.file import append, write_whole
from supportagentbench.storage.jsonl import whole_lines
from supportagentbench.storage.transcripts import (
    BROKEN,
    TRANSCRIPTS,
    ArchiveLine,
    Filed,
    Roll,
    stored_lines,
)

Counts = Callable[[Filed], bool]
"""Whether a stored conversation says anything about the agent."""


class Inventory:
    """How every stored conversation of a run ended, and what the run has cost so far.

    `counts` tells whether a conversation that broke off for an external cause says anything about the agent
    all the same. Who does not know how to tell leaves every conversation where it is.
    """

    def __init__(self, folder: Path, header: Run, counts: Counts = lambda filed: True) -> None:
        self.folder = folder
        self.header = header
        self._counts = counts
        self._forget()

    def _forget(self) -> None:
        self.endings: dict[str, Ending] = {}
        """By case."""
        self.cost = 0.0
        """Dollars, conversations that were set aside included."""
        self.at_risk = 0.0
        """Dollars that lost attempts and unread counts may have cost at most, besides."""
        self._size: int | None = None
        """Bytes of the lines that were read; None: nothing was read yet."""
        self.outside: dict[str, str] = {}
        """By case, the digest of a conversation that says nothing about the agent and is run again."""

    def read(self) -> None:
        """Take stock, unless that was done and the run has not been written to since."""
        path, roll, size = self.folder / TRANSCRIPTS, Roll(self.header), 0
        if path.exists() and path.stat().st_size == self._size:
            return
        self._forget()
        for stored in stored_lines(path):
            self.add(roll.read(stored))
            size += stored.size
        self._size = size
        for stored in stored_lines(self.folder / BROKEN):
            self._add_cost(stored.decoded().transcript)

    def add(self, filed: Filed) -> None:
        """Take in one more conversation."""
        transcript = filed.transcript
        self.endings[transcript.case] = transcript.ending
        self._add_cost(transcript)
        if transcript.ending.cause in EXTERNAL_CAUSES and not self._counts(filed):
            self.outside[transcript.case] = filed.digest

    def set_outside_aside(self) -> None:
        """Move conversations that say nothing about the agent to another file, so that they are run again."""
        if not self.outside:
            return
        path, external = self.folder / TRANSCRIPTS, set(self.outside.values())
        lines = [line for _, line in whole_lines(path)]
        aside = [line for line in lines if from_json(line, ArchiveLine).digest in external]
        append(self.folder / BROKEN, b"".join(aside))
        write_whole(path, b"".join(line for line in lines if line not in aside))
        self._size = None
        for case in self.outside:
            del self.endings[case]
        self.outside.clear()

    def _add_cost(self, transcript: Transcript) -> None:
        for turn in transcript.turns:
            for usage in turn.usage:
                self.cost += max(0.0, usage.cost or 0.0)
                self.at_risk += max(0.0, usage.lost_cost or 0.0)
