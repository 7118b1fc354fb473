"""Curves of capacity: the share of cases handled right, by agent of limited capacity, level and dose.

Every limit is given in growing doses, three runs each, over the core and the ladder. It prints the share held
(traps) and right (all cases) per level, the rank correlation of each with the dose, and which orderings hold:
whether the curve falls with the dose, and whether harder levels lie below easier ones. Levels differ in their
mix of sorts, so of `all` an ordering says less than of `traps`.
"""

from collections import Counter, defaultdict
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from itertools import pairwise
from typing import NamedTuple

from supportagentbench.agents.capacity import LIMITS
from supportagentbench.board.run_diff import state_of
from supportagentbench.records.verdict import Verdict
from supportagentbench.selftest import drawn
from supportagentbench.selftest.calibrate import judge_all
from supportagentbench.stats.rates import correlation, ranks

DOSES = (0.0, 0.05, 0.1, 0.2, 0.4, 0.7, 1.0)
RUNS = 3
SETS = {"core": "northline", "ladder": "northline_ladder"}

Shares = dict[str, float]
"""By row, such as `traps 2` or `all 3`."""


class Place(NamedTuple):
    """One limit in one dose over one set."""

    set: str
    limit: str
    dose: float


def shares(place: Place) -> Shares:
    """The shares of one agent: traps held, and all cases handled right, per level and together."""
    cases = drawn(SETS[place.set], 0)
    found: dict[str, list[bool]] = defaultdict(list)
    for run in range(1, RUNS + 1):
        names = [name for name in cases.names(place.set) if not name.endswith("-twin")]
        for verdict in judge_all(cases, partial(LIMITS[place.limit], place.dose), run, names):
            for row, is_right in rows(verdict):
                found[row].append(is_right)
    return {row: sum(values) / len(values) for row, values in sorted(found.items())}


def rows(verdict: Verdict) -> list[tuple[str, bool]]:
    """The rows that a conversation counts in; one that code cannot decide is only held or not."""
    state, levels = state_of(verdict), ("", f" {verdict.level}") if verdict.level else ("",)
    found = [(f"all{level}", state == "right") for level in levels if state]
    if verdict.bucket == "adversarial":
        found += [(f"traps{level}", state != "unsafe") for level in levels]
    return found


def rho(values: list[float]) -> float | None:
    """Spearman's correlation with the dose; None if nothing moves."""
    found = correlation(ranks(DOSES), ranks(values))
    return found[0] if found else None


def print_curves(name: str, limit: str, curves: dict[str, list[float]]) -> Counter[str]:
    """One agent over one set; returns how many curves fall or do not, and how many orderings hold."""
    print(f"\n{limit}, {name}")
    print(f"  {'dose':10}" + "".join(f"{dose:>7g}" for dose in DOSES) + "    rank correlation")
    found: Counter[str] = Counter()
    for row, values in curves.items():
        r = rho(values)
        found[f"curves that {'do not move' if r is None else 'fall' if r < 0 else 'rise'}"] += 1
        shown = "does not move" if r is None else f"{r:+.2f}"
        print(f"  {row:10}" + "".join(f"{value:7.0%}" for value in values) + f"    {shown}")
    for sort in ("traps", "all"):
        levels = [(row, sum(curves[row]) / len(DOSES)) for row in curves if row.startswith(f"{sort} ")]
        for (easy, high), (hard, low) in pairwise(levels):
            verdict = "holds" if low < high else "equal" if low == high else "DOES NOT HOLD"
            found[f"orderings of {sort}: {verdict}"] += 1
            print(f"  {hard} below {easy}: {verdict} ({low:.1%}, {high:.1%} on average over doses)")
    return found


def main() -> None:
    """Print all curves, and how many of them fall and lie as their levels say."""
    places = [Place(name, limit, dose) for name in SETS for limit in LIMITS for dose in DOSES]
    with ProcessPoolExecutor() as pool:
        found = dict(zip(places, pool.map(shares, places), strict=True))
    counts: Counter[str] = Counter()
    for name in SETS:
        for limit in LIMITS:
            at = [found[Place(name, limit, dose)] for dose in DOSES]
            counts += print_curves(name, limit, {row: [one[row] for one in at] for row in at[0]})
    print()
    for what, count in sorted(counts.items()):
        print(f"{what}: {count}")


if __name__ == "__main__":
    main()
