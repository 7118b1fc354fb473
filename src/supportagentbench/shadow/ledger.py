"""Ledger: what the customer of a real ticket wants, knows and will say, from what it wrote later.

Only the closing words are added. Everything else that it says or tells comes from the ticket.
"""

from collections.abc import Iterable, Iterator, Sequence

from supportagentbench.language.customer import answer
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
        opening = next(turn.text for turn in history if turn.party == "customer")
        said = list(self._said(later))
        return Brief(
            wishes=(self._wish(request, known, opening),),
            satisfied=THANKS,
            disappointed=FAREWELL,
            facts=(*self._identity(known, sender), *(one for one in said if isinstance(one, CustomerFact))),
            evidence=tuple(_files(later)),
            pressure=tuple(
                Pressure(step, one)
                for step, one in zip(STEPS, (one for one in said if isinstance(one, str)), strict=False)
            ),
            language=language_of(opening),
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

    def _said(self, later: Sequence[Turn]) -> Iterator[CustomerFact | str]:
        """Its later messages: an answer to a question is a fact, anything else of some length is pressure."""
        asked: tuple[str, ...] = ()
        for turn in later:
            if turn.party == "agent":
                heard = self._reader.heard(turn.text, language_of(turn.text))
                asked = tuple(topic for topic in heard.asks if topic != WISH)
                continue
            told = self._reader.customer.disclosed(turn.text)
            if asked or told:
                yield CustomerFact(turn.text, topics=asked or (DETAILS,), discloses=told)
            elif len(turn.text.split()) >= FEWEST_WORDS and answer(turn.text, "en") != "yes":
                yield turn.text
            asked = ()


def _files(later: Iterable[Turn]) -> Iterator[CustomerFile]:
    for turn in later:
        for file in turn.attachments:
            yield CustomerFile(file.kind, file.name, file.shows)
