"""Voice: ears and words for a customer. The planner decides what is said; a voice only decides how it sounds.

One voice serves a whole run. For each conversation it lends a speaker, and whatever has to be remembered
from turn to turn, the speaker remembers: nothing passes from one conversation to another.
"""

import re
from functools import cache
from pathlib import Path
from random import Random
from typing import Literal, Protocol

from supportagentbench.language.listening import Listening
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Attachment, SpeechActs, Turn, WordedBy
from supportagentbench.records.usage import Usage
from supportagentbench.storage.yaml_file import read_document

Manner = Literal["plain", "warm", "curt", "cross"]

Phrases = dict[str, dict[Manner, dict[str, tuple[str, ...]]]]

MoveKind = Literal[
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
    "verify",
    "thank",
    "leave",
]


class Move(Record):
    """One thing the customer does in a turn: what kind it is, and the words that are set."""

    kind: MoveKind
    says: str = ""
    """The ledger's own words; empty when the voice is free to choose."""
    weighty: bool = False
    """The policy learns something from these words, so their sense has to come across."""


class TurnPlan(Record):
    """What a voice is given to say in one turn, and all it may know when it says it."""

    moves: tuple[Move, ...]
    talk: tuple[Turn, ...] = ()
    """What was said so far, the agent's last words included."""
    shows: tuple[Attachment, ...] = ()
    """The files that go with this message."""
    mood: int = 0
    leaves: bool = False
    withheld: tuple[str, ...] = ()
    """Sentences of the ledger whose time has not come, or never will. No voice says them."""

    @property
    def given(self) -> str:
        """The ledger's words for this turn."""
        return "\n".join(move.says for move in self.moves if move.says)


class WordedMessage(Record):
    """A message, who worded it, and what was wrong with the drafts before it."""

    text: str
    by: WordedBy = "script"
    faults: tuple[str, ...] = ()


class Speaker(Protocol):
    """The ears and the pen of one customer in one conversation."""

    async def hear(self, words: str, listening: Listening) -> SpeechActs:
        """What the customer, who brings this along, takes from the agent's words."""
        ...

    async def word(self, part: TurnPlan) -> WordedMessage:
        """One message that makes exactly these moves."""
        ...

    def clear(self) -> tuple[Usage, ...]:
        """What models used for it since the last time this was asked."""
        ...


class Voice(Protocol):
    """Whoever lends customers their ears and words."""

    name: str

    def speaker(self, brief: Brief, rng: Random, reader: Reader) -> Speaker:
        """A speaker for one conversation, with the shop's words; `rng` is that conversation's own."""
        ...


class ScriptedVoice:
    """Hears by rule and speaks from a phrase book, by a seeded draw: the same seed says the same thing."""

    name = "scripted"

    def speaker(self, brief: Brief, rng: Random, reader: Reader) -> "ScriptedSpeaker":
        return ScriptedSpeaker(brief, rng, reader)


class ScriptedSpeaker:
    """One customer's phrases."""

    def __init__(self, brief: Brief, rng: Random, reader: Reader) -> None:
        self.brief = brief
        self.rng = rng
        self.reader = reader
        self._used: set[str] = set()
        """Phrases it has said: nobody says the same line twice while there is another."""

    async def hear(self, words: str, listening: Listening) -> SpeechActs:
        message = without_names(words, self.brief.goods)
        return self.reader.heard(message, self.brief.language, listening)

    async def word(self, part: TurnPlan) -> WordedMessage:
        book = phrase_book()
        phrases = book.get(self.brief.language, book["en"]).get(self.brief.manner) or book["en"]["plain"]
        said = [words for move in part.moves if (words := self._phrase(move, phrases))]
        ended = [words if words[-1] in ".!?:。！？" else f"{words}." for words in said[:-1]]
        return WordedMessage(("" if self.brief.language == "ja" else " ").join([*ended, *said[-1:]]))

    def clear(self) -> tuple[Usage, ...]:
        return ()

    def _phrase(self, move: Move, phrases: dict[str, tuple[str, ...]]) -> str:
        stock = phrases.get(move.kind, ())
        if not stock or (move.says and move.kind not in ("show", "again")):
            return move.says
        lead = self.rng.choice([line for line in stock if line not in self._used] or stock)
        self._used.add(lead)
        return f"{lead} {move.says}".strip()


def without_names(words: str, goods: tuple[str, ...]) -> str:
    """The words with products' names taken out: a name is a name, whatever else it says."""
    for name in goods:
        if name.casefold() in words.casefold():
            words = re.sub(re.escape(name), "item", words, flags=re.IGNORECASE)
    return words


@cache
def phrase_book() -> Phrases:
    """The shipped phrases, by language, manner and move."""
    return read_document(Path(__file__).parent / "phrases.yaml", Phrases)
