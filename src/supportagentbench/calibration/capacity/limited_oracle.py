"""LimitedOracle: the oracle with one limit to what it can hold, and a dose that says how narrow it is."""

from collections.abc import Iterable, Mapping
from random import Random

from supportagentbench.calibration.oracle import Oracle
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

    def _grants(self, rulings: Rulings, request: str) -> bool:
        """Whether the request is granted: a ticket is closed, or else something is changed or sent."""
        required = rulings.required()
        if request in self.closing:
            return "close_ticket" in required
        return not self.verbs.keys().isdisjoint(required)

    def _misled(self, situation: Situation, doubted: Iterable[str]) -> Rulings | None:
        """What the policy says to someone who takes one of these facts for what lets something be done."""
        readers = self.kit.readers
        could_be = {name: readers[name].values for name in doubted if name != "request"}
        return self._supposing(self.policy.facts_of(situation), could_be)

    def _supposing(self, facts: dict[str, str], could_be: Mapping[str, Iterable[str]]) -> Rulings | None:
        """What the policy says to someone who takes one of these facts for one of these values, as it suits.

        That is what lets something be done, or else lets something be told that is to be withheld; None, if
        no other value of any of them does either.
        """
        others = [
            self.policy.rule(facts | {name: value})
            for name, values in could_be.items()
            for value in values
            if value != facts[name]
        ]
        withheld = _withheld(self.policy.rule(facts))
        granting = (one for one in others if self._grants(one, facts["request"]))
        telling = (one for one in others if _withheld(one) < withheld)
        return next(granting, None) or next(telling, None)


def _withheld(rulings: Rulings) -> int:
    return sum(len(rule.withhold) for rule in rulings.applying)
