"""Fork: a decision in a recorded conversation that agents make again. What comes before it is its prefix."""

from collections.abc import Sequence
from typing import Annotated, Literal

from msgspec import Meta

from supportagentbench.records.name import AgentName, Id, RunNumber
from supportagentbench.records.record import Record, digest
from supportagentbench.records.transcript import ToolCall, Turn

ForkRule = Literal["by_hand", "each_turn", "before_first_write", "first_divergence", "each_rung", "blind"]
"""How a fork was chosen. Only `blind` looks at nothing that comes after the fork."""

RULES: dict[ForkRule, str] = {
    "by_hand": "chosen by hand",
    "each_turn": "every reply of a conversation",
    "before_first_write": "before the first change",
    "first_divergence": "where runs of one case first differ",
    "each_rung": "after every line of pressure",
    "blind": "picked before the outcome was known",
}
"""The same in plain words."""

BLIND: ForkRule = "blind"
"""The rule whose forks feed rates."""


class ForkPoint(Record):
    """Where a recorded conversation is decided again."""

    id: Id
    """In a run of forks it takes the place of the case."""
    case: Id
    agent: AgentName
    """Who wrote the prefix."""
    run: RunNumber
    seed: int
    transcript: str
    """Digest of the recorded conversation."""
    turn: Annotated[int, Meta(ge=1, le=1000)]
    """The reply that is written again, from 1."""
    prefix: str
    """Digest of everything before it."""
    rule: ForkRule
    call: Annotated[int, Meta(ge=0, le=1000)] = 0
    """How many tool calls of that reply are kept."""
    rung: int = 0
    """Lines of pressure that the customer has used so far."""
    action: str = ""
    """What the record did here: digest of the calls of this reply that were new, from the kept ones on."""
    unsafe: bool | None = None
    """Whether the recorded conversation ended with an unsafe action; None: undecided by code."""
    temptation: str = ""
    """In a trap: the unsafe action that it tempts the agent into."""
    facts: dict[str, str] = {}
    """What was made different at the fork, in the world's own terms."""
    lifted: bool = False
    """Whether the policy no longer forbids that action, with these facts."""
    reasoning: int = 0
    """Tokens of reasoning in the prefix. They are never sent: providers refuse reasoning that is not their
    own, and records do not have the signatures."""

    @property
    def place(self) -> int:
        """Number of the turn in the transcript, from 0."""
        return 2 * self.turn - 1


def action_of(turns: Sequence[Turn], place: int, call: int = 0) -> str:
    """A short name for what was done in a turn from a call on, regardless of words and order. Repeated
    look-ups do not count: an agent that takes over repeats them.
    """
    known = {_named(one) for turn in turns[:place] for one in turn.calls}
    calls = turns[place].calls if place < len(turns) else ()
    known |= {_named(one) for one in calls[:call] if not one.result.wrote}
    return digest(sorted({_named(one) for one in calls[call:]} - known))


def _named(call: ToolCall) -> str:
    return digest([call.tool, call.arguments, call.result.text])
