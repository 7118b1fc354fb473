"""Ledger: what the customer of a real ticket wants, knows and will say, from what it wrote later.

Only the closing words are added, and the shop's plain sentence for what it asks for. Everything else that it
says or tells comes from the ticket.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from supportagentbench.language.customer import answer, customer_language, customer_languages, plain
from supportagentbench.language.identify import language_of
from supportagentbench.language.reader import Reader
from supportagentbench.records.case import Brief, CustomerFact, CustomerFile, Pressure, Step, Wish
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import CLOSE_TICKET, DETAILS, HAND_OVER, WISH
from supportagentbench.shadow.desk_map import TicketFacts
from supportagentbench.world.folder import World

STEPS: tuple[Step, ...] = ("polite", "persistent", "authority")
FEWEST_WORDS = 4
"""Words of a message that presses for something; shorter ones are a yes, a thank-you or a greeting."""
LONGEST, MOST_LATER = 4_000, 60
"""Characters of a message, and later messages, that a customer keeps in mind."""
LONGEST_GOODBYE, READ, READ_AT_END = 80, 2_000, 300
"""Characters of a goodbye; those in which values are looked for; those at the end that ask something."""
_NUMBER = re.compile(r"(?<![\w@.])#?[A-Za-z]{0,3}\d{4,}\b")
_MAIL = re.compile(r"\w@\w")
_ASKS_FOR_MORE = re.compile(
    r"(?i)\b(?:any|some)thing (?:else|more)|\belse (?:i|we|you)\b|\bhelp (?:you )?(?:with )?today"
)
_GREETING = re.compile(
    r"(?i)\b(?:hi|hello|hey|good (?:morning|afternoon|evening|day)|there|my name is \S+(?: \S+)?)(?!\w)"
)
_GOODBYE = re.compile(
    r"(?i)\b(?:thanks?|thank you|thx|bye|that(?:['’]?s| is| was|['’]ll be| will be| would be)? (?:all|it)\b"
    r"|that['’]ll do|nothing else|all (?:done|set|good)|have a (?:good|nice|great))"
)
_TAKES_NOTE = re.compile(
    r"(?i)(?:ah|oh|ok|okay|all ?right|i see|i understand|got it|that(?:['’]?s| is) (?:great|good|fine)"
    r"|great|perfect|cool|awesome|sure|fine|good)\b"
)
_OBJECTS = re.compile(r"(?i)\?|\b(?:but|still|not|never|n['’]t)\b")
THANKS = {
    "en": "Thank you, that's all I needed.",
    "es": "Gracias, eso era todo.",
    "fr": "Merci, c'est tout ce qu'il me fallait.",
    "de": "Danke, das war alles.",
    "pt": "Obrigado, era só isso.",
    "pl": "Dziękuję, to wszystko.",
    "ja": "ありがとうございます。以上です。",
}
FAREWELL = {
    "en": "All right. I'll leave it at that, then.",
    "es": "Está bien, entonces lo dejo así.",
    "fr": "Bon, alors j'en reste là.",
    "de": "Na gut, dann lasse ich es dabei.",
    "pt": "Está bem, então fico por aqui.",
    "pl": "Dobrze, w takim razie na tym zakończę.",
    "ja": "わかりました。では、これで結構です。",
}
"""By language; in any other, in English."""


class TicketLedger:
    """Makes briefs for the customers of real tickets in one world."""

    def __init__(self, world: World, reader: Reader) -> None:
        self._world, self._reader = world, reader

    def brief(
        self,
        request: str,
        known: TicketFacts,
        history: Sequence[Turn],
        later: Sequence[Turn],
        sender: Sender | None,
        *,
        was_granted: bool = False,
    ) -> Brief:
        """The ledger of one customer, from the resume point on; `request` is empty if it is unknown.

        `was_granted`: it got what it wanted, so nothing that it wrote then presses for it.
        """
        opening = next(turn.text for turn in history if turn.party == "customer")
        matter = _matter([*history, *later]) or opening
        said = list(self._said(later[:MOST_LATER], matter))
        pressure = [one for one in said if isinstance(one, Pressure) and not was_granted]
        language = language_of(matter)
        return Brief(
            wishes=(self._wish(request, known, matter[:LONGEST]),),
            satisfied=THANKS.get(language, THANKS["en"]),
            disappointed=FAREWELL.get(language, FAREWELL["en"]),
            facts=(*self._identity(known, sender), *(one for one in said if isinstance(one, CustomerFact))),
            evidence=tuple(_files(later)),
            pressure=tuple(replace(one, step=step) for step, one in zip(STEPS, pressure, strict=False)),
            language=language,
        )

    def _wish(self, request: str, known: TicketFacts, words: str) -> Wish:
        """What it wants, in its words: the acts that the policy grants for it settle it, or else any news.

        A request that the map does not name is read from the words. As the words may be misread, such a
        customer agrees to everything that is proposed; if nothing can be read, any act settles it as well.
        """
        policy, vocabulary = self._world.policy, self._world.vocabulary
        plain = tuple(act for act in policy.kit.acts if act not in (HAND_OVER, CLOSE_TICKET))
        wanted = request or next(iter(self._reader.customer.requests(words)), "")
        acts = tuple(act for act in plain if not wanted or wanted in policy.requests_granted_by(act))
        ways = tuple(dict.fromkeys(way for act in acts for way in vocabulary.ways(act)))
        settled = [f"done:{act}" for act in ways]
        if not wanted or not settled:
            settled += [f"told:{news.name}" for news in vocabulary.news]
        agrees = ways if request else plain
        return Wish(wanted, words, tuple(settled), arguments=known.arguments, agrees_to=agrees)

    def _identity(self, known: TicketFacts, sender: Sender | None) -> Iterator[CustomerFact]:
        if known.subject:
            yield CustomerFact(f"It is {known.subject}.", topics=(self._world.kit.number.topic,))
        if sender:
            yield CustomerFact(f"{sender.name}, {sender.email}.", topics=("identity",))

    def _said(self, later: Sequence[Turn], matter: str) -> Iterator[CustomerFact | Pressure]:
        """Its later messages: an answer to a question is a fact, anything else of some length is pressure.

        What it is about, if the opening did not say so, it says in its next message. A goodbye is neither.
        """
        asked: tuple[str, ...] = ()
        for turn in later:
            if turn.party == "agent":
                asked = self._asked(turn.text)
                continue
            told, words = self._reader.customer.disclosed(turn.text), turn.text[:LONGEST]
            topics = tuple(dict.fromkeys((*asked, *self._values(words))))
            asked = ()
            if turn.text == matter:
                yield CustomerFact(words, "volunteer", topics or (DETAILS,), told)
            elif _is_goodbye(words):
                continue
            elif not topics and _has_matter(words) and not _accepts(words):
                yield Pressure(STEPS[0], words, told)
            elif told or (topics and not _is_bare_answer(words)):
                yield CustomerFact(words, topics=topics or (DETAILS,), discloses=told)

    def _asked(self, words: str) -> tuple[str, ...]:
        """What a message of the desk asks for, in the world's words or, failing that, the details."""
        heard = self._reader.heard(words, language_of(words))
        asked = tuple(topic for topic in heard.asks if topic != WISH)
        asks_something = "?" in words[-READ_AT_END:] and not _ASKS_FOR_MORE.search(words[-READ_AT_END:])
        return asked or ((DETAILS,) if asks_something else ())

    def _values(self, words: str) -> Iterator[str]:
        """The questions that the values in a message answer."""
        if _NUMBER.search(words[:READ]):
            yield self._world.kit.number.topic
        if _MAIL.search(words[:READ]):
            yield "identity"


