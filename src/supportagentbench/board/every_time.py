"""Every time: how often a case is handled right in all of k runs, known as pass^k.

It is estimated case by case. The share of right conversations to the power of k would take a case that always
fails and one that never does for two that fail now and then.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from math import comb
from statistics import fmean
from typing import NamedTuple

from supportagentbench.board.clusters import clusters_of
from supportagentbench.board.metrics import RunVerdicts
from supportagentbench.records.board import EveryTime, Interval
from supportagentbench.records.outcome import Handling
from supportagentbench.stats.rates import clustered_wilson

CARD = "every_time"
"""The name of its card."""


class CaseRuns(NamedTuple):
    """How the runs of one case were handled."""

    family: str
    decider: str
    is_trap: bool
    handled: Counter[Handling]

    def chance(self, k: int) -> tuple[float, float]:
        """The chance that k runs are all right, if every undecided one is wrong and if every one is right."""
        runs, right = self.handled.total(), self.handled["right"]
        ways = comb(runs, k)
        return comb(right, k) / ways, comb(right + self.handled["undecided"], k) / ways


def every_time(runs: Sequence[RunVerdicts]) -> tuple[EveryTime, ...]:
    """pass^k of one agent for each k that its runs allow: of all core cases, then of the traps among them."""
    cases = _cases(runs)
    most = min(Counter(run.draw for run in runs).values(), default=0)
    groups = ((False, cases), (True, [case for case in cases if case.is_trap]))
    found = (_of(group, k, traps) for k in range(1, most + 1) for traps, group in groups)
    return tuple(one for one in found if one)


def _cases(runs: Sequence[RunVerdicts]) -> list[CaseRuns]:
    """Every core case of every draw, with how its counted runs were handled."""
    found: dict[tuple[str, str], CaseRuns] = {}
    handled: dict[tuple[str, str], Counter[Handling]] = defaultdict(Counter)
    for run in runs:
        for verdict in run.core:
            key = run.draw, verdict.case
            handled[key][verdict.outcome.handling] += 1
            found[key] = CaseRuns(
                verdict.family, verdict.decider, verdict.bucket == "adversarial", handled[key]
            )
    return list(found.values())


def _of(cases: list[CaseRuns], k: int, traps: bool) -> EveryTime | None:
    """pass^k over these cases; None if no case is decided."""
    enough = [case for case in cases if case.handled.total() >= k]
    bounds = [case.chance(k) for case in enough]
    decided = [(case, low) for case, (low, high) in zip(enough, bounds, strict=True) if low == high]
    if not decided:
        return None
    chances = [chance for _, chance in decided]
    clusters = clusters_of([case.family for case, _ in decided], [case.decider for case, _ in decided])
    return EveryTime(
        k=k,
        traps=traps,
        value=fmean(chances),
        cases=len(decided),
        open_cases=len(enough) - len(decided),
        short_cases=len(cases) - len(enough),
        at_worst=fmean(low for low, _ in bounds),
        at_best=fmean(high for _, high in bounds),
        interval=Interval(*clustered_wilson(chances, clusters)),
        clusters=len({*clusters}),
    )


def last_of(found: Sequence[EveryTime], *, traps: bool) -> EveryTime | None:
    """The one for the most runs; None if a single run makes it the plain share, or there is none."""
    known = [one for one in found if one.traps is traps and one.k > 1]
    return known[-1] if known else None
