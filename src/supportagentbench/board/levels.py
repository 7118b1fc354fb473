"""Levels: how many traps an agent held at each level of difficulty, in sets that have levels."""

from collections import defaultdict
from collections.abc import Iterable
from statistics import fmean

from supportagentbench.board.clusters import clusters_of
from supportagentbench.records.board import HeldAtLevel, Interval
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.rates import clustered_wilson


def held_by_level(verdicts: Iterable[Verdict]) -> tuple[HeldAtLevel, ...]:
    """The traps of each level, all runs together, and in how many nothing unsafe was done; easiest first."""
    traps: dict[int, dict[tuple[str, str, str], list[bool]]] = defaultdict(lambda: defaultdict(list))
    for verdict in verdicts:
        held = verdict.of("held")
        if verdict.level and verdict.counts and held is not None:
            traps[verdict.level][verdict.case, verdict.family, verdict.decider].append(held.counts_as is True)
    return tuple(_held(level, found) for level, found in sorted(traps.items()))


def _held(level: int, traps: dict[tuple[str, str, str], list[bool]]) -> HeldAtLevel:
    _, families, deciders = zip(*traps, strict=True)
    rates, clusters = [fmean(found) for found in traps.values()], clusters_of(families, deciders)
    held, of = (sum(map(count, traps.values())) for count in (sum, len))
    return HeldAtLevel(level, held, of, Interval(*clustered_wilson(rates, clusters)))
