"""Vocabulary: what can be done, asked and told at a shop's desk, and the words for it.

A world declares it once; it is written into the header of every run, so that readers, checks and pages look
words up there and never import the world.
"""

from functools import cached_property
from typing import Literal

from supportagentbench.records.amount import Dollars, Weight
from supportagentbench.records.record import Record, digest
from supportagentbench.records.view import Views

HAND_OVER, CLOSE_TICKET = "hand_over", "close_ticket"
"""The acts of the ticket itself, which every desk has: no customer's yes is needed for them."""

WISH, DETAILS, PHOTO = "wish", "details", "photo"
"""Topics that every desk has: what the customer wants, what happened, and what can be shown."""

Heard = dict[str, tuple[str, ...]]
"""Wordings by language, in the notation of `language/notation.py`; under `*` those of any language."""

TICKET_ACTS = ("hand_over", "close_ticket")
"""The two acts that every desk has; after either the conversation is over."""


DISCLOSE = "disclose"
"""What a trap may tempt an agent into besides the acts of the desk: disclosing another person's data."""


class Verb(Record):
    """One act of the desk, and how people describe it."""

    act: str
    """The tool's name."""
    title: str
    """The act in plain words: `cancel the order`."""
    doing: str
    """How it is proposed: `cancel order {order}`."""
    done: str
    """How it is reported: `I've cancelled order {order}.`"""
    heard: Heard = {}
    """How an agent describes it."""
    asked: tuple[str, ...] = ()
    """Word stems of which at least one is in a customer's words that ask for it."""
    names: tuple[str, ...] = ()
    """The arguments that a proposal has to name before a yes to it counts strictly."""
    kin: tuple[str, ...] = ()
    """Acts that are equivalent for a customer."""
    harm: str = ""
    """The kind of harm it does where it is forbidden."""
    sends: bool = False
    """Whether goods leave the shop by it."""
    leaves: str = ""
    """The state in which it leaves a record, by which others see that it was done."""
    shows: str = ""
    """The field of a record that is filled if it was done before."""
    dollars: str = ""
    """The argument that says how many dollars it gives away; empty: it says none."""


Beside = Literal["done", "refusal", "question", "aside"]
"""What else a sentence says: a report of an act, a no, a question or an offer, words about what may come."""


class Subject(Record):
    """Something that can be requested, stated, or recognized in a text."""

    name: str
    about: str
    """The same in plain words: `which colour, size or version`."""
    heard: Heard = {}
    """How people put it."""
    desk_only: bool = False
    """Whether a customer can only have it from the desk."""
    unless: Heard = {}
    """Wordings in whose sentence it is not meant."""
    never_with: tuple[Beside, ...] = ()
    """What else a sentence must not say, or this is not meant."""
    over: tuple[str, ...] = ()
    """Other subjects that the same words seem to mean, and do not, unless a name is asked for."""
    verifies: bool = False
    """Whether an agent that asks for it verifies a story instead of believing it."""


Circumstance = Literal["no parcel", "sent whole", "nobody signed", "everybody signed"]
"""What else a record shows. `sent whole`: everything was sent, and nothing was sent again.
Signatures are looked for on the journeys that the agent has seen."""


class Denial(Record):
    """What a record shows if a state is not so; all of it has to hold."""

    status: tuple[str, ...] = ()
    """It has one of these; none: any."""
    when: tuple[Circumstance, ...] = ()


class RecordState(Subject):
    """How a record can be, as agents put it, and when the record contradicts them.

    A state without either field is heard and never contradicted.
    """

    denied_by: tuple[Denial, ...] = ()
    """Any of these contradicts it."""
    arrival: tuple[str, ...] = ()
    """Of the state that something has arrived: the statuses of a record that has. Its day is looked for on
    the journey."""


TWIN = "-twin"
"""How the name of an honest twin ends."""


Scale = Literal["", "goods", "person"]
"""What the cost of a mistake grows with: the value of goods, what a person's time costs, or neither."""


class Harm(Record):
    """A kind of damage: that of an unsafe action, or of a case that no human gets."""

    name: str
    title: str
    about: str
    dollars: Dollars | None
    """What one costs until a reader says otherwise. None: people are in danger, which has no price."""
    scales: Scale = ""

    @property
    def is_danger(self) -> bool:
        return self.dollars is None


OWN_MIX = "tickets"
"""The name of a mix that was counted in the tickets of a real desk."""


LEAST_WEIGHT = 1e-6
"""Of a kind of ticket in a shop's own mixes. Only a mix that was counted in real tickets may lack kinds."""


class TicketMix(Record):
    """A mix of tickets that a reader of the cost page can start from."""

    name: str
    title: str
    raised: dict[str, Weight] = {}
    """Case types or kinds of harm with their weight among those of their bucket; the others have 1."""
    shares: dict[str, Weight] = {}
    """How many of a hundred tickets are of a bucket, where the desk is not a typical one."""


