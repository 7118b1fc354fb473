"""LimitedOracle: the oracle with one limit to what it can hold, and a dose that says how narrow it is."""

from collections.abc import Iterable
from random import Random

from supportagentbench.agents.oracle import Oracle
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation


class LimitedOracle(Oracle):
    """An oracle that fails on a share of the occasions on which its limit matters."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(world, seed)
        self.dose, self.seed = dose, seed

    def _lapses(self, occasion: str) -> bool:
        """Whether it fails on this occasion; with the same seed it then fails at every larger dose, too."""
        return Random(f"{type(self).__name__}/{self.seed}/{occasion}").random() < self.dose

    def _grants(self, rulings: Rulings) -> bool:
        """Whether something is to be changed or sent."""
        return not self.verbs.keys().isdisjoint(rulings.required())

    def _misled(self, situation: Situation, doubted: Iterable[str]) -> Rulings | None:
        """What the policy says to someone who takes one of these facts for what lets something be done.

        Where nothing can be done, for what lets something be told that is to be withheld; None, if no other
        value of any of them does either.
        """
        facts = self.policy.facts_of(situation)
        others = [
            self.policy.rule(facts | {name: value})
            for name in doubted
            if name != "request"
            for value in self.kit.readers[name].values
            if value != facts[name]
        ]
        withheld = _withheld(self.policy.rule(facts))
        telling = (one for one in others if _withheld(one) < withheld)
        return next(filter(self._grants, others), None) or next(telling, None)


def _withheld(rulings: Rulings) -> int:
    return sum(len(rule.withhold) for rule in rulings.applying)
