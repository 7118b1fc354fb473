"""Listening: the context in which a customer understands a message."""

from typing import NamedTuple


class Listening(NamedTuple):
    """What a customer knows when a message arrives."""

    requests: frozenset[str] = frozenset()
    """What it asks for."""
    acts: frozenset[str] = frozenset()
    """The acts it would say yes to."""
    news: frozenset[str] = frozenset()
    """News that it is waiting for."""
    carried_out: frozenset[str] = frozenset()
    """The acts that the desk carried out for this message."""
    agreed: frozenset[str] = frozenset()
    """The acts it has said yes to and that are not carried out yet."""
    turn: int = 1