class Vocabulary(Record, dict=True):
    """The words of one shop's desk."""

    shop: str
    verbs: tuple[Verb, ...]
    subject: str = ""
    """The argument by which tools name what a conversation is about."""
    topics: tuple[Subject, ...] = ()
    """What an agent may ask a customer for."""
    news: tuple[Subject, ...] = ()
    """What an agent may tell a customer."""
    lookups: tuple[str, ...] = ()
    """The tools that only look something up."""
    told: dict[str, str] = {}
    """By tool, a call as a sentence: `Looked up order {order}[ of {email}]`. A part in brackets is left out
    where the call does not have its argument."""
    beyond: tuple[Verb, ...] = ()
    """Acts that no tool of this desk can do, though agents may claim them."""
    states: tuple[RecordState, ...] = ()
    """How a record can be, as agents put it."""
    requests: tuple[Subject, ...] = ()
    """What customers ask for; the first whose wording is in a sentence is meant."""
    disclosures: tuple[Subject, ...] = ()
    """What the policy can learn from a customer's words, named `fact:value`."""
    goods: tuple[Subject, ...] = ()
    """The kinds of goods that customers look for."""
    harms: tuple[Harm, ...] = ()
    worth: Dollars = 0
    """What goods that are sent cost on average, until a reader says otherwise; 0: the shop does not say."""
    mixes: tuple[TicketMix, ...] = ()
    case_types: dict[str, str] = {}
    """By case type, its title for people; one without a title is not in it."""
    stakes: dict[str, str] = {}
    """By case type, the harm at stake: in a trap, that of the act it tempts into; in a case for a human, what
    happens if no human gets it. One without a named harm is not in it."""
    views: Views = Views()
    """Where its look-ups show what checks read."""
    heard_as: tuple[str, ...] = ()
    """What a reader of an agent's words has to know about this desk, one sentence each."""

    def __post_init__(self) -> None:
        weights = [
            weight for mix in self.mixes for part in (mix.raised, mix.shares) for weight in part.values()
        ]
        if min(weights, default=1.0) < LEAST_WEIGHT:
            raise ValueError(f"a mix has a weight below {LEAST_WEIGHT:f}")

    @cached_property
    def observable(self) -> frozenset[str]:
        """What of this desk can be observed, by the names in which checks need it.

        The declared views; `goods`, where goods are named by an id; `pieces`, where they are counted by line;
        `states` and `arrival`, which records can deny; `sending`, by which goods leave.
        """
        views = self.views
        goods = [view.goods for view in (views.record, views.shelf) if view]
        found = {
            "record": views.record is not None,
            "journey": views.journey is not None,
            "shelf": views.shelf is not None,
            "notes": views.notes is not None,
            "proof": views.proof is not None,
            "goods": any(one and one.item for one in goods),
            "pieces": views.essentials is not None,
            "states": any(state.denied_by for state in self.states),
            "arrival": any(state.arrival for state in self.states),
            "sending": bool(self.sending),
        }
        return frozenset(name for name, is_so in found.items() if is_so)

    @cached_property
    def digest(self) -> str:
        return digest(self)

    @cached_property
    def writes(self) -> tuple[str, ...]:
        """The acts that need the customer's yes."""
        return tuple(verb.act for verb in self.verbs if verb.act not in (HAND_OVER, CLOSE_TICKET))

    @cached_property
    def sending(self) -> tuple[str, ...]:
        """The acts by which goods leave the shop."""
        return tuple(verb.act for verb in self.verbs if verb.sends)

    @cached_property
    def moving_goods(self) -> frozenset[str]:
        """The acts that send or change goods, and their equivalents."""
        return frozenset(way for act in self.sending for way in self.ways(act))

    def ways(self, act: str) -> tuple[str, ...]:
        """An act and its equivalents for a customer."""
        verb = self.by_act.get(act)
        return (act, *verb.kin) if verb else (act,)

    def met_by(self, act: str) -> frozenset[str]:
        """The acts that fulfil what is said or required of this one; goods that are due have to be sent."""
        sends = self.by_act[act].sends
        return frozenset(way for way in self.ways(act) if self.by_act[way].sends or not sends)

    def case_type(self, family: str) -> str:
        """A case type as people call it."""
        return self.case_types.get(family) or family.replace("_", " ")

    def case_title(self, case: str, family: str) -> str:
        """A case as people call it: `Damage without a photo, 1`; a fork of it keeps the fork's own name."""
        whole, _, fork = case.partition(".")
        own = whole.removesuffix(TWIN)
        rest = own.removeprefix(family).strip("-_").replace("_", " ")
        parts = [self.case_type(family), rest, "honest twin" if own != whole else ""]
        return ", ".join(filter(None, parts)) + (f" ({fork})" if fork else "")

    @cached_property
    def by_act(self) -> dict[str, Verb]:
        return {verb.act: verb for verb in self.verbs}

    @cached_property
    def by_state(self) -> dict[str, RecordState]:
        return {state.name: state for state in self.states}

    @cached_property
    def verifying(self) -> frozenset[str]:
        """The topics by which an agent verifies a story."""
        return frozenset(topic.name for topic in self.topics if topic.verifies)

    @cached_property
    def by_harm(self) -> dict[str, Harm]:
        return {harm.name: harm for harm in self.harms}

    def at_stake(self, family: str) -> Harm | None:
        """The harm at stake in cases of a type; None if the shop names none."""
        return self.by_harm.get(self.stakes.get(family, ""))

    def harm_by(self, act: str) -> Harm | None:
        """The harm that an act does where it is forbidden; None if the shop names none."""
        verb = self.by_act.get(act)
        return self.by_harm.get("disclosure" if act == DISCLOSE else verb.harm if verb else "")
