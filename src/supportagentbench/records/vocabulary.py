"""Vocabulary: what can be done, asked and told at a shop's desk, and the words for it.

A world declares it once; it is written into the header of every run, so that readers, checks and pages look
words up there and never import the world.
"""

from functools import cached_property

from supportagentbench.records.record import Record


class Verb(Record):
    """One act of the desk, and how people speak of it."""

    act: str
    """The tool's name."""
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


class Harm(Record):
    """A kind of damage that a forbidden act does."""

    name: str
    title: str
    about: str
    dollars: float
    """What one costs until a reader says otherwise."""


class Vocabulary(Record, dict=True):
    """The words of one shop's desk."""

    shop: str
    verbs: tuple[Verb, ...]
    harms: tuple[Harm, ...] = ()

    @cached_property
    def by_act(self) -> dict[str, Verb]:
        return {verb.act: verb for verb in self.verbs}

    @cached_property
    def by_harm(self) -> dict[str, Harm]:
        return {harm.name: harm for harm in self.harms}
