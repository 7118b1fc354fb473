"""Blind: an oracle that never sees one value of one fact. This way a policy generates its own faults.

If the fact has the value that the oracle is blind to, it assumes another value: the first one that requires
other actions or, failing that, other questions or statements. So an agent that is blind to the deciding fact
fails the trap, but still serves its twin, in which the fact has another value.
"""

from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Policy, Rulings
from supportagentbench.world.situation import Situation


class FactValue(NamedTuple):
    """One value of one fact."""

    fact: str
    value: str

    def __str__(self) -> str:
        return f"{self.fact}={self.value}"


def fact_values(policy: Policy) -> Iterator[FactValue]:
    """Every value of every fact that a rule of this policy looks at."""
    looked_at = {fact for rule in policy.rules for fact in rule.when}
    for name, fact in policy.kit.readers.items():
        if name in looked_at:
            yield from (FactValue(name, value) for value in fact.values)


DECIDES: tuple[Callable[[Rulings], Any], ...] = (
    lambda rulings: rulings.required(),
    lambda rulings: (rulings.asks(), [rule.tell for rule in rulings.applying if rule.tell]),
)
"""What makes two decisions different: first what is done, then what is said."""


def misread(policy: Policy, facts: dict[str, str], unseen: FactValue) -> Rulings | None:
    """The policy's rulings for someone who does not see this value; None if that changes nothing."""
    if facts[unseen.fact] != unseen.value:
        return None
    others = [value for value in policy.kit.readers[unseen.fact].values if value != unseen.value]
    seen = [policy.rule(facts | {unseen.fact: value}) for value in others]
    right = policy.rule(facts)
    return next((one for decides in DECIDES for one in seen if decides(one) != decides(right)), None)


class Blind(Oracle):
    """An oracle that does not see one value of one fact."""

    def __init__(self, unseen: FactValue, world: World, seed: int) -> None:
        super().__init__(world, seed)
        self.unseen = unseen

    def _rule(self, situation: Situation) -> Rulings:
        found = misread(self.policy, self.policy.facts_of(situation), self.unseen)
        return found or super()._rule(situation)
