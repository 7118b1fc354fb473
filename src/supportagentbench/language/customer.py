"""A customer's words: what yes, no, thanks and goodbye sound like, in the languages that are known.

The tables are in `customer_grammar.yaml`. What customers request and disclose is in a world's vocabulary.
"""

import re
from collections.abc import Iterable
from functools import cache, cached_property, lru_cache
from pathlib import Path
from re import Pattern
from typing import Literal
from unicodedata import normalize

from supportagentbench.language.notation import patterns
from supportagentbench.language.pattern import refuse_unsafe
from supportagentbench.language.spelling import in_full, in_plain_type, uncontracted
from supportagentbench.records.record import Record
from supportagentbench.records.vocabulary import Subject, Vocabulary
from supportagentbench.storage.yaml_file import read_document

PLAINLY = "To be plain: "
"""How a customer begins who was asked twice what it wants; a request in plain words follows."""

SENTENCE = re.compile(r"(?<=[.!?。？！])\s+|\n+")

LIMIT = 8_000
"""Characters of a message in which requests and facts are looked for: junk must stay cheap."""

Answer = Literal["yes", "no", ""]


class CustomerGrammar(Record):
    """The tables of one language: one wording per line, matched as whole words of plain text."""

    common: str
    """Words that mean little by themselves."""
    letters: str
    """Letters that only this language has."""
    numbers: dict[str, int]
    times: str
    opens_with_yes: str
    """How a message that says yes begins, regardless of the rest."""
    opens_with_no: str
    condition: str
    """What makes a yes conditional."""
    yes: str
    go_ahead: str
    """A yes that cannot be taken for anything else."""
    no: str
    negation: str
    attached: str
    lacking: str
    """That there is no file to send."""
    promise: str
    """That one will be sent later."""
    goodbye: str
    settled: str
    """That the matter is closed, one way or the other."""
    shop: str
    """Things that only an agent at the desk says."""
    machine: str
    """Things that customers never mention: rules by number, instructions, the task."""
    colours: str = ""


LISTS = ("common", "letters", "numbers", "colours")
"""Tables that are lists of words."""


class CustomerLanguage:
    """The tables of one language, ready for use."""

    def __init__(self, name: str, grammar: CustomerGrammar) -> None:
        self.common = frozenset(grammar.common.split())
        self.numbers = grammar.numbers
        self.colours = frozenset(grammar.colours.split())
        self.letters = frozenset(grammar.letters)
        edges = ("", "") if name == "ja" else (r"(?<!\w)", r"(?!\w)")
        tables = (table for table in CustomerGrammar.__struct_fields__ if table not in LISTS)
        self.patterns = {table: _table(getattr(grammar, table), *edges) for table in tables}

    def is_slight(self, word: str) -> bool:
        """Whether the word means nothing by itself, or is compared as a value."""
        return word in self.common or word in self.numbers

    def owns(self, word: str) -> bool:
        """Whether the word seems to belong to this language."""
        return (len(word) > 1 and word in self.common) or not self.letters.isdisjoint(word)

    def opens_with(self, text: str, table: str) -> bool:
        """Whether a plain text begins with a wording of this table."""
        start = re.match(r"\W*", text)
        return bool(start and self.patterns[table].match(text, start.end()))


def _table(table: str, before: str, after: str) -> Pattern[str]:
    lines = re.sub(r"\\\n\s*", "", table).splitlines()
    wordings = "|".join(line.strip() for line in lines if line.strip())
    return re.compile(f"{before}(?:{wordings}){after}")


@cache
def customer_languages() -> dict[str, CustomerLanguage]:
    """Every language that customers are read in."""
    shipped = read_document(Path(__file__).parent / "customer_grammar.yaml", dict[str, CustomerGrammar])
    return {name: CustomerLanguage(name, grammar) for name, grammar in shipped.items()}


def customer_language(name: str) -> CustomerLanguage | None:
    return customer_languages().get(name)


@lru_cache(maxsize=256)
def plain(text: str, language: str) -> str:
    """Lower case, one kind of quotation mark and of space, and in English no contractions."""
    lower = re.sub(r"\s+", " ", in_plain_type(normalize("NFKC", text)).lower())
    return in_full(uncontracted(lower)) if language == "en" else lower


