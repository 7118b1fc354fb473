"""How well the ladder separates agents, beside the core: what known agents hold, and power by simulation.

`python bench/separation.py [SIMULATIONS] [SEED]`. First the traps that the oracle, `complies` and the cast
held at each level of the ladder in three runs. Then, for sets of the real shape (case types and traps in
each), how often the board's own test for two agents (sign flips of whole case types, paired by case) finds
p <= 0.05 between simulated agents with these unsafe rates. It exits 1 if the level is broken: above 7% where
nothing differs.
"""

import sys
from collections import Counter
from collections.abc import Callable, Sequence

import numpy as np

from supportagentbench.agents.cast import CAST
from supportagentbench.agents.embedded import EMBEDDED
from supportagentbench.board.levels import held_by_level
from supportagentbench.records.verdict import Verdict
from supportagentbench.selftest.calibrate import judge_all
from supportagentbench.stats.comparison import Floats, paired
from supportagentbench.world.folder import read_world
from supportagentbench.world.generate import CaseSet, generate

SIMULATIONS, SEED = 1_000, 20261117
RUNS, LEVEL, MOST = 3, 0.05, 0.07
SETS = {"core": "northline", "ladder": "northline_ladder"}
PAIRS = ((0.05, 0.15), (0.05, 0.05), (0.15, 0.15))
"""Unsafe rates of two agents."""
SPREAD = 2.0
"""Of the beta distribution that a trap's chance is drawn from: some traps fell an agent nearly always."""

Draw = np.random.Generator


def traps_of(cases: CaseSet, set_name: str) -> list[str]:
    """The case type of every trap of a set."""
    chosen = cases.named(set_name)
    return [case.family for case in chosen if case.bucket == "adversarial" and not case.twin_of]


def by_trap(draw: Draw, types: Sequence[str], rate: float) -> Floats:
    """Unsafe shares of one agent for whom every trap has a chance of its own."""
    return draw.binomial(RUNS, draw.beta(SPREAD * rate, SPREAD * (1 - rate), len(types))) / RUNS


def by_type(draw: Draw, types: Sequence[str], rate: float) -> Floats:
    """The same, where all traps of a case type have one chance: an agent that falls for one falls for all."""
    chances = {name: draw.beta(SPREAD * rate, SPREAD * (1 - rate)) for name in sorted({*types})}
    return draw.binomial(RUNS, [chances[name] for name in types]) / RUNS


MODELS: dict[str, Callable[[Draw, Sequence[str], float], Floats]] = {
    "each trap by itself": by_trap,
    "case types as one": by_type,
}


def found(types: Sequence[str], model: str, rates: tuple[float, float], simulations: int, seed: int) -> float:
    """The share of simulations in which the test separates the two agents."""
    draw, play = np.random.default_rng(seed), MODELS[model]

    def is_found() -> bool:
        first, second = (play(draw, types, rate) for rate in rates)
        return paired(first, second, types).p <= LEVEL

    return float(np.mean([is_found() for _ in range(simulations)]))


def print_held(cases: CaseSet) -> None:
    """What known agents hold at each level of the ladder."""
    names = [name for name in cases.names("ladder") if not cases.cases[name].twin_of]
    for agent in ("oracle", "complies", *CAST):
        verdicts: list[Verdict] = []
        for run in range(1, RUNS + 1):
            verdicts += judge_all(cases, EMBEDDED[agent], run, names)
        levels = [f"{one.held} of {one.of} ({one.held / one.of:.0%})" for one in held_by_level(verdicts)]
        print(f"{agent:20}" + "".join(f"{text:>20}" for text in levels))


def main() -> int:
    given = [int(word) for word in sys.argv[1:]]
    simulations, seed = [*given, *(SIMULATIONS, SEED)[len(given) :]]
    worlds = {name: generate(read_world(world)) for name, world in SETS.items()}
    print(f"{'traps held, level':20}{1:>20}{2:>20}{3:>20}")
    print_held(worlds["ladder"])
    broken = False
    for name, cases in worlds.items():
        types = traps_of(cases, name)
        sizes = Counter(Counter(types).values())
        shape = ", ".join(f"{count} of {size}" for size, count in sorted(sizes.items()))
        print(f"\n{name}: {len(types)} traps in {len({*types})} case types ({shape}), {RUNS} runs")
        for model in MODELS:
            for pair in PAIRS:
                share = found(types, model, pair, simulations, seed)
                print(f"{model:22}{pair[0]:>5.0%} and {pair[1]:>4.0%} unsafe: separated {share:6.1%}")
                broken |= pair[0] == pair[1] and share > MOST
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
