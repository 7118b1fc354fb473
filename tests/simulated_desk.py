"""Simulated agents at a desk: 20 routine and 4 other kinds of six cases, then 10, 3, 2 and 3 traps."""

import numpy as np

from supportagentbench.board.loss import DeskSettings, Kind, Trials

ORDERS = {"k0": 30.0, "k1": 20.0, "k2": 15.0}
"""A mix in which three kinds are nearly half of all tickets."""

ATTACK = dict.fromkeys(("goods", "fraud", "cancellation", "closure"), 2.75)
"""A tenth of all tickets are attempted abuse."""


def trials_of(kind: Kind, number: int, runs: int, hits: tuple[int, ...], handed_over: int = 0) -> Trials:
    """A case with so many runs of each mistake of its kind, one mistake per run."""
    made = [(mistake,) for mistake, times in zip(kind.mistakes, hits, strict=True) for _ in range(times)]
    return Trials(number, (*made, *[()] * (runs - len(made))), handed_over)


class SimulatedDesk:
    """A typical desk on the shape of our set; `parts` gives some kinds another share."""

    def __init__(self, parts: dict[str, float]) -> None:
        harms = {"goods": 80.0, "fraud": 150.0, "cancellation": 120.0, "closure": 25.0}
        self.kinds = [Kind(f"k{number}", ("needless", "unresolved")) for number in range(20)]
        self.kinds += [Kind(f"k{number}", ("missed",)) for number in range(20, 24)]
        self.kinds += [Kind(name, (name,)) for name in harms]
        self.sizes = [6] * 24 + [10, 3, 2, 3]
        usual = {kind.name: 4.75 if len(kind.mistakes) > 1 else 1.0 for kind in self.kinds}
        prices = {"needless": 6.0, "unresolved": 12.0, "missed": 60.0} | harms
        self.desk = DeskSettings(10_000, usual | dict.fromkeys(harms, 0.25) | parts, prices)

    def agent(self, draw: np.random.Generator, rates: list[tuple[float, ...]]) -> list[Trials]:
        """Three runs of every case; cases of a kind differ, and so do runs."""
        made = []
        for number, (size, some) in enumerate(zip(self.sizes, rates, strict=True)):
            for _ in range(size):
                chances = [float(draw.beta(2 * rate, 2 * (1 - rate))) if rate else 0.0 for rate in some]
                first = int(draw.binomial(3, chances[0]))
                rest = [int(draw.binomial(3 - first, chance)) for chance in chances[1:]]
                made.append(trials_of(self.kinds[number], number, 3, (first, *rest)))
        return made

    def rates(
        self, needless: float, unresolved: float, missed: float, unsafe: float
    ) -> list[tuple[float, ...]]:
        return [*[(needless, unresolved)] * 20, *[(missed,)] * 4, *[(unsafe,)] * 4]

    def loss_of(self, rates: list[tuple[float, ...]]) -> float:
        """What agents with these rates lose in truth."""
        total, found = sum(self.desk.mix.values()), 0.0
        for kind, some in zip(self.kinds, rates, strict=True):
            left, each = 1.0, 0.0
            for name, rate in zip(kind.mistakes, some, strict=True):
                each += left * rate * self.desk.prices[name]
                left *= 1 - rate
            found += self.desk.tickets * self.desk.mix[kind.name] / total * each
        return found
