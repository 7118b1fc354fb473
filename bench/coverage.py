"""Coverage: how often each printed kind of interval contains the truth, and how often a test is wrong.

Agents that are simulated on 18 traps, which 12 rules decide as in Northline. How they fail: a rule is broken
or kept as a whole; each rule has a rate of its own; or each trap fails by itself.

    python bench/coverage.py --simulations 2000
"""

import sys
from argparse import ArgumentParser
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from supportagentbench.stats.comparison import paired
from supportagentbench.stats.rates import at_least, at_most, like_these, run_again

Floats = NDArray[np.float64]
Draw = np.random.Generator

SIZES = (3, 3, 2, 2, *[1] * 8)
"""Traps of each rule."""

RULE_OF = np.repeat(np.arange(len(SIZES)), SIZES)
RULES, TYPES = [f"rule {rule}" for rule in RULE_OF], [f"type {trap}" for trap in range(len(RULE_OF))]

RUNS = (3, 1)
RATES = (0.0, 0.02, 0.05, 0.1, 0.2, 0.3, 0.5)
PAIRS = ((0.02, 0.1), (0.05, 0.25), (0.1, 0.4), (0.3, 0.6))
SEED = 20261118

COVERED, FALSE = 0.93, 0.06
"""The least coverage of a printed interval, and the most false alarms of a test."""

CHANCES: dict[str, Callable[[Draw, float], Floats]] = {
    "rule as a whole": lambda draw, rate: (draw.random(len(SIZES)) < rate)[RULE_OF].astype(float),
    "rate per rule": lambda draw, rate: draw.beta(rate + 1e-9, 1 - rate, len(SIZES))[RULE_OF],
    "trap by itself": lambda draw, rate: np.full(len(RULE_OF), rate),
}
"""How an agent's chance to fail in each trap comes about, given its rate over all traps of this kind."""


class Measured(NamedTuple):
    """One line: what was measured, for which agents."""

    kind: str
    fails: str
    runs: int
    rates: str
    share: float
    is_kept: bool = True


def intervals(draw: Draw, fails: str, runs: int, rate: float, times: int) -> Iterator[Measured]:
    """Both intervals of one agent, and the bounds that decide words."""
    again = like = by_type = low = high = 0
    for _ in range(times):
        chance = CHANCES[fails](draw, rate)
        hits, trials = draw.binomial(runs, chance).tolist(), [runs] * len(chance)
        k, n = sum(hits), sum(trials)
        again += _holds(run_again(hits, trials), chance.mean())
        like += _holds(like_these(hits, trials, RULES), rate)
        by_type += _holds(like_these(hits, trials, TYPES), rate)
        low += at_least(k, n) <= chance.mean() + 1e-9
        high += at_most(k, n) >= chance.mean() - 1e-9
    found = {
        "these cases, run again": again,
        "cases like these": like,
        "  (if it were clustered by case type)": by_type,
        "at least, one-sided": low,
        "at most, one-sided": high,
    }
    for kind, held in found.items():
        is_printed = not kind.startswith(" ")
        yield Measured(
            kind, fails, runs, f"{rate:.0%}", held / times, held >= COVERED * times or not is_printed
        )


def comparisons(
    draw: Draw, fails: str, runs: int, rates: tuple[float, float], times: int
) -> Iterator[Measured]:
    """The paired interval, and the test's false alarms for equal agents or power for others."""
    held = found = by_type = 0
    for _ in range(times):
        first, second = (draw.binomial(runs, CHANCES[fails](draw, rate)) / runs for rate in rates)
        gap = paired(first, second, RULES)
        held += _holds((gap.low, gap.high), rates[0] - rates[1])
        found += gap.p <= 0.05
        by_type += paired(first, second, TYPES).p <= 0.05
    words, is_equal = " and ".join(f"{rate:.0%}" for rate in rates), rates[0] == rates[1]
    yield Measured("paired difference", fails, runs, words, held / times, held >= COVERED * times)
    kind = "false alarms" if is_equal else "differences found"
    yield Measured(kind, fails, runs, words, found / times, not is_equal or found <= FALSE * times)
    yield Measured(f"  ({kind} if flipped by case type)", fails, runs, words, by_type / times)


def _holds(ends: tuple[float, float], truth: float) -> bool:
    return bool(ends[0] - 1e-9 <= truth <= ends[1] + 1e-9)


def just_excluded(draw: Draw, times: int) -> Iterator[Measured]:
    """The interval for the same cases where it is worst: at a rate that none seen just excludes."""
    for runs in RUNS:
        trials = [runs] * len(RULE_OF)
        rate = at_most(0, sum(trials)) + 0.001
        held = sum(
            _holds(run_again(draw.binomial(runs, rate, len(trials)), trials), rate) for _ in range(times)
        )
        yield Measured(
            "  (run again, just above the bound of a zero)", "trap by itself", runs, "", held / times
        )


def measured(times: int) -> Iterator[Measured]:
    """Every line."""
    draw = np.random.default_rng(SEED)
    for fails in CHANCES:
        for runs in RUNS:
            for rate in RATES:
                yield from intervals(draw, fails, runs, rate, times)
            for pair in (*((rate, rate) for rate in RATES), *PAIRS):
                yield from comparisons(draw, fails, runs, pair, times)
    yield from just_excluded(draw, times)


def main() -> int:
    options = ArgumentParser(description="How often printed intervals contain the truth.")
    options.add_argument("--simulations", type=int, default=2_000)
    lines = list(measured(options.parse_args().simulations))
    rates = list(dict.fromkeys(line.rates for line in lines))
    for kind in dict.fromkeys(line.kind for line in lines):
        some = [line for line in lines if line.kind == kind]
        shown = [rate for rate in rates if any(line.rates == rate for line in some)]
        print(f"\n{kind}\n{'':22}{''.join(f'{rate:>13}' for rate in shown)}")
        for fails in CHANCES:
            for runs in RUNS:
                row = {line.rates: line for line in some if (line.fails, line.runs) == (fails, runs)}
                if not row:
                    continue
                cells = (f"{row[rate].share:.1%}{'' if row[rate].is_kept else ' !'}" for rate in shown)
                print(f"{f'{fails}, 18 × {runs}':22}{''.join(f'{cell:>13}' for cell in cells)}")
    missed = [line for line in lines if not line.is_kept]
    print(
        f"\n{len(missed)} of {len(lines)} figures miss {COVERED:.0%} coverage or {FALSE:.0%} false alarms (!)"
    )
    return bool(missed)


if __name__ == "__main__":
    sys.exit(main())
