"""Reader: the one place where words are understood. A message in, speech acts out.

A reader is compiled from a world's vocabulary. Customers, checks and agents all read through it; a caller
only says how strictly. A lenient reading understands what a person would. A strict one counts only what is
beyond doubt, because agents are judged by it.
"""

from copy import copy
from functools import lru_cache
from typing import TYPE_CHECKING

from supportagentbench.language.customer import CustomerWords
from supportagentbench.language.english_agent import EnglishAgent
from supportagentbench.language.listening import Listening
from supportagentbench.language.other_agent import OtherAgent
from supportagentbench.language.speech_act import SpeechAct
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.records.vocabulary import Vocabulary

if TYPE_CHECKING:
    from supportagentbench.language.ear import Ear

ENGLISH = "en"

SAID_AGAIN = 1024
"""Replies whose reading is remembered, since many agents have few sentences."""

_readers: dict[str, "Reader"] = {}


def reader_of(vocabulary: Vocabulary) -> "Reader":
    """The reader for a vocabulary; made once."""
    reader = _readers.get(vocabulary.digest)
    if reader is None:
        reader = _readers[vocabulary.digest] = Reader(vocabulary)
    return reader


class Reader:
    """Reads messages with the words of one shop's desk."""

    ear: "Ear | None" = None
    """Understands English as other people write it; trained for a world, so not every one has it."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self.vocabulary = vocabulary
        self.customer = CustomerWords(vocabulary)
        """What a customer's own words ask for and give away."""
        self.english = EnglishAgent(vocabulary)
        self._others: dict[str, OtherAgent] = {}
        self.claims = lru_cache(maxsize=SAID_AGAIN)(self._claims)
        """What an agent's English message says beyond doubt."""

    def with_ear(self, ear: "Ear") -> "Reader":
        """The same reader for customers who have an ear; it shares all tables."""
        found = copy(self)
        found.ear = ear
        return found

    def heard(self, message: str, language: str = ENGLISH, listening: Listening | None = None) -> SpeechActs:
        """What a customer takes from an agent's message; without a listener, what tables read in it."""
        if self.ear and listening and language == ENGLISH:
            return self.ear.heard(message, listening)
        return self._agent(language).understand(message).heard()

    def acts_named(self, message: str) -> frozenset[str]:
        """The acts that anybody's English words speak of, however they are meant."""
        return self.english.named(message)

    def leave_given(self, message: str) -> frozenset[str]:
        """The acts for which a customer gives leave outright and without reserve, in English."""
        return self.english.allowed(message)

    def _agent(self, language: str) -> EnglishAgent | OtherAgent:
        if language == ENGLISH:
            return self.english
        if language not in self._others:
            self._others[language] = OtherAgent(self.vocabulary, language)
        return self._others[language]

    def _claims(self, message: str) -> tuple[SpeechAct, ...]:
        return tuple(self.english.sure(message))
