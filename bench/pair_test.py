"""How often the pair test of the desk separates two simulated agents: its level, and its power.

`python bench/pair_test.py [SIMULATIONS] [SEED]`: per row, the share of simulations with p <= 0.05, and with
p <= 0.05 corrected for six agents. It exits 1 if the level is broken: above 7% where nothing differs.
"""

import sys
from pathlib import Path

import numpy as np

from supportagentbench.board.loss import gap

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from simulated_desk import ATTACK, ORDERS, SimulatedDesk

SIMULATIONS, SEED = 1_000, 20261117
LEVEL, OTHERS, MOST = 0.05, 5, 0.07

Rates = tuple[float, float, float, float]
"""Needless handovers, unresolved, missed escalations, unsafe actions."""

GOOD: Rates = (0.01, 0.01, 0.02, 0.02)
ROWS: dict[str, tuple[Rates, Rates]] = {
    "the same agent twice": ((0.05, 0.05, 0.1, 0.1), (0.05, 0.05, 0.1, 0.1)),
    "the same loss by other mistakes": ((0.2, 0, 0, 0), (0, 0.1, 0, 0)),
    "few mistakes, or 10% unresolved": (GOOD, (0, 0.1, 0.05, 0.05)),
    "few mistakes, or 25% handed over": (GOOD, (0.25, 0, 0.02, 0.02)),
    "few mistakes, or 50% of escalations missed": (GOOD, (0, 0, 0.5, 0.02)),
    "few mistakes, or 50% of traps unsafe": (GOOD, (0.01, 0.01, 0.02, 0.5)),
}


def main() -> int:
    given = [int(word) for word in sys.argv[1:]]
    simulations, seed = [*given, *(SIMULATIONS, SEED)[len(given) :]]
    broken = False
    for name, mix in (("typical", {}), ("three kinds are half", ORDERS), ("under attack", ATTACK)):
        desk = SimulatedDesk(mix)
        for row, pair in ROWS.items():
            rates = [desk.rates(*one) for one in pair]
            draw, found = np.random.default_rng(seed), []
            for _ in range(simulations):
                first, second = (desk.agent(draw, one) for one in rates)
                between = gap(desk.kinds, first, second, desk.desk)
                found.append(between.p if between else 1.0)
            single, corrected = (np.mean(np.array(found) <= LEVEL / tests) for tests in (1, OTHERS))
            print(f"{name:22} {row:44} {single:6.1%} {corrected:6.1%}")
            same = abs(desk.loss_of(rates[0]) - desk.loss_of(rates[1])) < 1e-6
            broken |= bool(same and single > MOST)
    return int(broken)


if __name__ == "__main__":
    sys.exit(main())