class CustomerWords:
    """What customers of one desk request and disclose."""

    def __init__(self, vocabulary: Vocabulary) -> None:
        self._vocabulary = vocabulary

    @cached_property
    def _requests(self) -> dict[str, Pattern[str]]:
        return _by_name(self._vocabulary.requests)

    @cached_property
    def _plainly(self) -> dict[str, Pattern[str]]:
        return {one.name: _filled(one.about) for one in self._vocabulary.requests}

    @cached_property
    def _disclosures(self) -> dict[str, Pattern[str]]:
        return _by_name(self._vocabulary.disclosures)

    @cached_property
    def _goods(self) -> dict[str, Pattern[str]]:
        return _by_name(self._vocabulary.goods)

    def requests(self, message: str) -> list[str]:
        """The kinds of request that these words make, in the order of their sentences; one per sentence."""
        found = (_first(self._requests, sentence) for sentence in SENTENCE.split(_smooth(message)))
        return list(dict.fromkeys(filter(None, found)))

    def plain_requests(self, message: str) -> list[tuple[str, str]]:
        """Every request that is put in plain words, with those words: marked as such, or a line by itself."""
        marked = re.findall(rf"{PLAINLY}(.*?)(?=\s{PLAINLY}|$)", message, re.DOTALL)
        found = ((self._kind(words, whole=not marked), words) for words in marked or message.split("\n"))
        return [(kind, words) for kind, words in found if kind]

    def _kind(self, words: str, *, whole: bool) -> str | None:
        """The request that these words put plainly, with nothing after it if they have to be the whole."""
        for name, form in self._plainly.items():
            if form.fullmatch(words.strip(" .?!")) if whole else form.match(words):
                return name
        return None

    def disclosed(self, message: str) -> dict[str, str]:
        """What the policy learns from these words: of each fact the first value that they tell."""
        told: dict[str, str] = {}
        plain = _smooth(message)
        for name, words in self._disclosures.items():
            fact, _, value = name.partition(":")
            if fact not in told and words.search(plain):
                told[fact] = value
        return told

    @property
    def kinds_of_goods(self) -> tuple[str, ...]:
        """Every kind of goods that customers look for."""
        return tuple(self._goods)

    def kind_of_goods(self, message: str) -> str | None:
        """The kind of goods that these words are after."""
        named = next((kind for kind in self._goods if f"of the kind {kind}" in message), None)
        return named or _first(self._goods, _smooth(message))


def answer(message: str, language: str) -> Answer:
    """What a message answers to a proposal, if its first words settle that: yes, unless taken back, or no."""
    known = customer_language(language) or customer_languages()["en"]
    text = plain(message, language)
    if known.opens_with(text, "opens_with_no") or re.search(r"\bdo not (?:do|want)\b", text):
        return "no"
    return "yes" if known.opens_with(text, "opens_with_yes") and not is_conditional(message, language) else ""


def is_conditional(message: str, language: str) -> bool:
    """Whether its first sentence or line makes everything conditional."""
    known = customer_language(language) or customer_languages()["en"]
    first = plain(SENTENCE.split(message.strip())[0], language)
    return bool(known.patterns["condition"].search(first))


def _by_name(subjects: Iterable[Subject]) -> dict[str, Pattern[str]]:
    found = {
        one.name: patterns(*(text for texts in one.heard.values() for text in texts)) for one in subjects
    }
    for words in found.values():
        refuse_unsafe(words)
    return {name: re.compile("|".join(words)) for name, words in found.items() if words}


def _first(tables: dict[str, Pattern[str]], text: str) -> str | None:
    return next((name for name, words in tables.items() if words.search(text)), None)


def _filled(sentence: str) -> Pattern[str]:
    """A sentence with placeholders, for any values and any ending."""
    parts = re.split(r"\{\w+\}", sentence.rstrip(".?"))
    return re.compile(".+?".join(map(re.escape, parts)), re.DOTALL | re.IGNORECASE)


def _smooth(message: str) -> str:
    return in_plain_type(message[:LIMIT].lower())
