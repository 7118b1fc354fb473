"""Person's words: what a real customer's message, written elsewhere, says of the ledger made for it.

It is read by the same reader as everything else. What the words do not show stays unknown: a fact that they
do not name can still be asked for, and only an outright yes to a proposal is taken for one.
"""

import re
from typing import NamedTuple

from supportagentbench.language.customer import answer
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief, CustomerFact, CustomerFile, Wish
from supportagentbench.records.transcript import SpeechActs, Turn

VALUE = re.compile(r"[^\s@]+@[^\s@]+\w|\d[\w-]*")
"""A number, a code or an e-mail address."""


class PersonWords(NamedTuple):
    """One message, as far as it can be read."""

    facts: tuple[CustomerFact, ...]
    """Those of the ledger that it tells."""
    wishes: tuple[Wish, ...]
    """Those that it puts into words."""
    files: tuple[CustomerFile, ...]
    """Those that come with it."""
    discloses: dict[str, str]
    """What the policy learns from it."""
    confirms: tuple[str, ...]
    """The proposals that it says yes to."""


def person_words(turn: Turn, heard: SpeechActs, brief: Brief, reader: Reader) -> PersonWords:
    """What a message says, after the agent's words that were heard like this."""
    told = reader.customer.disclosed(turn.text) if brief.language == "en" else {}
    asked = reader.customer.requests(turn.text) if brief.language == "en" else []
    names = {file.name for file in turn.attachments}
    if any(file.kind == "photo" for file in turn.attachments):
        told = told | {"proof": "shown"}
    is_yes = answer(turn.text, brief.language) == "yes"
    return PersonWords(
        facts=tuple(fact for fact in brief.facts if _is_told(fact, turn.text, told)),
        wishes=tuple(wish for wish in brief.wishes if wish.request in asked),
        files=tuple(file for file in brief.evidence if file.name in names),
        discloses=told,
        confirms=heard.offers if is_yes else (),
    )


def _is_told(fact: CustomerFact, text: str, told: dict[str, str]) -> bool:
    """Whether these words tell a fact: what the policy learns from it, or every value that it gives."""
    if fact.discloses:
        return fact.discloses.items() <= told.items()
    words = text.casefold()
    values = VALUE.findall(fact.says.casefold())
    return all(value in words for value in values) if values else fact.says.casefold() in words
