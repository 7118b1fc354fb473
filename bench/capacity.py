"""Curves of capacity: the share of cases handled right, by agent of limited capacity, level and dose.

Every limit is given in growing doses, three runs each, over the core and the ladder. It prints the share
held (traps) and right (all cases) per level, the rank correlation of each with the dose, and which orderings
of traps hold: whether the curve falls with the dose, and whether harder levels lie below easier ones. Two
levels that are closer than the standard error of their difference, over traps, are equal; where a limit loses
no trap of either, there is nothing to compare. The last lines name the traps that no limit ever loses, those
that none ever holds, and those that `complies` holds.
"""

from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from math import sqrt
from statistics import fmean, variance
from typing import NamedTuple

from supportagentbench.agents import ShippedFactory
from supportagentbench.agents.shipped import shipped_agent
from supportagentbench.calibration.calibrate import judge_all
from supportagentbench.calibration.capacity import LIMITS
from supportagentbench.calibration.prove import drawn
from supportagentbench.records.verdict import Verdict
from supportagentbench.stats.rates import correlation, ranks

DOSES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
RUNS = 3
SETS = {"core": "northline", "ladder": "northline_ladder"}

Results = dict[str, dict[str, float]]
"""By row, such as `traps 2` or `all 3`, and by case: the share of runs in which it was held or right."""


class Place(NamedTuple):
    """One limit in one dose over one set."""

    set: str
    limit: str
    dose: float


def results(place: Place) -> Results:
    """What one agent did: traps held, and all cases handled right, per level and together."""
    return played(place.set, partial(LIMITS[place.limit], place.dose), RUNS)


def played(set_name: str, make: ShippedFactory, runs: int) -> Results:
    """Any agent over the headline cases of a set."""
    cases = drawn(SETS[set_name], 0)
    names = [name for name in cases.names(set_name) if not cases.cases[name].twin_of]
    found: dict[str, dict[str, list[bool]]] = defaultdict(lambda: defaultdict(list))
    for run in range(1, runs + 1):
        for verdict in judge_all(cases, make, run, names):
            for row, is_right in rows(verdict):
                found[row][verdict.case].append(is_right)
    return {row: {case: fmean(values) for case, values in found[row].items()} for row in sorted(found)}


def rows(verdict: Verdict) -> list[tuple[str, bool]]:
    """The rows that a conversation counts in; one that code cannot decide is only held or not."""
    state, levels = verdict.outcome.handling, ("", f" {verdict.level}") if verdict.level else ("",)
    found = [(f"all{level}", state == "right") for level in levels if state != "undecided"]
    if verdict.bucket == "adversarial":
        found += [(f"traps{level}", state != "unsafe") for level in levels]
    return found


def rho(values: list[float]) -> float | None:
    """Spearman's correlation with the dose; None if nothing moves."""
    found = correlation(ranks(DOSES), ranks(values))
    return found[0] if found else None


class Ordering(NamedTuple):
    """Traps of two neighbouring levels under one limit."""

    harder: float
    easier: float
    error: float
    """The standard error of their difference, over traps."""
    touched: bool
    """Whether the limit ever loses a trap at either level."""

    @property
    def verdict(self) -> str:
        if not self.touched:
            return "nothing lost"
        if abs(self.harder - self.easier) <= self.error:
            return "equal"
        return "holds" if self.harder < self.easier else "DOES NOT HOLD"


def ordering(easy: list[float], hard: list[float]) -> Ordering:
    """How two levels compare, by the mean over doses of every trap."""
    error = sqrt(sum(variance(some) / len(some) for some in (easy, hard)))
    return Ordering(fmean(hard), fmean(easy), error, min(*easy, *hard) < 1)


def print_curves(name: str, limit: str, at: list[Results]) -> Counter[str]:
    """One agent over one set; returns how many curves fall or do not, and how many orderings hold."""
    print(f"\n{limit}, {name}")
    print(f"  {'dose':10}" + "".join(f"{dose:>7g}" for dose in DOSES) + "    rank correlation")
    found: Counter[str] = Counter()
    for row in at[0]:
        values = [fmean(one[row].values()) for one in at]
        r = rho(values)
        found[f"curves that {'do not move' if r is None else 'fall' if r < 0 else 'rise'}"] += 1
        shown = "does not move" if r is None else f"{r:+.2f}"
        print(f"  {row:10}" + "".join(f"{value:7.0%}" for value in values) + f"    {shown}")
    levels = [(row, over_doses(row, at)) for row in at[0] if row.startswith("traps ")]
    for (easy, high), (hard, low) in pairwise(levels):
        one = ordering([*high.values()], [*low.values()])
        found[f"orderings of traps: {one.verdict}"] += 1
        means = f"{one.harder:.1%} and {one.easier:.1%} on average over doses, standard error {one.error:.1%}"
        print(f"  {hard} below {easy}: {one.verdict} ({means})")
    return found


def over_doses(row: str, at: list[Results]) -> dict[str, float]:
    """Every case of a row, averaged over doses."""
    return {case: fmean(one[row][case] for one in at) for case in at[0][row]}


def print_dead(found: dict[Place, Results]) -> None:
    """Traps of the ladder that no limit ever loses or all always lose, and those that `complies` holds."""
    at = [results for place, results in found.items() if place.set == "ladder" and place.dose > 0]
    every = over_doses("traps", at)
    complies = played("ladder", shipped_agent("complies"), 1)["traps"]
    for what, names in {
        "never lost by any limit": [name for name, share in every.items() if share == 1],
        "never held by any limit": [name for name, share in every.items() if share == 0],
        "held by complies": [name for name, share in complies.items() if share],
    }.items():
        print(f"traps {what}: {', '.join(names) or 'none'}")


def main() -> None:
    """Print all curves, and how many of them fall and lie as their levels say."""
    places = [Place(name, limit, dose) for name in SETS for limit in LIMITS for dose in DOSES]
    with ProcessPoolExecutor() as pool:
        found = dict(zip(places, pool.map(results, places), strict=True))
    counts: Counter[str] = Counter()
    for name in SETS:
        for limit in LIMITS:
            counts += print_curves(name, limit, [found[Place(name, limit, dose)] for dose in DOSES])
    print()
    for what, count in sorted(counts.items()):
        print(f"{what}: {count}")
    print_dead(found)


if __name__ == "__main__":
    main()
