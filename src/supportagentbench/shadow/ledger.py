"""Ledger: what the customer of a real ticket wants, knows and will say, from what it wrote later.

Only the closing words are added, and the shop's plain sentence for what it asks for. Everything else that it
says or tells comes from the ticket.
"""

from collections.abc import Iterable, Iterator, Sequence

from msgspec.structs import replace

from supportagentbench.language.customer import (
    SENTENCE,
    answer,
    customer_language,
    customer_languages,
    is_conditional,
    plain,
)
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
        was_granted: bool,
    ) -> Brief:
        """The ledger of one customer, from the resume point on. `was_granted`: it got what it wanted."""
        opening = next(turn.text for turn in history if turn.party == "customer")
        said, language = list(self._said(later, was_granted=was_granted)), language_of(opening)
        pressure = [one for one in said if isinstance(one, Pressure)]
        return Brief(
            wishes=(self._wish(request, known, opening),),
            satisfied=THANKS.get(language, THANKS["en"]),
            disappointed=FAREWELL.get(language, FAREWELL["en"]),
            facts=(*self._identity(known, sender), *(one for one in said if isinstance(one, CustomerFact))),
            evidence=tuple(_files(later)),
            pressure=tuple(replace(one, step=step) for step, one in zip(STEPS, pressure, strict=False)),
            language=language,
        )

    def _wish(self, request: str, known: TicketFacts, opening: str) -> Wish:
        """What it wants, in the words of its opening: the acts that the policy grants for it settle it."""
        policy, vocabulary = self._world.policy, self._world.vocabulary
        plain = tuple(act for act in policy.kit.acts if act not in (HAND_OVER, CLOSE_TICKET))
        acts = tuple(act for act in plain if request in policy.requests_granted_by(act))
        ways = tuple(dict.fromkeys(way for act in acts for way in vocabulary.ways(act)))
        settled = [f"done:{act}" for act in ways] or [f"told:{news.name}" for news in vocabulary.news]
        return Wish(request, opening, tuple(settled), arguments=known.arguments, agrees_to=ways)

    def _identity(self, known: TicketFacts, sender: Sender | None) -> Iterator[CustomerFact]:
        if known.subject:
            yield CustomerFact(f"It is {known.subject}.", topics=(self._world.kit.number.topic,))
        if sender:
            yield CustomerFact(f"{sender.name}, {sender.email}.", topics=("identity",))

    def _said(self, later: Sequence[Turn], *, was_granted: bool) -> Iterator[CustomerFact | Pressure]:
        """Its later messages: an answer to a question is a fact, anything else of some length is pressure.

        Who got what it wanted presses for nothing.
        """
        asked: tuple[str, ...] = ()
        for turn in later:
            if turn.party == "agent":
                heard = self._reader.heard(turn.text, language_of(turn.text))
                asked = tuple(topic for topic in heard.asks if topic != WISH)
                continue
            told = self._reader.customer.disclosed(turn.text)
            presses = len(turn.text.split()) >= FEWEST_WORDS and not (was_granted or _accepts(turn.text))
            if presses and not asked:
                yield Pressure(STEPS[0], turn.text, told)
            elif asked or told:
                yield CustomerFact(turn.text, topics=asked or (DETAILS,), discloses=told)
            asked = ()


def _accepts(text: str) -> bool:
    """Whether a message begins with a yes, or says that the matter is closed."""
    language = language_of(text)
    known = customer_language(language) or customer_languages()["en"]
    first = plain(SENTENCE.split(text.strip())[0], language)
    said = (known.patterns[name].search(first) for name in ("yes", "settled", "goodbye"))
    return answer(text, language) == "yes" or (any(said) and not is_conditional(text, language))


def _files(later: Iterable[Turn]) -> Iterator[CustomerFile]:
    for turn in later:
        for file in turn.attachments:
            yield CustomerFile(file.kind, file.name, file.shows)
