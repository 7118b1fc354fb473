"""The checks of a draft: measured on a corpus of planted faults, and explained by a few examples."""

import asyncio
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from random import Random
from time import perf_counter
from typing import get_args

import msgspec
import pytest
import yaml

from conversations import READER, held
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.customer.chat import ChatHabits
from supportagentbench.customer.draft import DraftFault, FaultKind, faults_in
from supportagentbench.customer.model_voice import INSTRUCTIONS
from supportagentbench.customer.voice import Move, ScriptedSpeaker, ScriptedVoice, TurnPlan, WordedMessage
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief
from supportagentbench.records.transcript import Attachment, Turn
from supportagentbench.world.drawn_cases import DrawnCases

CORPUS = Path(__file__).parent / "drafts.yaml"
AGENT_MESSAGES = Path(__file__).parents[1] / "language" / "agent_messages.yaml"

KINDS: tuple[FaultKind, ...] = get_args(FaultKind)

HELD_OUT: dict[FaultKind, float] = {"contradiction": 0.95, "goodbye_loop": 0.94, "role_flip": 0.95}
"""Recall that was reached on what the tables were not written from, rounded down; the others: all."""


class Planted(msgspec.Struct, forbid_unknown_fields=True):
    """One message of the corpus."""

    at: str
    says: str
    fault: FaultKind | None = None
    split: str = "dev"


class Situation(msgspec.Struct, forbid_unknown_fields=True):
    """What there was to say."""

    case: str
    part: TurnPlan
    language: str = "en"


class Corpus(msgspec.Struct, forbid_unknown_fields=True):
    parts: dict[str, Situation]
    messages: list[Planted]


@cache
def corpus() -> Corpus:
    return msgspec.convert(yaml.load(CORPUS.read_text(encoding="utf-8"), yaml.CSafeLoader), Corpus)


@cache
def found(index: int) -> frozenset[FaultKind]:
    message = corpus().messages[index]
    there = corpus().parts[message.at]
    return frozenset(
        fault.kind for fault in faults_in(message.says, there.part, there.language, READER, INSTRUCTIONS)
    )


def planted(fault: FaultKind | None, split: str = "") -> list[int]:
    return [
        index
        for index, message in enumerate(corpus().messages)
        if message.fault == fault and split in ("", message.split)
    ]


def test_the_corpus_is_large_enough_to_say_anything() -> None:
    assert len(planted(None)) >= 150
    assert all(len(planted(kind)) >= 15 for kind in KINDS)
    assert len(planted(None, "held_out")) * 3 >= len(planted(None))


@pytest.mark.parametrize("kind", KINDS)
def test_planted_faults_are_found(kind: FaultKind) -> None:
    missed = [index for index in planted(kind) if kind not in found(index)]
    held_out = planted(kind, "held_out")
    # By number alone: whoever tunes the tables must not read what was held out.
    assert len(missed) <= 0.05 * len(planted(kind)), missed
    caught = len(held_out) - len(set(missed) & set(held_out))
    assert caught >= HELD_OUT.get(kind, 1.0) * len(held_out), missed


@pytest.mark.parametrize("split", ["dev", "held_out"])
def test_good_wordings_pass(split: str) -> None:
    alarms = {index: found(index) for index in planted(None, split) if found(index)}
    assert len(alarms) <= 0.02 * len(planted(None, split)), alarms


class CheckedVoice(ScriptedVoice):
    """Speaks by the script, and holds what it says against the ledger."""

    def __init__(self) -> None:
        self.messages = 0
        self.alarms: list[tuple[str, tuple[DraftFault, ...]]] = []

    def speaker(
        self, brief: Brief, rng: Random, reader: Reader, chat: ChatHabits | None = None
    ) -> ScriptedSpeaker:
        return CheckedSpeaker(self, brief, rng, reader)


class CheckedSpeaker(ScriptedSpeaker):
    def __init__(self, voice: CheckedVoice, brief: Brief, rng: Random, reader: Reader) -> None:
        super().__init__(brief, rng, reader)
        self.voice = voice

    async def word(self, part: TurnPlan) -> WordedMessage:
        wording = await super().word(part)
        self.voice.messages += 1
        if faults := faults_in(wording.text, part, self.brief.language, READER, INSTRUCTIONS):
            self.voice.alarms.append((wording.text, faults))
        return wording


def test_the_ledgers_own_words_pass_in_every_case(cases: DrawnCases) -> None:
    voice, hire = CheckedVoice(), resolve("refuses").open(Surroundings(cases.world))
    for case in cases.named("all"):
        asyncio.run(held(case, hire(0), voice))
    assert voice.messages > 200
    assert len(voice.alarms) <= 0.005 * voice.messages, voice.alarms


def agent_messages() -> Iterator[str]:
    for message in yaml.load(AGENT_MESSAGES.read_text(encoding="utf-8"), yaml.CSafeLoader)["messages"]:
        yield message["text"]


def test_what_real_agents_write_is_never_taken_for_a_customer() -> None:
    """Somebody else's 559 agent messages, as drafts of one push: the worst a model that flips could do."""
    part = talk_of(Move("push", "I want a new one."))
    drafts = list(agent_messages())
    passed = [text for text in drafts if not faults_in(text, part, "en", READER, INSTRUCTIONS)]
    assert len(passed) <= 0.01 * len(drafts), passed


