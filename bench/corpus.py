"""Corpus: conversations that a language model wrote at the desk, labelled by two readers; see tests/corpus.

Each agent's message is heard by the customer of its case, who is told what the readers found in it. So at
every message it is known what this customer brings along, what is really said, and what it answers.
"""

import asyncio
import copy
import gzip
from collections.abc import Iterator, Sequence
from functools import cache
from pathlib import Path
from random import Random
from typing import NamedTuple

import msgspec

from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.hesitation import Hesitation
from supportagentbench.customer.next_turn import NextTurn
from supportagentbench.customer.patience import Patience
from supportagentbench.customer.planner import Customer
from supportagentbench.customer.proof import ProofAtHand
from supportagentbench.customer.voice import ScriptedSpeaker, ScriptedVoice
from supportagentbench.language.listening import Listening
from supportagentbench.language.reader import Reader, reader_of
from supportagentbench.language.speech_act import proposed
from supportagentbench.records.case import Brief
from supportagentbench.records.transcript import SpeechActs, Transcript, Turn
from supportagentbench.records.vocabulary import TICKET_ACTS
from supportagentbench.world.folder import read_world

FOLDER = Path(__file__).parent.parent / "tests" / "corpus"
PARTS = ("work", "sealed", "second", "third", "fourth")
"""The last is not trained on: it measures the ear that ships."""
SENDING = "send"
"""Labels do not tell by which of two acts goods are sent: nobody who reads the message can."""


class LabelledSpan(NamedTuple):
    """A sentence of an agent's message and its speech acts."""

    turn: int
    start: int
    end: int
    labels: tuple[str, ...]


class LabelledConversation(msgspec.Struct, frozen=True):
    """One conversation of the corpus; of two readers, where they are listed twice."""

    id: str
    manner: str
    careless: str
    """The one way in which its writer was told to be careless; empty: none, or there was no occasion."""
    brief: Brief
    """The customer's, as it was drawn: later versions of the world draw others."""
    transcript: Transcript
    acts: tuple[LabelledSpan, ...]
    resolved: tuple[str, str]
    faults: tuple[tuple[tuple[int, str, str], ...], tuple[tuple[int, str, str], ...]]
    misfits: tuple[tuple[int, ...], tuple[int, ...]]
    disagreements: int


class HeardMessage(NamedTuple):
    """An agent's message as one customer hears it."""

    conversation: LabelledConversation
    turn: int
    text: str
    spans: tuple[LabelledSpan, ...]
    listening: Listening
    truth: SpeechActs
    """What readers found in it."""
    customer: Customer
    """As it was before the message came."""
    carried_out: tuple[str, ...]
    is_answered: bool
    """Whether the conversation went on after it."""

    def plan(self, heard: SpeechActs) -> NextTurn:
        """What the customer decides to do, if this is what it hears."""
        customer = _clone(self.customer)
        customer._unreported |= set(self.carried_out)
        customer._carried_out |= set(self.carried_out)
        return customer._decide(self.text, heard)


def part_of(words: Sequence[str]) -> str:
    """The part that a command line names; `work`, if it names none."""
    return next((part for part in PARTS if part in words), "work")


def read_corpus(part: str) -> list[LabelledConversation]:
    """The conversations of one part."""
    with gzip.open(FOLDER / f"{part}.jsonl.gz") as lines:
        return [msgspec.json.decode(line, type=LabelledConversation) for line in lines]


def messages(conversations: list[LabelledConversation]) -> Iterator[HeardMessage]:
    """Every agent's message, with the customer who hears it."""
    for one in conversations:
        yield from _replayed(one)


@cache
def _reader() -> Reader:
    return reader_of(read_world("northline").vocabulary)


class _Told(ScriptedSpeaker):
    """Hears what it is given to hear."""

    def __init__(self, brief: Brief, rng: Random, reader: Reader) -> None:
        super().__init__(brief, rng, reader)
        self.truth = SpeechActs()
        self.brought = Listening()

    async def hear(self, words: str, listening: Listening) -> SpeechActs:
        self.brought = listening
        return self.truth


class _ToldVoice(ScriptedVoice):
    def speaker(
        self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None
    ) -> ScriptedSpeaker:
        return _Told(brief, rng, reader)


def _replayed(one: LabelledConversation) -> Iterator[HeardMessage]:
    customer = Customer(one.brief, _ToldVoice(), Random(0), _reader())
    customer.open(one.transcript.turns[0].text)
    speaker = customer.speaker
    assert isinstance(speaker, _Told)
    turns = one.transcript.turns
    for at, turn in enumerate(turns):
        if turn.party != "agent":
            continue
        spans = tuple(span for span in one.acts if span.turn == at)
        carried_out = tuple(call.tool for call in turn.calls if call.result.wrote)
        before = _clone(customer)
        speaker.truth = _truth(spans, one.brief, carried_out)
        asyncio.run(customer.answer(turn.text, carried_out))
        is_answered = at + 1 < len(turns)
        yield HeardMessage(
            one, at, turn.text, spans, speaker.brought, speaker.truth, before, carried_out, is_answered
        )
        if is_answered:
            _follow(customer, turns[at + 1])


def _follow(customer: Customer, said: Turn) -> None:
    """What was really said in the conversation counts, whatever this customer would have said."""
    if said.conduct:
        customer._agreed |= set(said.conduct.confirms)
        customer._pending = bool(said.conduct.confirms)


def _truth(spans: tuple[LabelledSpan, ...], brief: Brief, carried_out: tuple[str, ...]) -> SpeechActs:
    labels = {label for span in spans for label in span.labels}
    sending = [act for wish in brief.wishes for act in wish.agrees_to if act in ("reship", "replace_item")]
    goods = next((act for act in carried_out if act in ("reship", "replace_item")), None)

    def named(kind: str) -> tuple[str, ...]:
        found = sorted(label.removeprefix(kind) for label in labels if label.startswith(kind))
        return tuple((goods or (sending or ["reship"])[0]) if act == SENDING else act for act in found)

    leave, refuses = "consent" in labels, "refuses" in labels
    offers = proposed(set(named("offers:")), leave=leave, refuses=refuses)
    return SpeechActs(
        asks=named("asks:"),
        offers=tuple(sorted(offers)),
        done=named("done:"),
        tells=named("tells:"),
        refuses=refuses,
        farewell="farewell" in labels,
        consent=leave or bool(offers),
    )


def generic(label: str) -> str:
    """A label as an ear learns it: which of the shop's acts is meant follows from the situation."""
    kind, _, what = label.partition(":")
    return kind if kind in ("offers", "done") and what not in TICKET_ACTS else label


def _clone(customer: Customer) -> Customer:
    """The same customer once more; what it does next does not touch the first."""
    other = copy.copy(customer)
    for name, value in vars(customer).items():
        if isinstance(value, list | set):
            setattr(other, name, value.copy())
        elif isinstance(value, Hesitation | Patience | ProofAtHand):
            setattr(other, name, copy.copy(value))
    other.proof.shown = customer.proof.shown.copy()
    return other
