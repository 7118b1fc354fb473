"""What a decision of the gate costs: false alarms, power, and conversations until a regression is called.

Agents are simulated on 18 traps and 10 runs, before and after a change: equal, better, worse, and worse in
some traps but better in as many others. The gate's own tests (`stats/sequential.py`) are set against

- all traps alike: the same bet without an eye on single traps, after every conversation;
- one fixed comparison of all conversations, by an exact one-sided sign test: right, and never early;
- naive repetition: the same test after every run, until it alarms;
- any flip: an alarm at the first trap that is newly unsafe. For an agent that repeats itself this is what the
  gate does, once it has seen five conversations that are word for word as before.

`python bench/gate.py [SIMULATIONS] [SEED]`; it exits 1 if a promise of docs/ci.md is broken.
"""

import sys
from collections.abc import Sequence
from math import inf
from statistics import median
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray
from scipy.stats import binom

from supportagentbench.stats.sequential import LEVEL, Evidence, ItemEvidence

TRAPS, RUNS = 18, 10
SIMULATIONS, SEED = 2_000, 20261117
MEDIAN_MOST = 45
"""Conversations within which half of all regressions from 5% to 25% are called."""

Rates = Sequence[float]


class Scenario(NamedTuple):
    """The chance of an unsafe action in each trap, before and after a change."""

    name: str
    before: Rates
    after: Rates
    is_worse_somewhere: bool
    is_worse_on_average: bool


def flat(before: float, after: float) -> Scenario:
    """The same change in all traps."""
    kind = "equal" if before == after else "worse" if after > before else "better"
    worse = after > before
    return Scenario(f"{kind} {before:.0%} → {after:.0%}", [before] * TRAPS, [after] * TRAPS, worse, worse)


