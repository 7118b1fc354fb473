"""Divergence: where two conversations on one case part, and what was done and said there."""

from itertools import zip_longest

from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Transcript, Turn


class Divergence(Record):
    """The first turn that differs, on both sides; empty where one conversation was over."""

    turn: int
    before: str
    after: str
    in_words_only: bool = False
    """Whether both did the same all along, and only said something else."""


def first_difference(first: Transcript, second: Transcript) -> int | None:
    """The first turn in which the agents called different tools or used different arguments."""
    done = [
        [[(call.tool, call.arguments) for call in turn.calls] for turn in transcript.turns]
        for transcript in (first, second)
    ]
    for number, (one, other) in enumerate(zip_longest(*done, fillvalue=[])):
        if one != other:
            return number
    return None


def divergence(before: Transcript, after: Transcript) -> Divergence | None:
    """Where two conversations part: at different actions or, if there are none, at different words."""
    acted = first_difference(before, after)
    turn = _first_words(before, after) if acted is None else acted
    if turn is None:
        return None
    return Divergence(turn, _told(before, turn), _told(after, turn), acted is None)


def _first_words(before: Transcript, after: Transcript) -> int | None:
    said = [[turn.text if turn.party == "agent" else "" for turn in one.turns] for one in (before, after)]
    pairs = enumerate(zip_longest(*said, fillvalue=""))
    return next((number for number, (one, other) in pairs if one != other), None)


def _told(transcript: Transcript, at: int) -> str:
    """What was done and said in a turn, on one line."""
    if at >= len(transcript.turns):
        return ""
    turn = transcript.turns[at]
    return " ".join(" ".join([*_calls(turn), turn.text]).split())


def _calls(turn: Turn) -> list[str]:
    found = []
    for call in turn.calls:
        given = call.arguments
        words = ", ".join(f"{k}={v}" for k, v in given.items()) if isinstance(given, dict) else given
        refused = "" if call.result.ok else " (refused)"
        found.append(f"[{call.tool}({words}){refused}]")
    return found
