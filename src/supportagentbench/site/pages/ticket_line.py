"""Ticket line: one ticket in the list of a page, before it is unfolded."""

from typing import NamedTuple

LONGEST_GIST = 90
"""The most characters of a ticket's first words."""


class TicketLine(NamedTuple):
    """The parts of its line."""

    id: str
    kind: str
    gist: str
    asides: tuple[str, ...]
    """At the right end."""
    classes: str
    """The sets that it is in."""


def gist(text: str) -> str:
    """The first words of a text."""
    words = " ".join(text.split())
    return words if len(words) <= LONGEST_GIST else f"{words[:LONGEST_GIST].rsplit(' ', 1)[0]} …"