def mixed(before: float, after: float, traps: int = TRAPS // 2, *, better_first: bool = False) -> Scenario:
    """Worse in some traps, better by as much in as many others, and all others as before."""
    worse, better = [(before, after)] * traps, [(after, before)] * traps
    same = [(before, before)] * (TRAPS - 2 * traps)
    pairs = [*(better if better_first else worse), *same, *(worse if better_first else better)]
    name = f"mixed {before:.0%} ↔ {after:.0%}, {2 * traps} traps{', better first' * better_first}"
    return Scenario(name, [one for one, _ in pairs], [other for _, other in pairs], True, False)


def uneven(mean: float) -> Scenario:
    """Equal, but some traps are much harder than others."""
    rates = np.random.default_rng(SEED).beta(mean, 1 - mean, TRAPS).tolist()
    return Scenario(f"equal, uneven {np.mean(rates):.0%}", rates, rates, False, False)


MIXED = mixed(0.05, 0.45, better_first=True)
"""The hardest order for a test that puts all traps together."""

ONE_TRAP = mixed(0.0, 1.0, 1)

CALLED_LEAST = 0.80
"""Share of such changes that have to be called."""

SCENARIOS = (
    *(flat(rate, rate) for rate in (0.01, 0.05, 0.20, 0.50)),
    uneven(0.20),
    *(flat(*pair) for pair in ((0.25, 0.05), (0.40, 0.20))),
    *(mixed(0.05, 0.25), mixed(0.05, 0.45), MIXED, mixed(0.05, 0.90, 3), mixed(0.05, 0.90, 1), ONE_TRAP),
    *(flat(*pair) for pair in ((0.05, 0.10), (0.05, 0.15), (0.05, 0.25), (0.05, 0.50), (0.20, 0.40))),
)

METHODS = ("no new", "no new, 2 rules", "not worse", "all alike", "fixed n", "naive", "any flip")


def stops(before: NDArray[np.bool_], after: NDArray[np.bool_]) -> dict[str, float]:
    """After how many conversations each method alarms in one simulated change; infinite: never."""
    differences = (after.astype(int) - before.astype(int)).ravel()
    evidence, by_trap, found = Evidence(), ItemEvidence(), dict.fromkeys(METHODS, inf)

    def alarm(method: str, conversations: int) -> None:
        found[method] = min(found[method], conversations)

    for number, difference in enumerate(differences, 1):
        evidence.add(int(difference))
        by_trap.add(str(number % TRAPS), int(difference))
        if by_trap.is_enough(LEVEL):
            alarm("no new", number)
        if by_trap.is_enough(LEVEL * 2 / 3):
            alarm("no new, 2 rules", number)
        if evidence.is_enough(LEVEL):
            alarm("all alike", number)
            if number % TRAPS == 0:
                alarm("not worse", number)
        if number % TRAPS == 0 and _sign_test(differences[:number]) <= LEVEL:
            alarm("naive", number)
    if _sign_test(differences) <= LEVEL:
        alarm("fixed n", len(differences))
    for number in np.flatnonzero((after & ~before.any(0)).ravel())[:1]:
        alarm("any flip", int(number) + 1)
    return found


def _sign_test(differences: NDArray[np.int_]) -> float:
    """How likely this many or more of the flips are for the worse, if both ways are equally likely."""
    worse, flips = int((differences > 0).sum()), int(np.count_nonzero(differences))
    return float(binom.sf(worse - 1, flips, 0.5)) if flips else 1.0


def simulate(scenario: Scenario, simulations: int, seed: int) -> dict[str, list[float]]:
    """The stops of every method in many simulated changes."""
    random = np.random.default_rng(seed)
    found: dict[str, list[float]] = {method: [] for method in METHODS}
    for _ in range(simulations):
        before = random.random((RUNS, TRAPS)) < np.array(scenario.before)
        after = random.random((RUNS, TRAPS)) < np.array(scenario.after)
        for method, stop in stops(before, after).items():
            found[method].append(stop)
    return found


def shown(stopped: list[float]) -> str:
    """The share of alarms, and the median of conversations over all simulations; –: most have no alarm."""
    middle = median(stopped)
    called = f"{middle:.0f}" if middle < inf else "–"
    return f"{sum(one < inf for one in stopped) / len(stopped):6.1%} {called:>4}"


def broken_promises(scenario: Scenario, found: dict[str, list[float]]) -> list[str]:
    """What the docs promise and this scenario breaks."""
    share = {method: sum(one < inf for one in some) / len(some) for method, some in found.items()}
    broken = []
    if not scenario.is_worse_somewhere and max(share["no new"], share["no new, 2 rules"]) > LEVEL:
        broken.append(f"{scenario.name}: `no new` alarms in {share['no new']:.1%}")
    if not scenario.is_worse_on_average and share["not worse"] > LEVEL:
        broken.append(f"{scenario.name}: `not worse` alarms in {share['not worse']:.1%}")
    if scenario in (MIXED, ONE_TRAP) and share["no new"] < CALLED_LEAST:
        broken.append(f"{scenario.name}: called in {share['no new']:.1%}")
    if scenario == flat(0.05, 0.25) and median(found["no new"]) > MEDIAN_MOST:
        broken.append(f"{scenario.name}: called after {median(found['no new'])} conversations")
    return broken


def main(simulations: int, seed: int) -> int:
    print(f"{TRAPS} traps, {RUNS} runs, {simulations} simulations each, seed {seed}.")
    print("Share of alarms, and the median of conversations until one.\n")
    print(f"{'':42}" + "".join(f"{method:>17}" for method in METHODS))
    broken = []
    for number, scenario in enumerate(SCENARIOS):
        found = simulate(scenario, simulations, seed + number)
        print(
            f"{scenario.name:42}" + "".join(f"{shown(found[method]):>17}" for method in METHODS), flush=True
        )
        broken += broken_promises(scenario, found)
    print("\n" + ("\n".join(broken) or "Every promise is kept."))
    return bool(broken)


if __name__ == "__main__":
    given = [int(word) for word in sys.argv[1:3]]
    sys.exit(main(*(given + [SIMULATIONS, SEED][len(given) :])))
