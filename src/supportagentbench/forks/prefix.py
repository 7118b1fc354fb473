"""Prefix: a recorded conversation up to a decision, and whether a replay of it is the same, byte for byte."""

from collections.abc import Sequence
from typing import NamedTuple

from supportagentbench.records.difference import bare, bare_call, call_difference, turn_difference
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.transcript import ToolCall, Transcript, Turn


class PrefixDiffers(Problem):
    """A recorded conversation that cannot be restored: world, customer or this package has changed."""

    where = ""
    """What differs, and in which turn."""


class Prefix(NamedTuple):
    """Everything before a decision."""

    start: str
    """Digest of the store when the desk opened."""
    turns: tuple[Turn, ...]
    """Whole turns; the last is the customer's."""
    begun: tuple[ToolCall, ...] = ()
    """Calls of the reply itself that are kept."""

    @property
    def replies(self) -> tuple[Turn, ...]:
        """What the recorded agent did and wrote."""
        return tuple(turn for turn in self.turns if turn.party == "agent")

    @property
    def had(self) -> tuple[Turn, ...]:
        """The turns as they are in a replay, without costs: the recorded run paid for them."""
        return tuple(map(bare, self.turns))

    @property
    def reasoning(self) -> int:
        """Tokens of reasoning that the recorded agent used for it."""
        return sum(usage.reasoning for turn in self.replies for usage in turn.usage)

    @property
    def digest(self) -> str:
        """A short name for it; costs are not part of it."""
        return digest([self.start, self.had, [bare_call(one) for one in self.begun]])


def prefix_of(transcript: Transcript, turn: int, call: int = 0) -> Prefix:
    """Everything before the reply with this number (from 1), and its first calls."""
    places = [at for at, one in enumerate(transcript.turns) if one.party == "agent"]
    if not 1 <= turn <= len(places):
        raise Problem(f"{transcript.case} has no reply {turn} to decide again; it has {len(places)}.")
    place = places[turn - 1]
    calls = transcript.turns[place].calls
    if not 0 <= call <= len(calls):
        raise Problem(f"reply {turn} in {transcript.case} has no call {call} to keep; it has {len(calls)}.")
    return Prefix(transcript.start, transcript.turns[:place], calls[:call])


def refuse_different(case: str, recorded: Sequence[Turn], restored: Sequence[Turn]) -> None:
    """Raise a Problem for the first turn that a replay did not restore, with the difference."""
    if found := turn_difference(recorded, restored):
        raise _differs(case, found)


def refuse_different_call(case: str, turn: int, recorded: ToolCall, restored: ToolCall) -> None:
    """The same for one call."""
    if found := call_difference(turn, recorded, restored):
        raise _differs(case, found)


def refuse_different_start(case: str, recorded: str, restored: str) -> None:
    """The same for the store when the desk opens."""
    if recorded != restored:
        raise _differs(case, "the store does not open as it did")


def refuse_ended(case: str, prefix: Prefix) -> None:
    """Raise a Problem if a conversation would end before its decision."""
    reply = len(prefix.replies) + 1
    raise _differs(case, f"it ends before reply {reply} when it is replayed")


def _differs(case: str, where: str) -> PrefixDiffers:
    found = PrefixDiffers(
        f"the conversation about {case} cannot be restored: {where}. Fork a run of this version and world."
    )
    found.where = where
    return found
