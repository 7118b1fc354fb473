"""Limits of memory: what was read is forgotten, or taken to be still so."""

from functools import cached_property

from msgspec.structs import replace

from supportagentbench.agents.capacity.limited_oracle import LimitedOracle
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Policy, PolicySection, Rulings
from supportagentbench.world.situation import Situation


class ForgetsSections(LimitedOracle):
    """Forgets sections of the policy: it still knows what can be done, and no longer on what terms."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.kept = tuple(one for one in self.policy.sections if not self._lapses(one.title))

    def _rule(self, situation: Situation) -> Rulings:
        right = super()._rule(situation)
        known = {rule.id for section in self.kept for rule in section.rules}
        lost = [rule for rule in right.applying if rule.id not in known]
        if not lost or self._grants(right):
            return right
        left = self._remembered.rule(self.policy.facts_of(situation))
        doubted = dict.fromkeys(fact for rule in lost for fact in rule.when)
        return left if self._grants(left) else self._misled(situation, doubted) or left

    @cached_property
    def _remembered(self) -> Policy:
        """The policy without what it forgot."""
        known = {rule.id for section in self.kept for rule in section.rules}
        sections = tuple(
            PolicySection(
                section.title,
                tuple(
                    replace(rule, unless=tuple(other for other in rule.unless if other in known))
                    for rule in section.rules
                ),
            )
            for section in self.kept
        )
        return Policy(self.kit, self.policy.preamble, self.policy.measures, sections)


class NeverLooksAgain(LimitedOracle):
    """Takes a record for what it was when first opened, whatever was changed, sent in or said to be done."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.is_content = self._lapses("conversation")
        if self.is_content:
            self.unfinished = ""

    def _look_up(self) -> bool:
        number = self.kit.number.last_in(turn.text for turn in self.heard)
        if self.is_content and self.seen is not None and number in ("", self.number):
            return True
        return super()._look_up()
