"""What the numbers on forks are worth: coverage of intervals and error rates of decisions, simulated.

`python bench/fork_statistics.py [SIMULATIONS] [SEED]`; it exits 1 if a promise of docs/method.md is broken.
"""

import sys
from collections.abc import Callable, Iterator
from typing import NamedTuple

import numpy as np

from supportagentbench.stats.comparison import paired
from supportagentbench.stats.forks import (
    CAP,
    HIGH,
    LOW,
    decide,
    point_of_commitment,
    rate_sequence,
    total_hazard,
)
from supportagentbench.stats.rates import like_these, run_again

SIMULATIONS, SEED = 2_000, 20261117
FORKS, REPLAYS, TOPPED_UP = 18, 10, 60

Draw = np.random.Generator


class Promise(NamedTuple):
    """A figure, and the limits that it has to keep."""

    name: str
    value: float
    least: float = 0.0
    most: float = 1.0

    @property
    def is_kept(self) -> bool:
        return self.least <= self.value <= self.most


def covered(simulations: int, one: Callable[[], bool]) -> float:
    """How often something simulated is so."""
    return sum(one() for _ in range(simulations)) / simulations


def fixed(draw: Draw, simulations: int) -> Iterator[Promise]:
    """The interval after ten replays, over rates as they come: averaged, since counts are lumpy."""

    def one() -> bool:
        rate = draw.uniform(0.0, 1.0)
        low, high = run_again([draw.binomial(REPLAYS, rate)], [REPLAYS])
        return low <= rate <= high

    yield Promise("10 replays: coverage over all rates", covered(5 * simulations, one), 0.94)


def peeked(draw: Draw, simulations: int) -> Iterator[Promise]:
    """Looking after every one of 60 replays: how often the truth was never excluded."""
    table = {
        trials: np.array([rate_sequence(hits, trials) for hits in range(trials + 1)])
        for trials in range(1, TOPPED_UP + 1)
    }
    for rate in (0.02, 0.05, 0.2, 0.5):
        hits = (draw.random((simulations, TOPPED_UP)) < rate).cumsum(1)
        inside, naive = np.ones(simulations, bool), np.ones(simulations, bool)
        for trials in range(1, TOPPED_UP + 1):
            seen = hits[:, trials - 1]
            low, high = table[trials][seen].T
            inside &= (low <= rate) & (rate <= high)
            plain = np.array([run_again([k], [trials]) for k in range(trials + 1)])[seen]
            naive &= (plain[:, 0] <= rate) & (rate <= plain[:, 1])
        yield Promise(f"rate {rate:.0%}, looked at 60 times: confidence sequence", inside.mean(), 0.95)
        yield Promise(f"rate {rate:.0%}, looked at 60 times: the plain interval", naive.mean())


def decided(draw: Draw, simulations: int) -> Iterator[Promise]:
    """Decisions with a cap, and how many replays they take."""
    rates = ((0.0, "gives in"), (LOW, "gives in"), (0.05, ""), (0.1, ""), (HIGH, "holds"), (0.3, "holds"))
    for rate, wrong in rates:
        made = [decide(map(bool, draw.random(CAP) < rate)) for _ in range(simulations)]
        if wrong:
            share = sum(name == wrong for name, _ in made) / simulations
            yield Promise(f"rate {rate:.0%}: wrongly decided `{wrong}`", share, most=0.06)
        else:
            share = sum(name == "holds" for name, _ in made) / simulations
            yield Promise(f"rate {rate:.0%}: decided `holds`", share)
        open_share = sum(name == "undecided" for name, _ in made) / simulations
        yield Promise(f"rate {rate:.0%}: undecided after {CAP} replays", open_share)
        mean = sum(count for _, count in made) / simulations
        yield Promise(f"rate {rate:.0%}: replays until a decision, mean", mean, 0.0, float(CAP))


def hazards(draw: Draw, simulations: int) -> Iterator[Promise]:
    """Two or four rungs, ten replays each."""
    settings = ((0.1, 0.3), (0.05,) * 4, (0.0, 0.0, 0.0, 0.05), (0.0, 0.05, 0.15, 0.3), (0.1, 0.2, 0.4, 0.6))
    for rates in settings:
        truth = 1 - float(np.prod([1 - rate for rate in rates]))

        def one(rates: tuple[float, ...] = rates, truth: float = truth) -> bool:
            hits = [int(draw.binomial(REPLAYS, rate)) for rate in rates]
            _, low, high = total_hazard(hits, [REPLAYS] * len(rates))
            return low <= truth <= high

        words = " ".join(f"{rate:.0%}" for rate in rates)
        yield Promise(f"hazard of rungs {words}: coverage", covered(simulations // 4, one), 0.89)


def together(draw: Draw, simulations: int) -> Iterator[Promise]:
    """18 forks of ten replays: for these forks, and for new ones."""
    for mean, likeness in ((0.1, 3.0), (0.3, 2.0), (0.3, 20.0)):
        rerun = new = 0
        for _ in range(simulations):
            rates = draw.beta(mean * likeness, (1 - mean) * likeness, FORKS)
            hits = draw.binomial(REPLAYS, rates)
            low, high = run_again(hits, [REPLAYS] * FORKS)
            rerun += low <= rates.mean() <= high
            other = like_these(list(hits), [REPLAYS] * FORKS, [str(number) for number in range(FORKS)])
            new += other[0] <= mean <= other[1]
        name = f"18 forks around {mean:.0%}, beta strength {likeness:g}"
        yield Promise(f"{name}: coverage for these forks", rerun / simulations, 0.93)
        yield Promise(f"{name}: coverage for new forks", new / simulations, 0.92)


def effects(draw: Draw, simulations: int) -> Iterator[Promise]:
    """Own minus foreign prefixes on 18 cases."""
    for shift in (0.0, 0.15):

        def one(shift: float = shift) -> bool:
            foreign = draw.uniform(0.0, 0.8, FORKS)
            own = np.clip(foreign + shift, 0, 1)
            first, second = (draw.binomial(REPLAYS, part) / REPLAYS for part in (own, foreign))
            gap = paired(first, second, [str(number) for number in range(FORKS)])
            return gap.low <= float((own - foreign).mean()) <= gap.high

        yield Promise(f"own minus foreign, {shift:+.0%}: coverage", covered(simulations // 4, one), 0.93)


def commitments(draw: Draw, simulations: int) -> Iterator[Promise]:
    """Six replies; after the third the recorded outcome comes back 99 times of 100."""
    for rate in (0.3, 0.5, 0.7):
        chances = (*(rate,) * 3, *(0.99,) * 3)
        at = [
            point_of_commitment(list(draw.binomial(REPLAYS, chances)), [REPLAYS] * 6)
            for _ in range(simulations)
        ]
        right = sum(step == 2 for step in at) / simulations
        late = sum(step is not None and step > 2 for step in at) / simulations
        yield Promise(f"commitment, {rate:.0%} before it: found at its reply", right, 0.8)
        yield Promise(f"commitment, {rate:.0%} before it: put too late", late, most=0.05)


def main() -> None:
    simulations = int(sys.argv[1]) if len(sys.argv) > 1 else SIMULATIONS
    seed = int(sys.argv[2]) if len(sys.argv) > 2 else SEED
    draw = np.random.default_rng(seed)
    parts = (fixed, peeked, decided, hazards, together, effects, commitments)
    broken = 0
    for part in parts:
        for one in part(draw, simulations):
            broken += not one.is_kept
            print(f"{one.name:74}{one.value:7.3f}{'' if one.is_kept else '  BROKEN'}")
    sys.exit(broken > 0)


if __name__ == "__main__":
    main()
