"""Clock: when the work of a conversation was done. It is stored next to a transcript, never in it."""

from supportagentbench.records.amount import Seconds
from supportagentbench.records.record import Record


class TurnClock(Record):
    """When one turn was worked on; all times are seconds since the conversation began."""

    began: Seconds
    ended: Seconds
    usage: tuple[Seconds, ...] = ()
    """When each model call was reported, in the order of the turn's `usage`; empty for a customer."""
    calls: tuple[Seconds, ...] = ()
    """When each tool call had its result, in the order of the turn's `calls`."""
