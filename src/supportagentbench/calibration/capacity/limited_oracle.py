"""LimitedOracle: the oracle with one limit to its capacity, and a dose that says how strong the limit is."""

from collections.abc import Iterable, Mapping
from random import Random

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation


class LimitedOracle(Oracle):
    """An oracle that fails on a share of the occasions where its limit matters."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(world, seed)
        self.dose, self.seed = dose, seed

    def _lapses(self, occasion: str) -> bool:
        """Whether it fails on this occasion; with the same seed, it then also fails at every larger dose."""
        return Random(f"{type(self).__name__}/{self.seed}/{occasion}").random() < self.dose

    def _grants(self, rulings: Rulings, request: str) -> bool:
        """Whether the request is granted: a ticket is closed, or else something is changed or sent."""
        required = rulings.required()
        if request in self.closing:
            return "close_ticket" in required
        return not self.verbs.keys().isdisjoint(required)

    def _misled(self, situation: Situation, doubted: Iterable[str]) -> Rulings | None:
        """The policy's rulings for someone who assumes a value of one of these facts that allows acting."""
        readers = self.kit.readers
        could_be = {name: readers[name].values for name in doubted if name != "request"}
        return self._supposing(self.policy.facts_of(situation), could_be)

    def _supposing(self, facts: dict[str, str], could_be: Mapping[str, Iterable[str]]) -> Rulings | None:
        """The policy's rulings for someone who assumes a convenient value for one of these facts.

        That is a value that allows an action or, failing that, allows saying something that should be
        withheld; None if no fact has such a value.
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
