"""Speech act: one thing that a message does, with the words that show it."""

from typing import Literal, NamedTuple

from supportagentbench.records.transcript import SpeechActs
from supportagentbench.records.vocabulary import TICKET_ACTS

Mood = Literal["done", "will", "can", "bare", "not", "moot"]
"""`bare`: a mention that only a question can turn into an offer; `moot`: not an act here and now."""

COMMITMENT: tuple[Mood, ...] = ("done", "will", "can", "bare", "not", "moot")

Kind = Literal["done", "states", "rules"]
"""A report of an act, how a record is said to be, and a rule by which value decides."""


class SpeechAct(NamedTuple):
    """One thing that an agent's message says beyond doubt."""

    kind: Kind
    what: str = ""
    """The act or the state; empty where the words leave it open, as in “All done!”."""
    mood: Mood = "bare"
    quote: str = ""
    """The words that show it, as they are in the message."""
    sentence: str = ""
    """The sentence around them."""
    by: Literal["i", "we", ""] = ""
    """Who is said to have done it; empty if it is only said to be done."""


def proposed(offers: set[str], *, leave: bool, refuses: bool) -> set[str]:
    """Which of a message's offers the customer is asked to accept.

    A refusal names what it refuses and often an alternative; without a question, it does not ask for a yes.
    Mentioning a colleague offers one.
    """
    return offers & set(TICKET_ACTS) if refuses and not leave else offers


class Understood:
    """What a message says, gathered sentence by sentence."""

    __slots__ = (
        "asks",
        "bare",
        "claimed",
        "done",
        "farewell",
        "leave",
        "loose",
        "mentioned",
        "offers",
        "refuses",
        "tells",
        "will",
    )

    def __init__(self) -> None:
        self.asks: set[str] = set()
        self.tells: set[str] = set()
        self.offers: set[str] = set()
        self.done: set[str] = set()
        self.will: set[str] = set()
        self.bare: set[str] = set()
        self.mentioned: set[str] = set()
        """The acts that are mentioned, in any mood."""
        self.claimed: set[str] = set()
        """The acts that are reported outright, even next to a question."""
        self.leave = False
        """Asks for a go-ahead."""
        self.loose = False
        """Does so without saying for what."""
        self.refuses = False
        self.farewell = False

    def note(self, moods: dict[str, Mood]) -> None:
        """The acts that a sentence mentions, each in its most committed mood."""
        for act, mood in moods.items():
            if mood == "done":
                self.done.add(act)
            elif mood == "will":
                self.will.add(act)
            elif mood == "can":
                self.offers.add(act)
            elif mood == "bare":
                self.bare.add(act)

    def add(self, other: "Understood") -> None:
        """Take up what another sentence says."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) | getattr(other, name))

    def heard(self) -> SpeechActs:
        """What the whole message says: asking permission for an act means that it is not done."""
        asks, offers, done = self.asks, self.offers, self.done
        offers = proposed(offers, leave=self.leave, refuses=self.refuses)
        if self.loose:
            offers |= self.will | self.bare
        if self.leave:
            offers |= done - self.claimed  # Unless it says so outright, nothing is done yet.
            done = self.claimed
        done = done | self.will - offers
        offers -= done
        return SpeechActs(
            asks=tuple(sorted(asks)),
            offers=tuple(sorted(offers)),
            done=tuple(sorted(done)),
            tells=tuple(sorted(self.tells)),
            refuses=self.refuses,
            farewell=self.farewell and not asks and not offers,
            consent=self.leave or bool(offers),
        )
