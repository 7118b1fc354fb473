"""Replay: the first messages of real tickets, each sent to several agents, and what every agent did.

It is not known what is right here: agents are only compared with each other.
"""

from typing import Literal

from supportagentbench.records.amount import Count, Dollars, TurnNumber
from supportagentbench.records.name import AgentName, Id, RunNumber
from supportagentbench.records.record import Record
from supportagentbench.records.transcript import EXTERNAL_CAUSES, Cause, Turn

TalkCourse = Literal["broke", "handed_over", "acted", "silent", "refused", "asked", "answered"]
"""How to sum up a talk: the first that applies of `broke`, `handed_over`, `acted` and the others as listed.

`silent`: it wrote nothing. `asked`: its last message asks for something, and it refused nothing."""

TalkDifference = Literal["acts", "asks", "claims", "course", "same"]
"""Where talks differ most: in what was done, handed over or refused; in what was asked back; in what was
promised; in the rest, such as look-ups, language and how it ended; in none of these."""

DIFFERENCES: tuple[TalkDifference, ...] = ("acts", "asks", "claims", "course", "same")
"""The most serious first."""

SHOWN, MOST_BYTES = 200, 16_000_000
"""Of how many tickets, from the first on, a replay has the talks' turns, and how much of these at most; the
others are in the runs."""


class TalkAct(Record):
    """Something that an agent did in the shop, or tried to do."""

    act: str
    """By the world's name."""
    words: str
    """The same as a sentence, such as `Cancelled order #1101`."""
    names: dict[str, str] = {}
    """The arguments that a customer would want to know, such as the order and the amount."""
    turn: TurnNumber = 0
    """Index in the talk's turns."""


ClaimKind = Literal["done", "state", "date", "money", "period"]
"""An act that an agent reports as done; how it says that a record is; or a value."""


class TalkClaim(Record):
    """Something that an agent told or promised the customer."""

    kind: ClaimKind
    what: str
    """By the world's name, or the value written in one way: `2026-05-05`, `20.00`, `3–5 business days`."""
    quote: str
    """The words that say so."""
    turn: TurnNumber = 0


class ReplayTalk(Record):
    """What one agent did with one opening."""

    agent: AgentName
    run: RunNumber
    transcript: str
    """Digest of the transcript, which is in the folder of the runs."""
    course: TalkCourse
    ending: str
    """`customer_left`, `handed_over`, `ticket_closed`, `turn_limit`, `broke`."""
    cause: Cause | Literal[""] = ""
    """Why it broke off, if it did."""
    acts: tuple[TalkAct, ...] = ()
    """What it did, in order, a handover included; without look-ups and without closing the ticket."""
    tried: tuple[TalkAct, ...] = ()
    """What it tried to do and the desk's tools refused."""
    closed: bool = False
    """Whether it closed the ticket."""
    looked_up: dict[str, bool] = {}
    """By tool, whether the books had anything."""
    asked: tuple[str, ...] = ()
    """What it asked the customer for, by the world's names, in order."""
    claims: tuple[TalkClaim, ...] = ()
    messages: Count = 0
    """That the agent wrote."""
    words: Count = 0
    language: str = ""
    """Of what it wrote; empty: it wrote nothing."""
    cost: Dollars | None = 0.0
    """Dollars of the agent's models; None: a price is unknown."""
    turns: tuple[Turn, ...] = ()
    """After the opening, with calls; long texts are cut. None in tickets that are not `shown`."""

    @property
    def is_whole(self) -> bool:
        """Whether it can be compared; one that others broke off is run again."""
        return self.cause not in EXTERNAL_CAUSES


class Contrast(Record):
    """One difference between the talks of a ticket, as a sentence."""

    kind: TalkDifference
    words: str
    """A sentence for people, such as `a handed it over; b answered`."""


class ReplayedTicket(Record):
    """One ticket whose opening was sent to every agent."""

    ticket: Id
    kind: str
    """What the real desk says that it is about."""
    request: str
    """What its customer asks for, by the world's name; empty: unknown."""
    language: str
    """The customer's."""
    opening: Turn
    """The customer's first message; what agents got is word for word, and here a long one is cut."""
    in_books: bool
    """Whether the books have a record of what it is about."""
    difference: TalkDifference | None
    """None: fewer than two talks can be compared."""
    score: Count = 0
    """How much the talks differ; tickets are in this order, the highest first."""
    contrasts: tuple[Contrast, ...] = ()
    """The most serious first."""
    talks: tuple[ReplayTalk, ...] = ()
    """In the order of the agents."""
    pair: tuple[AgentName, ...] = ()
    """The two agents whose talks differ most, the first of the pairs if several do; none, if none differ."""
    shown: bool = False
    """Whether the talks' turns are in this record."""


class Replay(Record, tag_field="record", tag="replay/1"):
    """The openings of an import, sent to agents in one world, side by side and unlabelled."""

    world: str
    world_digest: str
    shop: str
    source: str
    """The desk that the tickets were exported from."""
    tickets: Count
    """In the import."""
    unapproved: Count
    """Of those that were replayed, how many are not approved: their doubtful words are hidden."""
    left_out: dict[str, Count]
    """Tickets that were not replayed, by reason."""
    agents: tuple[AgentName, ...]
    planned: Count
    """Tickets whose openings were to be sent."""
    replayed: tuple[ReplayedTicket, ...]
    """Those with a talk so far; those that differ most first."""
    customer: str
    cases: str
    """What the runs were made of, as their headers have it."""
    package: str
    notes: tuple[str, ...] = ()
    """What a reader has to know, such as that the books hold none of the orders."""
    titles: dict[str, str] = {}
    """By act, topic, look-up and state, the same in plain words."""
