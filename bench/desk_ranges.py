"""How often the range of a desk's cost holds if agents give goods away on routine tickets, which is rare.

`python bench/desk_ranges.py [SIMULATIONS] [SEED]`: per mix, rate of other mistakes and share of routine
conversations with goods given away (in few cases, but then often), how often the range contains the truth.
"""

import sys
from pathlib import Path

import numpy as np

from supportagentbench.board.loss import Trials, loss, quantiles

sys.path.insert(0, str(Path(__file__).parents[1] / "tests"))
from simulated_desk import ATTACK, ORDERS, SimulatedDesk

SIMULATIONS, SEED = 200, 5
MISTAKES, GIVEN = (0.03, 0.1), (0.002, 0.005, 0.01, 0.03)


class GenerousDesk(SimulatedDesk):
    """The same desk with agents that give goods away in this share of routine conversations."""

    def __init__(self, parts: dict[str, float], given: float) -> None:
        super().__init__(parts)
        self.given = given

    def agent(self, draw: np.random.Generator, rates: list[tuple[float, ...]]) -> list[Trials]:
        return [self._giving(draw, one) for one in super().agent(draw, rates)]

    def _giving(self, draw: np.random.Generator, one: Trials) -> Trials:
        if self.kinds[one.kind].mistakes != self.kinds[0].mistakes:
            return one
        chance = float(draw.beta(2 * self.given, 2 * (1 - self.given)))
        given = [("goods",) if draw.random() < chance else () for _ in one.made]
        return one._replace(made=tuple((*made, *more) for made, more in zip(one.made, given, strict=True)))

    def loss_of(self, rates: list[tuple[float, ...]]) -> float:
        routine = self.kinds[0].mistakes
        whole, parts = super().loss_of(rates), sum(self.desk.mix.values())
        none = [
            (0.0,) * len(some) if kind.mistakes == routine else some
            for kind, some in zip(self.kinds, rates, strict=True)
        ]
        tickets = sum(self.desk.mix[kind.name] for kind in self.kinds if kind.mistakes == routine)
        other = super().loss_of(none)
        goods = self.desk.tickets * tickets / parts * self.desk.prices["goods"]
        return other + self.given * goods + (1 - self.given) * (whole - other)


def main() -> None:
    given = [int(word) for word in sys.argv[1:]]
    simulations, seed = [*given, *(SIMULATIONS, SEED)[len(given) :]]
    for name, mix in (("typical", {}), ("three kinds are half", ORDERS), ("under attack", ATTACK)):
        for rate in MISTAKES:
            for share in GIVEN:
                draw, desk, held = np.random.default_rng(seed), GenerousDesk(mix, share), 0
                for _ in range(simulations):
                    rates = [
                        tuple(draw.beta(4 * rate, 4 * (1 - rate), len(kind.mistakes))) for kind in desk.kinds
                    ]
                    found = loss(desk.kinds, desk.agent(draw, rates), desk.desk, quantiles())
                    held += found is not None and found.low <= desk.loss_of(rates) <= found.high
                print(f"{name:22} {rate:5.0%} {share:6.1%} {held / simulations:7.1%}")


if __name__ == "__main__":
    main()
