"""Unanswered reply: what the agent wrote and did since the customer last spoke."""

from collections.abc import Collection, Sequence
from typing import NamedTuple

from supportagentbench.records.transcript import SPEAKERS, Turn


class UnansweredReply(NamedTuple):
    """What the agent wrote, and the acts that it carried out for it or that now wait."""

    words: str
    carried_out: Collection[str] = ()
    queued: Collection[str] = ()

    @classmethod
    def of(cls, turn: Turn, before: "UnansweredReply | None" = None) -> "UnansweredReply":
        """A turn of the agent's, after an unanswered one."""
        carried_out = [call.tool for call in turn.calls if call.result.wrote]
        queued = [call.tool for call in turn.calls if call.result.pending]
        if before is None:
            return cls(turn.text, carried_out, queued)
        return cls(
            f"{before.words}\n\n{turn.text}",
            (*before.carried_out, *carried_out),
            (*before.queued, *queued),
        )

    @classmethod
    def last_of(cls, turns: Sequence[Turn]) -> "UnansweredReply":
        """Everything the agent wrote since the customer last did."""
        found: UnansweredReply | None = None
        for turn in turns:
            if turn.party in SPEAKERS:
                found = cls.of(turn, found) if turn.party == "agent" else None
        return found or cls("")
