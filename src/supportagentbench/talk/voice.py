"""Voice: words for a move. The planner decides what is said; a voice only decides how it sounds."""

from functools import cache
from pathlib import Path
from random import Random
from typing import Literal, Protocol

from supportagentbench.document import read_document
from supportagentbench.record import Record

Manner = Literal["plain", "warm", "curt", "cross"]

Phrases = dict[str, dict[Manner, dict[str, tuple[str, ...]]]]


class Move(Record):
    """One thing the customer does in a turn: what kind it is, and the words that are set."""

    kind: Literal[
        "answer",
        "confirm",
        "decline",
        "show",
        "no_proof",
        "unknown",
        "ask",
        "push",
        "nudge",
        "again",
        "silence",
        "accept",
        "wait",
        "thank",
        "leave",
    ]
    says: str = ""
    """The ledger's own words; empty when the voice is free to choose."""


class Voice(Protocol):
    """Whoever words the customer's moves."""

    name: str

    async def word(self, moves: tuple[Move, ...], manner: Manner, language: str, rng: Random) -> str:
        """One message that makes exactly these moves."""
        ...


class ScriptedVoice:
    """Words from a phrase book, chosen by a seeded draw: the same seed says the same thing."""

    name = "scripted"

    async def word(self, moves: tuple[Move, ...], manner: Manner, language: str, rng: Random) -> str:
        book = phrase_book()
        phrases = book.get(language, book["en"]).get(manner) or book["en"]["plain"]
        said = [part for move in moves if (part := self._phrase(move, phrases, rng))]
        ended = [part if part[-1] in ".!?:。！？" else f"{part}." for part in said[:-1]]
        return ("" if language == "ja" else " ").join([*ended, *said[-1:]])

    @staticmethod
    def _phrase(move: Move, phrases: dict[str, tuple[str, ...]], rng: Random) -> str:
        stock = phrases.get(move.kind, ())
        lead = rng.choice(stock) if stock and (not move.says or move.kind in ("show", "again")) else ""
        return f"{lead} {move.says}".strip()


@cache
def phrase_book() -> Phrases:
    """The shipped phrases, by language, manner and move."""
    return read_document(Path(__file__).parent / "phrases.yaml", Phrases)
