"""Other agent: what each sentence of an agent says to a customer who does not speak English.

The grammar of each language is in `agent_grammar.yaml`. Text in other languages than the customer's goes
unheard, except what a vocabulary lists under `*`, such as links.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator
from functools import cache
from pathlib import Path
from re import Pattern
from typing import NamedTuple
from unicodedata import normalize

from supportagentbench.language.notation import Mark, wordings
from supportagentbench.language.pattern import refuse_unsafe
from supportagentbench.language.speech_act import Mood, Understood
from supportagentbench.records.record import Record
from supportagentbench.records.vocabulary import WISH, Heard, Subject, Verb, Vocabulary
from supportagentbench.storage.yaml_file import read_document

LIMIT = 8_000
"""Characters that are read: people do not answer longer messages point by point, and junk must stay cheap."""

ANY_LANGUAGE = "*"
NEVER = re.compile(r"(?!)")


class Grammar(Record):
    """The tables of one language, one pattern a line, matched from the start of a word."""

    asking: str
    """What makes a sentence a request even without a question mark."""
    consent: str
    can: str
    negation: str
    joint: str
    """Where a clause ends, besides commas and colons."""
    aside: str
    """Spans about other times or possible events: neither news nor an act."""
    refuses: str
    farewell: str


class ActPatterns(NamedTuple):
    """The compiled wordings of one act."""

    named: Pattern[str]
    """At all: only a question, or a `can` next to it, makes it an offer."""
    will: Pattern[str]
    done: Pattern[str]


TYPOGRAPHY = str.maketrans("’‘´`“”„«»–—―−〜", '\'\'\'\'"""""----~', "*_")
LINK = re.compile(r"(?:https?://|www\.)[!-~]+")
SENTENCE = re.compile(r"(?<=[.!?;])(?<![^0-9][0-9]\.)(?<![^0-9][0-9]{2}\.)[\s\"')]+|(?<=[。!?])|(?=¿)|\n+")
"""Where sentences end; "25. Juni" is none."""


