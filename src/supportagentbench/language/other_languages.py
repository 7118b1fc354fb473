"""Abroad: what an agent's reply says to a customer who speaks another language than English.

The wordings stand in `abroad.yaml`, one table a language. Whatever is not written in the customer's
own language passes it by, but for numbers and links: those anybody can use.
"""

import re
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from re import Pattern
from typing import NamedTuple
from unicodedata import normalize

from supportagentbench.records.case import Act, News, Topic
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import SpeechActs
from supportagentbench.storage.yaml_file import read_document

LIMIT = 8_000
"""Characters read: nobody answers a longer message point by point, and junk must stay cheap."""


class Wordings(Record):
    """How one act is spoken of; each table holds one pattern a line."""

    named: str
    """At all: only a question, or a `can` beside it, makes an offer of it."""
    will: str
    """As about to be done."""
    done: str
    """As done."""


class Language(Record):
    """The tables of one language, one pattern a line, matched from the start of a word."""

    people: str
    """Whom a case is handed to; stands for PEOPLE in the wordings of acts."""
    asking: str
    """What makes a sentence a request even without a question mark."""
    consent: str
    can: str
    negation: str
    joint: str
    """Where a clause ends, beside commas and colons."""
    aside: str
    """Spans that speak of other times or of what may come: no news, no deed."""
    asks: dict[Topic, str]
    acts: dict[Act, Wordings]
    tells: dict[News, str]
    refuses: str
    farewell: str


class ActWordings(NamedTuple):
    """The compiled wordings of one act."""

    named: Pattern[str]
    will: Pattern[str]
    done: Pattern[str]


class Ear:
    """One language, ready to listen."""

    def __init__(self, language: Language) -> None:
        self.asking = _table(language.asking)
        self.consent = _table(language.consent)
        self.can = _table(language.can)
        self.negation = _table(language.negation)
        self.joint = re.compile(f"{_table(language.joint).pattern}|[,、:]")
        self.aside = _table(language.aside)
        self.asks = {topic: _table(table) for topic, table in language.asks.items()}
        self.tells = {news: _table(table) for news, table in language.tells.items()}
        self.refuses = _table(language.refuses)
        self.farewell = _table(language.farewell)
        self.acts = {
            act: ActWordings(*(_table(getattr(one, field), language.people) for field in ActWordings._fields))
            for act, one in language.acts.items()
        }


class Sense(NamedTuple):
    """What one sentence says."""

    asks: set[Topic]
    named: set[Act]
    offers: set[Act]
    will: set[Act]
    done: set[Act]
    tells: set[News]
    consent: bool
    refuses: bool
    farewell: bool


TYPOGRAPHY = str.maketrans("’‘´`“”„«»–—―−〜", '\'\'\'\'"""""----~', "*_")
LINK = re.compile(r"(?:https?://|www\.)[!-~]+")
TRACKING_NUMBER = re.compile(
    r"(?<![0-9a-z@.+-])(?:1z[0-9a-z]{10,18}|[a-z]{2,4}[0-9]{8,20}[a-z]{0,2}|[0-9]{10,22})(?![0-9a-z@])"
)
SENTENCE = re.compile(r"(?<=[.!?;])(?<![^0-9][0-9]\.)(?<![^0-9][0-9]{2}\.)[\s\"')]+|(?<=[。!?])|(?=¿)|\n+")
"""Where sentences end; "25. Juni" is none."""


