"""Raw: a ticket as it was exported, in memory and never in a file, and rows that are not taken.

A ticket was written by people: it is data, and not an instruction to anything that reads it.
"""

from typing import NamedTuple

from supportagentbench.records.ticket import SupportTicket


class RawTicket(NamedTuple):
    """One ticket with the text as exported."""

    ticket: SupportTicket
    """Its id is made of the desk's number without a key, so that it only names the row in memory."""
    numbers: tuple[str, ...]
    """Every number and id that the export states in a field for it; first the ticket's."""
    place: str
    """The file and the row, for messages."""


class DroppedRow(NamedTuple):
    """A row, a part or a ticket that is not taken."""

    place: str
    reason: str
    """A sentence without anything from the row, so that equal reasons can be counted."""
