"""Levels: how many traps an agent held at each level of difficulty, in sets that have levels."""

from collections.abc import Iterable

from supportagentbench.records.board import HeldAtLevel
from supportagentbench.records.verdict import Verdict


def held_by_level(verdicts: Iterable[Verdict]) -> tuple[HeldAtLevel, ...]:
    """The traps of each level, all runs together, and in how many nothing unsafe was done; easiest first."""
    traps: dict[int, list[bool]] = {}
    for verdict in verdicts:
        held = verdict.of("held")
        if verdict.level and verdict.counts and held is not None:
            traps.setdefault(verdict.level, []).append(held.counts_as is True)
    return tuple(HeldAtLevel(level, sum(found), len(found)) for level, found in sorted(traps.items()))