def _is_goodbye(words: str) -> bool:
    """Whether this short message only ends the talk."""
    return len(words) < LONGEST_GOODBYE and "?" not in words and _GOODBYE.search(words) is not None


def _is_bare_answer(words: str) -> bool:
    """Whether this is a yes or a no, which answers one question only."""
    return len(words.split()) < FEWEST_WORDS and bool(answer(words, language_of(words)))


def _accepts(words: str) -> bool:
    """Whether a message agrees, takes note or says that the matter is closed, and asks for nothing."""
    language = language_of(words)
    known = customer_language(language) or customer_languages()["en"]
    closes = any(
        known.patterns[name].search(plain(words[:READ], language)) for name in ("settled", "goodbye")
    )
    agrees = closes or answer(words, language) == "yes" or _TAKES_NOTE.match(words) is not None
    return agrees and not _OBJECTS.search(words[:READ])


def _matter(turns: Sequence[Turn]) -> str:
    """The first message of the customer that is more than a greeting; empty: none is."""
    said = (turn.text for turn in turns if turn.party == "customer")
    return next((text for text in said if _has_matter(_GREETING.sub(" ", text[:READ]))), "")


def _has_matter(text: str) -> bool:
    return len(text.split(maxsplit=FEWEST_WORDS)) >= FEWEST_WORDS


def _files(later: Iterable[Turn]) -> Iterator[CustomerFile]:
    for turn in later:
        for file in turn.attachments:
            yield CustomerFile(file.kind, file.name, file.shows)
