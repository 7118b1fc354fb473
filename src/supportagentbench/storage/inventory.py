"""Inventory: what is stored of one run, as needed to resume it. Read once, then updated."""

import os
from collections.abc import Callable
from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Ending, Transcript
from supportagentbench.storage.file import append, write_whole
from supportagentbench.storage.jsonl import whole_lines
from supportagentbench.storage.kept_file import KeptFile, leave_mark
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
        self.kept = {name: KeptFile(folder / name) for name in (TRANSCRIPTS, BROKEN)}
        """Its files as this process knows them."""
        self.was_opened = False
        """Whether this process has held the run's lock, so that no other process wrote to it."""
        self.was_missing = False
        """Whether there was no such folder when stock was taken: one that is there later is not the run's."""
        self._forget()

    def _forget(self) -> None:
        self.endings: dict[str, Ending] = {}
        """By case."""
        self.latest = 0.0
        """When the last stored conversation began."""
        self.cost = 0.0
        """Dollars that models cost which the benchmark asked, conversations that were set aside included."""
        self.at_risk = 0.0
        """Dollars that lost attempts and unread counts may have cost at most, besides."""
        self._is_read = False
        self.outside: dict[str, str] = {}
        """By case, the digest of a conversation that says nothing about the agent and is run again."""

    def read(self) -> None:
        """Take stock, unless that was done; then nobody may have written to the run since."""
        if self._is_read:
            self.kept[TRANSCRIPTS].check()
            self.kept[BROKEN].check()
            return
        self._forget()
        self.was_missing = not os.path.lexists(self.folder)
        roll = Roll(self.header)
        for stored in stored_lines(self.folder / TRANSCRIPTS):
            self.add(roll.read(stored))
        for name in (TRANSCRIPTS, BROKEN):
            self.kept[name].take()
        self._is_read = True
        for stored in stored_lines(self.folder / BROKEN):
            self._add_cost(stored.decoded().transcript)

    def add(self, filed: Filed) -> None:
        """Take in one more conversation."""
        transcript = filed.transcript
        self.endings[transcript.case] = transcript.ending
        self.latest = max(self.latest, filed.started)
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
        for name in (TRANSCRIPTS, BROKEN):
            self.kept[name].take()
        for case in self.outside:
            del self.endings[case]
        self.outside.clear()

    def check(self) -> None:
        """Raise a Problem if anyone else changed the run's files; a mark stays in its folder."""
        try:
            for one in self.kept.values() if self.was_opened else ():
                one.check()
        except Problem as problem:
            leave_mark(self.folder, problem)
            raise

    def _add_cost(self, transcript: Transcript) -> None:
        for turn in transcript.turns:
            for usage in turn.usage:
                if usage.role == "agent" and self.header.isolation:
                    continue  # It paid for that itself.
                self.cost += max(0.0, usage.cost or 0.0)
                self.at_risk += max(0.0, usage.lost_cost or 0.0)
