"""Voice: reads and writes for a customer. The planner decides what is said; a voice only decides how it
sounds.

One voice serves a whole run. Each conversation has its own speaker, which keeps all state from turn to turn:
nothing passes from one conversation to another.
"""

import re
from collections.abc import Iterator, Sequence
from functools import cache, lru_cache
from pathlib import Path
from random import Random
from typing import Literal, Protocol

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.language.customer import PLAINLY
from supportagentbench.language.listening import Listening
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief, Manner
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Attachment, SpeechActs, Turn, WordedBy
from supportagentbench.records.usage import Usage
from supportagentbench.storage.yaml_file import read_document

Phrases = dict[str, dict[Manner, dict[str, tuple[str, ...]]]]

MoveKind = Literal[
    "answer",
    "confirm",
    "decline",
    "show",
    "no_proof",
    "no_other",
    "unknown",
    "ask",
    "push",
    "nudge",
    "again",
    "silence",
    "accept",
    "wait",
    "when",
    "verify",
    "colleague",
    "doubt",
    "ask_back",
    "half_yes",
    "correct",
    "thank",
    "leave",
]


SHUFFLED = 1024
"""Orders of phrases that are remembered, since thousands of customers share them."""

LED: tuple[MoveKind, ...] = ("show", "again", "correct")
"""Moves that have a phrase before the ledger's words."""

LEADS: dict[MoveKind, str] = {
    "answer": "oblige",
    "show": "oblige",
    "push": "react",
    "ask": "react",
    "nudge": "react",
    "accept": "react",
    "thank": "react",
}
"""What people put before a move in a chat, unless they were asked for a yes."""


class Move(Record):
    """One thing the customer does in a turn: what kind it is, and the words that are set."""

    kind: MoveKind
    says: str = ""
    """The ledger's own words; empty when the voice is free to choose."""
    weighty: bool = False
    """The policy learns something from these words, so their sense has to come across."""


class TurnPlan(Record):
    """What a voice has to say in one turn, and everything it may know for that."""

    moves: tuple[Move, ...]
    talk: tuple[Turn, ...] = ()
    """What was said so far, the agent's last words included."""
    shows: tuple[Attachment, ...] = ()
    """The files that go with this message."""
    mood: int = 0
    leaves: bool = False
    withheld: tuple[str, ...] = ()
    """Sentences of the ledger that must not be said now, or ever. No voice says them."""

    @property
    def given(self) -> str:
        """The ledger's words for this turn."""
        return "\n".join(move.says for move in self.moves if move.says)


class WordedMessage(Record):
    """A message, who worded it, what was wrong with the drafts before it, and which words were heard how."""

    text: str
    by: WordedBy = "script"
    faults: tuple[str, ...] = ()
    shown: dict[str, str] | None = None


class Speaker(Protocol):
    """Reads and writes for one customer in one conversation."""

    @property
    def script(self) -> "ScriptedSpeaker":
        """What hears and speaks by rule: the speaker itself, or what a model falls back on."""
        ...

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
    """Creates voices: it reads and writes for customers."""

    name: str

    def speaker(self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None) -> Speaker:
        """A speaker for one conversation, with the shop's words; `rng` is that conversation's own."""
        ...


class ScriptedVoice:
    """Hears by rule and speaks from a phrase book, by a seeded draw: the same seed says the same thing."""

    name = "scripted"

    def speaker(
        self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None
    ) -> "ScriptedSpeaker":
        return ScriptedSpeaker(brief, rng, reader, chat)


class ScriptedSpeaker:
    """One customer's phrases."""

    def __init__(self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None) -> None:
        self.brief = brief
        self.rng = rng
        self.reader = reader
        self.chat = chat
        self._used: set[str] = set()
        """Phrases it has said: a customer never repeats a line."""
        self._heard = SpeechActs()

    @property
    def script(self) -> "ScriptedSpeaker":
        return self

    async def hear(self, words: str, listening: Listening) -> SpeechActs:
        message = without_names(words, self.brief.goods)
        self._heard = self.reader.heard(message, self.brief.language, listening)
        return self._heard

    async def word(self, part: TurnPlan) -> WordedMessage:
        if self.chat:
            lines = list(self._lines(part.moves, self.chat))
            plainly = any(move.says.startswith(PLAINLY) for move in part.moves)
            return WordedMessage("\n".join(lines if plainly else self.chat.joined(lines)))
        said = [words for move in part.moves if (words := self._phrase(move))]
        ended = [words if words[-1] in ".!?:。！？" else f"{words}." for words in said[:-1]]
        return WordedMessage(("" if self.brief.language == "ja" else " ").join([*ended, *said[-1:]]))

    def clear(self) -> tuple[Usage, ...]:
        return ()

    def _lines(self, moves: Sequence[Move], chat: ChatHabits) -> Iterator[str]:
        """One line a thought; often a "sure" before an answer, an "oh" before a reply."""
        lead = LEADS.get(moves[0].kind, "") if not moves[0].says.startswith(PLAINLY) else ""
        if lead and not (self._heard.offers or self._heard.consent) and self.rng.random() < 0.5:
            yield from chat.typed(self._drawn(lead))
        for move in moves:
            if not move.says or move.kind in LED:
                typed = chat.asked if move.kind == "ask_back" else chat.typed
                yield from typed(self._drawn(move.kind).rstrip(":"))
            yield from chat.typed(chat.bare(move.says) if move.kind == "answer" else move.says)
            if move.kind == "thank" and self.rng.random() < 0.5:
                yield from chat.typed(self._drawn("finish"))
            if move.kind in ("confirm", "thank") and self.rng.random() < 0.5:
                yield from chat.typed(self._drawn("thanks"))

    def _phrase(self, move: Move) -> str:
        if move.says and move.kind not in LED:
            return move.says
        return f"{self._drawn(move.kind)} {move.says}".strip()

    def _drawn(self, kind: str) -> str:
        """The next of its phrases for this, from its own place in the book on; others' before one again."""
        line = next((one for one in self._stock(kind) if one not in self._used), "")
        self._used.add(line)
        return line

    def _stock(self, kind: str) -> Iterator[str]:
        """All phrases for this in the order in which this customer uses them, its own manner's first."""
        book = phrase_book()
        manners = book.get(self.brief.language, book["en"])
        for manner in dict.fromkeys((self.brief.manner, *manners)):
            stock = manners.get(manner, {}).get(kind, ())
            lap, place = divmod(self.brief.seat, max(1, len(stock)))
            stock = _shuffled(stock, f"{self.brief.language}/{manner}/{kind}/{lap}")
            yield from stock[place:]
            yield from stock[:place]


@lru_cache(SHUFFLED)
def _shuffled(stock: tuple[str, ...], key: str) -> tuple[str, ...]:
    """The phrases in the order that this key draws."""
    order = list(stock)
    Random(key).shuffle(order)
    return tuple(order)


def without_names(words: str, goods: tuple[str, ...]) -> str:
    """The words without product names, which may look like other words."""
    for name in goods:
        if name.casefold() in words.casefold():
            words = re.sub(re.escape(name), "item", words, flags=re.IGNORECASE)
    return words


@cache
def phrase_book() -> Phrases:
    """The shipped phrases, by language, manner and move."""
    return read_document(Path(__file__).parent / "phrases.yaml", Phrases)
