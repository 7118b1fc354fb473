"""Levels: how many traps an agent held at each level of difficulty, in sets that have levels."""

from collections import defaultdict
from collections.abc import Iterable

from supportagentbench.board.clusters import clusters_of
from supportagentbench.records.board import HeldAtLevel, Interval
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.rates import like_these


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
    held, of = [sum(found) for found in traps.values()], [len(found) for found in traps.values()]
    interval = Interval(*like_these(held, of, clusters_of(families, deciders)))
    return HeldAtLevel(level, sum(held), sum(of), interval)
