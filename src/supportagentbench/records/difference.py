"""Difference: the first place where a conversation that is played again is not as its record has it."""

from collections.abc import Sequence

from msgspec.structs import replace

from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import RefusedCall, ToolCall, Transcript, Turn

GIVEN_BY_CASE = {
    "case": "case",
    "family": "case type",
    "bucket": "bucket",
    "run": "run number",
    "seed": "seed",
    "label": "label",
    "language": "language",
    "twin_of": "twin",
    "level": "level",
}
"""What a case decides about each conversation on it, in plain words."""


def bare(turn: Turn) -> Turn:
    """A turn without what it cost."""
    return replace(turn, usage=(), calls=tuple(bare_call(call) for call in turn.calls))


def bare_call(call: ToolCall) -> ToolCall:
    """A call without the model call that it came from."""
    return replace(call, step=0)


def call_difference(place: int, recorded: ToolCall, again: ToolCall) -> str:
    """What differs in a call of the turn at this place; empty: nothing."""
    if to_json(bare_call(recorded)) == to_json(bare_call(again)):
        return ""
    if (recorded.tool, recorded.arguments) != (again.tool, again.arguments):
        return f"turn {place + 1} has another call ({recorded.tool} for {again.tool})"
    return f"{recorded.tool} in turn {place + 1} gives another result"


def turn_difference(recorded: Sequence[Turn], again: Sequence[Turn]) -> str:
    """The first difference in these turns, without what they cost; empty: there is none."""
    for place, (one, other) in enumerate(zip(recorded, again, strict=False)):
        for call, made in zip(one.calls, other.calls, strict=False):
            if found := call_difference(place, call, made):
                return found
        if to_json(bare(one)) != to_json(bare(other)):
            return f"turn {place + 1} ({one.party}) has another {_part(one, other)}"
    return ""


def _part(one: Turn, other: Turn) -> str:
    fields = [name for name in one.__struct_fields__ if name not in ("usage", "calls")]
    return next((name for name in fields if getattr(one, name) != getattr(other, name)), "call")


def transcript_difference(recorded: Transcript, again: Transcript) -> str:
    """The first difference in a whole conversation, costs included; empty: there is none."""
    for field, words in GIVEN_BY_CASE.items():
        if to_json(getattr(recorded, field)) != to_json(getattr(again, field)):
            return f"the {words} is not the one that its case gives"
    if recorded.start != again.start:
        return "the store does not open as its case gives it"
    if found := turn_difference(recorded.turns, again.turns):
        return found
    if len(recorded.turns) != len(again.turns):
        return f"it has {len(recorded.turns)} turns, and played again it has {len(again.turns)}"
    if recorded.ending != again.ending:
        return f"it ends as {_ended(recorded)}, and played again as {_ended(again)}"
    for place, (one, other) in enumerate(zip(recorded.turns, again.turns, strict=True)):
        if to_json(one) != to_json(other):
            return f"turn {place + 1} ({one.party}) numbers its model calls in another way"
    return "" if to_json(recorded) == to_json(again) else "its refused calls do not fit its turns"


def _ended(transcript: Transcript) -> str:
    ending = transcript.ending
    return f"{ending.kind} ({ending.cause})" if ending.cause else ending.kind


def refused_difference(transcript: Transcript, most_calls: int) -> str:
    """A refused call that cannot have come as it is recorded; empty: all can."""
    turns = transcript.turns
    replies = {place for place, turn in enumerate(turns) if turn.party == "agent"}
    for number, one in enumerate(transcript.refused, start=1):
        if one.turn not in replies or not _can_be_refused(one, replies, turns, most_calls):
            return f"refused call {number} ({one.tool}) cannot have come when it is said to"
    if transcript.unlisted < 0:
        return "it has fewer than no refused calls"
    return ""


def _can_be_refused(call: RefusedCall, replies: set[int], turns: Sequence[Turn], most_calls: int) -> bool:
    match call.why:
        case "late":
            return call.during == 0
        case "foreign":
            return call.during in replies and call.during > call.turn
        case _:
            return call.during == call.turn and len(turns[call.turn].calls) >= most_calls