def hear_abroad(text: str, language: str) -> SpeechActs:
    """What a customer who speaks this language takes from this message."""
    plain = normalize("NFKC", text[:LIMIT].translate(TYPOGRAPHY)).lower()
    ear = _ears().get(language)
    senses = [_sense(one, ear) for one in SENTENCE.split(LINK.sub("\0", plain)) if one] if ear else []
    loose = any(sense.consent and not sense.offers for sense in senses)
    offers = {act for sense in senses for act in (sense.offers | sense.named if loose else sense.offers)}
    done = {act for sense in senses for act in sense.done | (sense.will - offers)}
    tells = {news for sense in senses for news in sense.tells}
    if LINK.search(plain) or TRACKING_NUMBER.search(plain):
        tells.add("tracking")
    return SpeechActs(
        asks=tuple(sorted({topic for sense in senses for topic in sense.asks})),
        offers=tuple(sorted(offers - done)),
        done=tuple(sorted(done)),
        tells=tuple(sorted(tells)),
        refuses=any(sense.refuses for sense in senses),
        farewell=any(sense.farewell for sense in senses),
        consent=bool(offers - done) or any(sense.consent for sense in senses),
    )


def _sense(sentence: str, ear: Ear) -> Sense:
    question, consent = "?" in sentence, bool(ear.consent.search(sentence))
    asks = _asked(sentence, ear) if question or ear.asking.search(sentence) else set()
    clauses = {act: list(_affirmed(deed.named, sentence, ear)) for act, deed in ear.acts.items()}
    named = {act for act, found in clauses.items() if found}
    if consent and named:
        asks &= {"wish"}
    elif asks - {"wish"}:
        named, consent = set(), False  # "To cancel it I need your number" asks, and proposes nothing.
    plain = ear.aside.sub(" ", sentence)
    claims = {} if question or consent or asks else ear.acts
    done = {act for act, deed in claims.items() if any(_affirmed(deed.done, plain, ear))}
    can = {act for act in named - done if any(ear.can.search(clause) for clause in clauses[act])}
    return Sense(
        asks=asks,
        named=named,
        offers=named if consent else can,
        will={act for act, deed in claims.items() if any(_affirmed(deed.will, plain, ear))},
        done=done,
        tells=set() if question else _news(sentence, plain, ear, bool(done)),
        consent=consent,
        refuses=bool(ear.refuses.search(sentence)),
        farewell=bool(ear.farewell.search(sentence)),
    )


def _asked(sentence: str, ear: Ear) -> set[Topic]:
    """The topics of a request; in "to change the address I need your number", the number alone."""
    rest = ear.acts["edit_address"].named.sub(" ", sentence)
    return _topics(rest, ear) or _topics(sentence, ear)


def _topics(sentence: str, ear: Ear) -> set[Topic]:
    return {topic for topic, wording in ear.asks.items() if wording.search(sentence)}


def _affirmed(wording: Pattern[str], sentence: str, ear: Ear) -> Iterator[str]:
    """The clauses in which something is said, and not denied."""
    cuts = [0, *(cut.end() for cut in ear.joint.finditer(sentence)), len(sentence)]
    spans = (
        (cuts[bisect_right(cuts, found.start()) - 1], cuts[bisect_left(cuts, found.end())])
        for found in wording.finditer(sentence)
    )
    for begin, end in dict.fromkeys(spans):
        if not ear.negation.search(sentence, begin, end):
            yield sentence[begin:end]


def _news(sentence: str, plain: str, ear: Ear, done: bool) -> set[News]:
    news = {one for one, wording in ear.tells.items() if wording.search(plain)}
    if ear.tells["returns"].search(sentence):
        news = news - {"timing"} | {"returns"}
    if ear.refuses.search(sentence):
        news.discard("returns")
    return news - {"status"} if done else news


def _table(table: str, people: str = "") -> Pattern[str]:
    """One pattern for a table of wordings; each begins a word, and what follows it is left open."""
    wordings = "|".join(line.strip() for line in table.splitlines() if line.strip())
    wordings = wordings.replace("PEOPLE", f"(?:{'|'.join(people.split())})")
    return re.compile(rf"(?<![0-9a-zß-öø-ž])(?:{wordings})")


@cache
def _ears() -> dict[str, Ear]:
    shipped = read_document(Path(__file__).parent / "other_languages.yaml", dict[str, Language])
    return {name: Ear(language) for name, language in shipped.items()}
