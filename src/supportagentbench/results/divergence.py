"""Divergence: where two conversations on one case part, and what was done and said there."""

from collections.abc import Callable, Iterable, Sequence
from itertools import zip_longest
from typing import Any, NamedTuple

from supportagentbench.records.record import Record
from supportagentbench.records.transcript import Transcript, Turn

Deeds = tuple[Any, ...]
"""What counts as done in a turn; empty: nothing."""


class Divergence(Record):
    """The first turn that differs, on both sides; empty where one conversation was over."""

    turn: int
    before: str
    after: str
    in_words_only: bool = False
    """Whether both did the same all along, and only said something else."""


def every_call(turn: Turn) -> Deeds:
    """All calls of a turn with their arguments."""
    return tuple((call.tool, call.arguments) for call in turn.calls)


class FirstDifferences(NamedTuple):
    """The first turns in which one side did, and said, something else than the other; None: never."""

    done: int | None
    said: int | None


def first_differences(
    one: Sequence[Turn], other: Sequence[Turn], deeds: Callable[[Turn], Deeds] = every_call
) -> FirstDifferences:
    """Compare turn by turn; a side that is over does and says nothing."""
    sides = [[deeds(turn) for turn in turns] for turns in (one, other)]
    words = [[turn.text if turn.party == "agent" else "" for turn in turns] for turns in (one, other)]
    return FirstDifferences(
        _first(zip_longest(*sides, fillvalue=())), _first(zip_longest(*words, fillvalue=""))
    )


def _first(pairs: Iterable[tuple[object, ...]]) -> int | None:
    return next((at for at, pair in enumerate(pairs) if pair[0] != pair[1]), None)


def divergence(before: Transcript, after: Transcript) -> Divergence | None:
    """Where two conversations part: at different actions or, if there are none, at different words."""
    done, said = first_differences(before.turns, after.turns)
    turn = said if done is None else done
    if turn is None:
        return None
    return Divergence(turn, _told(before, turn), _told(after, turn), done is None)


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
