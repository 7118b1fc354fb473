"""Ledger: what the customer of a real ticket wants, knows and will say, from what it wrote later.

Only the closing words are added. Everything else that it says or tells comes from the ticket.
"""

import re
from collections.abc import Iterable, Iterator, Sequence

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
"""Words of a message that asks or presses for something; shorter ones are a yes or a greeting."""
CLOSING = re.compile(
    r"thank|\b(thx|ty|you too)\b|that(.s| is| was| (will|would) be) (all|it|everything)|no more (concerns|questions)",
    re.IGNORECASE,
)
"""Words that press for nothing any more."""
THANKS, FAREWELL = "Thank you, that's all I needed.", "All right. I'll leave it at that, then."


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
    ) -> Brief:
        """The ledger of one customer, from the resume point on."""
        asking = self._asking(request, history) or self._asking(request, later) or _words(history)[0]
        said = [one for one in self._said(later) if one != asking]
        return Brief(
            wishes=(self._wish(request, known, asking),),
            satisfied=THANKS,
            disappointed=FAREWELL,
            facts=(*self._identity(known, sender), *(one for one in said if isinstance(one, CustomerFact))),
            evidence=tuple(_files(later)),
            pressure=tuple(
                Pressure(step, one)
                for step, one in zip(STEPS, (one for one in said if isinstance(one, str)), strict=False)
            ),
            language=language_of(asking),
        )

    def _asking(self, request: str, turns: Sequence[Turn]) -> str:
        """The message in which it asks: the first that is known to ask for this, or else that says much."""
        said = _words(turns)
        named = [text for text in said if request in self._reader.customer.requests(text)]
        return next((text for text in (*named, *said) if len(text.split()) >= FEWEST_WORDS), "")

    def _wish(self, request: str, known: TicketFacts, asking: str) -> Wish:
        """What it wants, in its own words: the acts that the policy grants for it settle it."""
        policy, vocabulary = self._world.policy, self._world.vocabulary
        plain = tuple(act for act in policy.kit.acts if act not in (HAND_OVER, CLOSE_TICKET))
        acts = tuple(act for act in plain if request in policy.requests_granted_by(act))
        ways = tuple(dict.fromkeys(way for act in acts for way in vocabulary.ways(act)))
        settled = [f"done:{act}" for act in ways] or [f"told:{news.name}" for news in vocabulary.news]
        return Wish(request, asking, tuple(settled), arguments=known.arguments, agrees_to=ways)

    def _identity(self, known: TicketFacts, sender: Sender | None) -> Iterator[CustomerFact]:
        if known.subject:
            yield CustomerFact(f"It is {known.subject}.", topics=(self._world.kit.number.topic,))
        if sender:
            yield CustomerFact(f"{sender.name}, {sender.email}.", topics=("identity",))

    def _said(self, later: Sequence[Turn]) -> Iterator[CustomerFact | str]:
        """Its later messages: an answer to a question is a fact, anything else of some length is pressure."""
        asked: tuple[str, ...] = ()
        for turn in later:
            if turn.party == "agent":
                asked = self._asked_by(turn.text)
                continue
            told = self._reader.customer.disclosed(turn.text)
            if told or (asked and not _is_bare_answer(turn.text)):
                yield CustomerFact(turn.text, topics=asked or (DETAILS,), discloses=told)
            elif _presses(turn.text):
                yield turn.text
            asked = ()

    def _asked_by(self, text: str) -> tuple[str, ...]:
        """The topics of the desk's questions; a question of its own is about details."""
        heard = self._reader.heard(text, language_of(text))
        topics = tuple(topic for topic in heard.asks if topic != WISH)
        is_other = "?" in text and not (heard.asks or heard.offers or heard.consent)
        return topics or ((DETAILS,) if is_other else ())


def _words(turns: Iterable[Turn]) -> list[str]:
    """What the customer writes in these turns."""
    return [turn.text for turn in turns if turn.party == "customer"]


def _is_bare_answer(text: str) -> bool:
    """Whether this is a yes, a no or a goodbye, which answers that one question and no other."""
    is_short = len(text.split()) < FEWEST_WORDS and bool(answer(text, language_of(text)))
    return is_short or (bool(CLOSING.search(text)) and not re.search(r"\d", text))


def _presses(text: str) -> bool:
    """Whether this is more than a yes, a thank-you or a goodbye."""
    language = language_of(text)
    tables = (customer_language(language) or customer_languages()["en"]).patterns
    is_over = any(tables[name].search(plain(text, language)) for name in ("goodbye", "settled"))
    is_long = len(text.split()) >= FEWEST_WORDS
    return is_long and not (is_over or CLOSING.search(text) or answer(text, language) == "yes")


def _files(later: Iterable[Turn]) -> Iterator[CustomerFile]:
    for turn in later:
        for file in turn.attachments:
            yield CustomerFile(file.kind, file.name, file.shows)