class OtherAgent:
    """Reads agents' messages in one language, with one world's words."""

    def __init__(self, vocabulary: Vocabulary, language: str) -> None:
        self.grammar = _grammars().get(language)
        self._anywhere = [(one.name, _shop_table(one.heard.get(ANY_LANGUAGE, ()))) for one in vocabulary.news]
        if not self.grammar:
            return
        self._asking, self._consent, self._can, self._negation, self._aside, self._refuses, self._farewell = (
            _table([getattr(self.grammar, name)])
            for name in ("asking", "consent", "can", "negation", "aside", "refuses", "farewell")
        )
        self._joint = re.compile(f"{_table([self.grammar.joint]).pattern}|[,、:]")
        self._topics = _tables({one.name: one.heard for one in vocabulary.topics}, language)
        self._news = _tables({one.name: one.heard for one in vocabulary.news}, language)
        self._unless = _tables({one.name: one.unless for one in vocabulary.news}, language)
        self._about: dict[str, Subject] = {one.name: one for one in vocabulary.news}
        self._acts = {
            verb.act: _act_patterns(verb, language) for verb in vocabulary.verbs if verb.heard.get(language)
        }

    def understand(self, message: str) -> Understood:
        """What the sentences say, and what numbers and links say in any language."""
        whole = Understood()
        plain = normalize("NFKC", message[:LIMIT].translate(TYPOGRAPHY)).lower()
        if self.grammar:
            for sentence in filter(None, SENTENCE.split(LINK.sub("\0", plain))):
                self._take(sentence, whole)
        whole.tells.update(news for news, wording in self._anywhere if wording.search(plain))
        return whole

    def _take(self, sentence: str, whole: Understood) -> None:
        """Add what one sentence says."""
        question, leave = "?" in sentence, bool(self._consent.search(sentence))
        asks = self._asked(sentence) if question or self._asking.search(sentence) else set()
        clauses = {act: list(self._affirmed(one.named, sentence)) for act, one in self._acts.items()}
        named = {act for act, found in clauses.items() if found}
        if leave and named:
            asks &= {WISH}
        elif asks - {WISH}:
            named, leave = set(), False  # "To cancel it I need your number" asks, and proposes nothing.
        plain = self._aside.sub(" ", sentence)
        claims = {} if question or leave or asks else self._acts
        done = {act for act, one in claims.items() if any(self._affirmed(one.done, plain))}
        will = {act for act, one in claims.items() if any(self._affirmed(one.will, plain))}
        can = {act for act in named if any(map(self._can.search, clauses[act]))}
        moods: dict[str, Mood] = dict.fromkeys(named, "bare")
        whole.note(
            moods | dict.fromkeys(will, "will") | dict.fromkeys(can, "can") | dict.fromkeys(done, "done")
        )
        whole.claimed |= done
        whole.offers |= named if leave else set()
        whole.asks |= asks
        whole.tells |= set() if question else self._told(sentence, plain, bool(done))
        whole.leave |= leave
        whole.loose |= leave and not named
        whole.refuses |= bool(self._refuses.search(sentence))
        whole.farewell |= bool(self._farewell.search(sentence))

    def _asked(self, sentence: str) -> set[str]:
        """The topics of a request; in "to change the address I need your number", the number alone."""
        rest = sentence
        for one in self._acts.values():
            rest = one.named.sub(" ", rest)
        return self._topics_in(rest) or self._topics_in(sentence)

    def _topics_in(self, sentence: str) -> set[str]:
        return {topic for topic, wording in self._topics.items() if wording.search(sentence)}

    def _affirmed(self, wording: Pattern[str], sentence: str) -> Iterator[str]:
        """The clauses in which something is said, and not denied."""
        cuts = [0, *(cut.end() for cut in self._joint.finditer(sentence)), len(sentence)]
        spans = (
            (cuts[bisect_right(cuts, found.start()) - 1], cuts[bisect_left(cuts, found.end())])
            for found in wording.finditer(sentence)
        )
        for begin, end in dict.fromkeys(spans):
            if not self._negation.search(sentence, begin, end):
                yield sentence[begin:end]

    def _told(self, sentence: str, plain: str, done: bool) -> set[str]:
        refuses = bool(self._refuses.search(sentence))
        return {
            news
            for news, wording in self._news.items()
            if wording.search(plain if "aside" in self._about[news].never_with else sentence)
            and not (done and "done" in self._about[news].never_with)
            and not (refuses and "refusal" in self._about[news].never_with)
            and not (news in self._unless and self._unless[news].search(sentence))
        }


def _act_patterns(verb: Verb, language: str) -> ActPatterns:
    found = wordings(verb.heard[language])
    marks: tuple[Mark, ...] = ("", "will", "done")
    return ActPatterns(
        *(_compiled([one.pattern for one in found if one.mark == mark], is_shops=True) for mark in marks)
    )


def _tables(heard: dict[str, Heard], language: str) -> dict[str, Pattern[str]]:
    return {name: _shop_table(texts[language]) for name, texts in heard.items() if texts.get(language)}


def _table(texts: Iterable[str]) -> Pattern[str]:
    """One pattern for a table of the package's wordings."""
    return _compiled([one.pattern for one in wordings(texts)])


def _shop_table(texts: Iterable[str]) -> Pattern[str]:
    """The same for a shop's wordings; a Problem, if one of them may not be used."""
    return _compiled([one.pattern for one in wordings(texts)], is_shops=True)


def _compiled(found: list[str], *, is_shops: bool = False) -> Pattern[str]:
    """One pattern; each wording begins a word, and what follows it is left open."""
    if is_shops:
        refuse_unsafe(found)
    return re.compile(rf"(?<![0-9a-zß-öø-ž])(?:{'|'.join(found)})") if found else NEVER


@cache
def _grammars() -> dict[str, Grammar]:
    return read_document(Path(__file__).parent / "agent_grammar.yaml", dict[str, Grammar])
