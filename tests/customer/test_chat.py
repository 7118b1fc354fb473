"""Chats: the same customer types less, gives the same away, and is numbered when asked."""

import asyncio
import re
from collections import Counter

import msgspec
import pytest

from conversations import READER, held
from supportagentbench.calibration.oracle import Oracle
from supportagentbench.calibration.prove import play
from supportagentbench.customer.voice import ScriptedVoice, phrase_book
from supportagentbench.language.customer import answer, is_conditional
from supportagentbench.records.case import Case
from supportagentbench.records.transcript import Transcript
from supportagentbench.world.drawn_cases import DrawnCases

HEARD = READER.customer


def chat(cases: DrawnCases, case: Case) -> Transcript:
    return play(cases, case, Oracle(cases.world, 0), "chat")


@pytest.fixture(scope="module")
def chats(cases: DrawnCases) -> dict[str, Transcript]:
    return {case.id: chat(cases, case) for case in cases.named("all")}


def test_an_opening_gives_away_what_the_e_mail_gives_away(
    cases: DrawnCases, chats: dict[str, Transcript]
) -> None:
    for case in cases.named("all"):
        first = chats[case.id].turns[0]
        assert first.conduct and first.conduct.discloses == case.brief.disclosed_at_first()
        if case.brief.language == "en":
            assert case.brief.opening_discloses.items() <= HEARD.disclosed(first.text).items() or (
                not case.brief.opening_discloses.items() <= HEARD.disclosed(case.opening).items()
            ), case.id


def test_it_is_short_and_without_the_number(cases: DrawnCases, chats: dict[str, Transcript]) -> None:
    english = [case for case in cases.named("core") if case.brief.language == "en"]
    openings = [chats[case.id].turns[0].text for case in english]
    assert sorted(len(text.split()) for text in openings)[len(openings) // 2] <= 25
    numbered = [case.id for case, text in zip(english, openings, strict=True) if case.subject in text]
    assert len(numbered) <= 0.05 * len(english), numbered


def test_a_trap_and_its_twin_open_word_for_word_alike(
    cases: DrawnCases, chats: dict[str, Transcript]
) -> None:
    for twin in cases.named("twins"):
        assert chats[twin.id].turns[0].text == chats[twin.twin_of].turns[0].text


def test_asked_for_the_number_everybody_who_has_it_gives_it(
    cases: DrawnCases, chats: dict[str, Transcript]
) -> None:
    case = cases.cases["cancel_before_ship-1"]
    first, asks, second = chats[case.id].turns[:3]
    assert case.subject not in first.text and "order number" in asks.text
    assert case.subject in second.text


def test_several_messages_in_a_row_are_lines_of_one_turn(chats: dict[str, Transcript]) -> None:
    several = [
        any("\n" in turn.text for turn in one.turns if turn.party == "customer") for one in chats.values()
    ]
    assert sum(several) > len(several) / 2
    assert not any(re.search(r"\n\s*\n", turn.text) for one in chats.values() for turn in one.turns)


def test_nobody_says_to_be_plain(chats: dict[str, Transcript]) -> None:
    words = [turn.text for one in chats.values() for turn in one.turns if turn.party == "customer"]
    assert not any("To be plain" in text for text in words)


def test_no_phrase_is_said_twice_in_one_conversation(cases: DrawnCases) -> None:
    case = msgspec.structs.replace(
        cases.cases["damaged_no_proof-1"],
        brief=msgspec.structs.replace(cases.cases["damaged_no_proof-1"].brief, patience=9),
    )
    said = [turn.text for turn in play(cases, case, Mute()).turns if turn.party == "customer"]
    assert len(said) > 6 and len(set(said)) == len(said)


class Mute:
    """Never says anything."""

    async def reply(self, *_: object) -> str:
        return ""


def test_neighbours_word_the_same_thing_differently(cases: DrawnCases) -> None:
    """As many different first words to a silent desk as there are phrases, and none much more often."""
    said: dict[tuple[str, str], Counter[str]] = {}
    for case in cases.named("core"):
        transcript = asyncio.run(held(case, Mute(), ScriptedVoice()))
        brief = case.brief
        said.setdefault((brief.language, brief.manner), Counter())[transcript.turns[2].text] += 1
    for counts in said.values():
        assert max(counts.values()) - min(counts.values()) <= 2, "a lap may begin and end halfway"


def test_no_phrase_of_the_book_asks_for_anything_or_gives_anything_away() -> None:
    for manners in phrase_book().values():
        for stocks in manners.values():
            for phrase in (phrase for stock in stocks.values() for phrase in stock):
                assert not HEARD.requests(phrase) and not HEARD.disclosed(phrase), phrase
                assert not READER.leave_given(phrase), phrase


def test_every_yes_is_one_every_no_is_one_and_half_a_yes_is_neither() -> None:
    for stocks in phrase_book()["en"].values():
        assert {answer(phrase, "en") for phrase in stocks["confirm"]} == {"yes"}
        assert {answer(phrase, "en") for phrase in stocks["decline"]} == {"no"}
        assert not any(answer(phrase, "en") for phrase in (*stocks["half_yes"], *stocks["ask_back"]))
        assert all(is_conditional(phrase, "en") for phrase in stocks["half_yes"])


@pytest.mark.parametrize("language", phrase_book())
def test_there_are_many_wordings_of_everything(language: str) -> None:
    fewest = 12 if language == "en" else 6
    for stocks in phrase_book()[language].values():
        assert all(len(set(stock)) == len(stock) >= fewest for stock in stocks.values())