def talk_of(*moves: Move, **rest: object) -> TurnPlan:
    talk = (
        Turn("customer", "Hello, the wheel of my Fjord Carry-On 38 came off. Order #1101."),
        Turn("agent", "I'm sorry about that. Shall I send you a replacement?"),
    )
    return msgspec.structs.replace(TurnPlan(moves, talk=talk), **rest)


def kinds(text: str, part: TurnPlan, language: str = "en") -> set[FaultKind]:
    return {fault.kind for fault in faults_in(text, part, language, READER, INSTRUCTIONS)}


YES, NO = talk_of(Move("confirm")), talk_of(Move("decline"))
FACT = talk_of(
    Move("answer", "I haven't used it.", weighty=True), withheld=("I dropped it down the stairs myself.",)
)
BROKEN = talk_of(
    Move("answer", "It was cracked when I opened the big carton. I have not used it.", weighty=True)
)
NAMED = talk_of(Move("answer", "I'd love the Amblewick Trainer in exchange for the old pair I sent back!"))
NUDGE = talk_of(Move("nudge"))
SHOWN = talk_of(Move("show"), shows=(Attachment("wheel.jpg", "photo", "a wheel"),))


@pytest.mark.parametrize(
    ("text", "part", "fault"),
    [
        ("Yes, and I need it by Friday.", YES, "invented_fact"),
        ("Yes, send it to 12 Elm Road.", YES, "invented_fact"),
        ("Yes. DHL have been here already.", YES, "invented_fact"),
        ("I haven't used it, I dropped it on the stairs.", FACT, "early_reveal"),
        ("I've used it.", FACT, "contradiction"),
        ("Why do you ask?", FACT, "missing_move"),
        ("I opened it and have not used it.", BROKEN, "missing_move"),
        ("I'd love the new ones in exchange for the old pair I sent back!", NAMED, "missing_move"),
        ("I'm sorry for any mistake.", NUDGE, "missing_move"),
        ("No, don't.", YES, "contradiction"),
        ("Yes. Or leave it, thank you.", YES, "contradiction"),
        ("I'm fine, I'll do it myself.", YES, "missing_move"),
        ("Yes, go ahead.", NO, "contradiction"),
        ("I haven't used it. Go ahead with the replacement.", FACT, "contradiction"),
        ("Yes. Photo attached.", YES, "contradiction"),
        ("I don't have a photo.", SHOWN, "contradiction"),
        ("Yes please. Goodbye!", YES, "goodbye_loop"),
        ("Yes. I've cancelled the order for you.", YES, "role_flip"),
        ("Yes, as rule D3 allows.", YES, "policy_talk"),
        ("Yes. ###STOP###", YES, "stop_word"),
        ("Sí, por favor, hágalo.", YES, "wrong_language"),
        ("say yes to what the agent proposes", YES, "verbatim_instruction"),
        ("...", YES, "empty"),
        ("Yes! " * 100, YES, "too_long"),
    ],
)
def test_a_fault_has_a_name(text: str, part: TurnPlan, fault: FaultKind) -> None:
    assert fault in kinds(text, part)


@pytest.mark.parametrize(
    ("text", "part"),
    [
        ("Yes please, do that.", YES),
        ("No thanks, not that.", NO),
        ("No, I haven't used it at all!", FACT),
        ("Here's the picture, I've attached it.", SHOWN),
        ("The wheel of the Fjord Carry-On 38, order #1101, and yes, please send the replacement.", YES),
    ],
)
def test_what_was_said_before_may_be_said_again(text: str, part: TurnPlan) -> None:
    assert kinds(text, part) == set()


def test_a_number_may_be_a_figure_or_a_word() -> None:
    part = talk_of(Move("answer", "There should be two of them."))
    assert kinds("There should be 2 of them.", part) == kinds("There should be 2x of them.", part) == set()
    assert "invented_fact" in kinds("There should be 3 of them, two at least.", part)


def test_an_address_is_the_same_to_the_letter_or_another() -> None:
    part = talk_of(Move("answer", "I'm orla.k@example.com, flat 4B."))
    assert kinds("It's orla.k@example.com, flat 4b!", part) == set()
    assert kinds("It's olga.k@example.com, flat 4B.", part) == {"invented_fact", "missing_move"}
    assert kinds("It's orla.k@example.com, flat 4D.", part) == {"invented_fact", "missing_move"}


def test_a_second_goodbye_is_one_too_many() -> None:
    part = talk_of(Move("leave", "Goodbye."), leaves=True)
    parted = (*part.talk, Turn("customer", "All right then, goodbye."), Turn("agent", "Goodbye!"))
    assert kinds("Goodbye.", part) == set()
    assert "goodbye_loop" in kinds("Goodbye.", msgspec.structs.replace(part, talk=parted))


def test_without_a_table_only_values_are_looked_at() -> None:
    part = talk_of(Move("answer", "L'ordine è #1101."))
    assert kinds("Il numero è #1101.", part, "it") == set()
    assert kinds("Il numero è #1102.", part, "it") >= {"invented_fact", "missing_move"}


@pytest.mark.parametrize("junk", ["a", "#", "<", "1.", "A", "\n", "x@y.", "Message: ", "we have "])
def test_junk_stays_cheap(junk: str) -> None:
    started = perf_counter()
    for size in (3_900, 20_000):
        faults_in(junk * (size // len(junk)), YES, "en", READER, INSTRUCTIONS)
    assert perf_counter() - started < 2
