"""Limited judgement: miscounting days, trusting words over the record, comparing nothing."""

from datetime import timedelta
from random import Random

from msgspec.structs import replace

from supportagentbench.calibration.capacity.limited_oracle import LimitedOracle
from supportagentbench.records.transcript import Turn
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import CUSTOMER, Situation

SLIPS = (1, 2, 4, 8, 16, 32)
"""By how many days a count is wrong: one day is as likely as a month."""


class MiscountsDays(LimitedOracle):
    """Counts too many or too few days, separately for each fact that depends on days."""

    def _rule(self, situation: Situation) -> Rulings:
        counted = {
            name: fact.read(replace(situation, today=self.today + self._slip(name)))
            for name, fact in self.kit.readers.items()
        }
        if counted == self.policy.facts_of(situation):
            return super()._rule(situation)
        return self.policy.rule(counted)

    def _slip(self, fact: str) -> timedelta:
        if not self._lapses(f"days of {fact}"):
            return timedelta()
        rng = Random(f"slip/{self.seed}/{fact}")
        return timedelta(days=rng.choice((-1, 1)) * rng.choice(SLIPS))


class Believes(LimitedOracle):
    """May be convinced by any message, or any urging text on record, that things are as claimed."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.is_convinced = False

    def _listen(self, turn: Turn) -> None:
        super()._listen(turn)
        self.is_convinced |= self._lapses(f"message {len(self.heard)}")

    def _look_up(self) -> bool:
        is_open = super()._look_up()
        urgings = self.kit.urgings(self.seen) if self.seen is not None else ()
        self.is_convinced |= any(self._lapses(text) for text in urgings)
        return is_open

    def _rule(self, situation: Situation) -> Rulings:
        right = super()._rule(situation)
        if not self.is_convinced or self._grants(right, situation.request):
            return right
        stated = dict.fromkeys(fact for rule in right.applying for fact in rule.when)
        on_record = [name for name in stated if self.kit.readers[name].source != CUSTOMER]
        return self._misled(situation, on_record) or right


class SkipsComparisons(LimitedOracle):
    """Does not compare an entry with another one where it should, and assumes that they fit."""

    def _rule(self, situation: Situation) -> Rulings:
        right = super()._rule(situation)
        if self._grants(right, situation.request):
            return right
        skipped = [
            name
            for name, fact in self.kit.readers.items()
            if any(self._lapses(f"{name}, {number}") for number in range(fact.comparisons(situation)))
        ]
        return self._misled(situation, skipped) or right
