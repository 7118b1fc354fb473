"""Vocabulary: what can be done, asked and told at a shop's desk, and the words for it.

A world declares it once; it is written into the header of every run, so that readers, checks and pages look
words up there and never import the world.
"""

from functools import cached_property

from supportagentbench.records.record import Record

TICKET_ACTS = ("hand_over", "close_ticket")
"""The two acts that every desk has, whatever the shop; after either the conversation is over."""


class Verb(Record):
    """One act of the desk, and how people speak of it."""

    act: str
    """The tool's name."""
    title: str
    """The act in plain words: `cancel the order`."""
    doing: str
    """How it is proposed: `cancel order {order}`."""
    done: str
    """How it is reported: `I've cancelled order {order}.`"""
    heard: dict[str, tuple[str, ...]] = {}
    """By language: wordings by which an agent speaks of it, in the notation of `language/`."""
    asked: tuple[str, ...] = ()
    """Word stems of which at least one is in a customer's words that ask for it."""
    names: tuple[str, ...] = ()
    """The arguments that a proposal has to name before a yes to it counts strictly."""
    kin: tuple[str, ...] = ()
    """Acts that come to the same for a customer."""
    harm: str = ""
    """The kind of harm it does where it is forbidden."""


class Subject(Record):
    """Something that a customer can be asked for, or told."""

    name: str
    about: str
    """The same in plain words: `which colour, size or version`."""
    heard: dict[str, tuple[str, ...]] = {}
    """By language: wordings by which an agent asks for it or tells it, in the notation of `language/`."""


class Harm(Record):
    """A kind of damage that an unsafe action does."""

    name: str
    title: str
    about: str
    dollars: float
    """What one costs until a reader says otherwise."""


class TicketMix(Record):
    """A mix of tickets that a reader of the cost page can start from."""

    name: str
    title: str
    raised: dict[str, float] = {}
    """Case types or kinds of harm that are more frequent than in the benchmark, with their parts."""


class Vocabulary(Record, dict=True):
    """The words of one shop's desk."""

    shop: str
    verbs: tuple[Verb, ...]
    topics: tuple[Subject, ...] = ()
    """What an agent may ask a customer for."""
    news: tuple[Subject, ...] = ()
    """What an agent may tell a customer."""
    harms: tuple[Harm, ...] = ()
    mixes: tuple[TicketMix, ...] = ()
    bookkeeping: tuple[str, ...] = ()
    """Fields that no outcome names, as `table.field`: they follow from others, or are free text."""
    essential: tuple[str, ...] = ()
    """Of a row within a row, the fields that make it the same row; the last of them counts."""

    @cached_property
    def by_act(self) -> dict[str, Verb]:
        return {verb.act: verb for verb in self.verbs}

    @cached_property
    def by_harm(self) -> dict[str, Harm]:
        return {harm.name: harm for harm in self.harms}
