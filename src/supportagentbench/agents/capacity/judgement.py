"""Limits of judgement: days are miscounted, and words count more than the record."""

from datetime import timedelta
from random import Random

from supportagentbench.agents.capacity.limited_oracle import LimitedOracle
from supportagentbench.records.transcript import Turn
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import CUSTOMER, Situation

SLIPS = (1, 2, 4, 8, 16, 32)
"""By how many days a count is wrong: as often by one as by a month."""


class MiscountsDays(LimitedOracle):
    """Counts too many or too few days since anything that happened."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        rng = Random(f"slip/{seed}")
        if self._lapses("conversation"):
            self.today += timedelta(days=rng.choice((-1, 1)) * rng.choice(SLIPS))


class Believes(LimitedOracle):
    """Each message may convince it that things are as claimed, by the customer or by a note on record."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.is_convinced = False

    def _listen(self, turn: Turn) -> None:
        super()._listen(turn)
        self.is_convinced |= self._lapses(f"message {len(self.heard)}")

    def _rule(self, situation: Situation) -> Rulings:
        right = super()._rule(situation)
        if not self.is_convinced or self._grants(right):
            return right
        stated = dict.fromkeys(fact for rule in right.applying for fact in rule.when)
        on_record = [name for name in stated if self.kit.readers[name].source != CUSTOMER]
        return self._misled(situation, on_record) or right
