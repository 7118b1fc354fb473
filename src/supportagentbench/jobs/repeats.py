"""Repeats: runs of one agent that have the same words as another run, although each should be its own."""

from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from supportagentbench.agents.tool_loop import PROMPT
from supportagentbench.records.record import digest
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.archive import read_header
from supportagentbench.storage.transcripts import read_transcripts

TOO_MANY = 0.5
"""The share of a model's conversations from which words that repeat another run's are named."""


class SaidBefore(NamedTuple):
    """Where a conversation was first met, and when it began."""

    run: int
    started: float


class RepeatedWords(NamedTuple):
    """What the runs of one agent have in common and should not."""

    copies: tuple[str, ...]
    """Conversations that began in the same instant as the same words in another run: one sentence each."""
    likeness: tuple[str, ...]
    """Runs of a model that mostly repeat an earlier one, one clause each."""


def repeated_words(folders: Iterable[Path]) -> RepeatedWords:
    """The conversations of one agent's runs that repeat those of an earlier run."""
    known: dict[str, SaidBefore] = {}
    copies: list[str] = []
    likeness: list[str] = []
    for folder in sorted(folders, key=lambda one: read_header(one).run):
        header, count, alike = read_header(folder), 0, 0
        for filed in read_transcripts(folder):
            count += 1
            name = words_of(filed.transcript, header)
            before = known.setdefault(name, SaidBefore(header.run, filed.started))
            if before.run == header.run:
                continue
            alike += 1
            if before.started == filed.started:
                copies.append(
                    f"{header.agent} run {header.run}, {filed.transcript.case}: repeats run {before.run} "
                    "word for word, begun in the same instant."
                )
        if header.version.prompt == PROMPT and alike > TOO_MANY * count:
            likeness.append(f"run {header.run} repeats other runs word for word in {alike} of {count}")
    return RepeatedWords(tuple(copies), tuple(likeness))


def words_of(transcript: Transcript, header: Run) -> str:
    """A short name for the case and everything that the agent wrote and did."""
    replies = [turn for turn in transcript.turns if turn.party == "agent"]
    done = [(turn.text, [(call.tool, call.arguments) for call in turn.calls]) for turn in replies]
    return digest([header.case_seed, transcript.case, done])
