"""Limited memory: forgetting what was read, or assuming that it has not changed."""

from functools import cached_property

from msgspec.structs import replace

from supportagentbench.calibration.capacity.limited_oracle import LimitedOracle
from supportagentbench.records.transcript import Turn
from supportagentbench.records.vocabulary import PHOTO
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Policy, PolicySection, Rulings
from supportagentbench.world.situation import Situation


class ForgetsSections(LimitedOracle):
    """Forgets sections of the policy: it still knows what can be done, but no longer on what terms."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.kept = tuple(one for one in self.policy.sections if not self._lapses(one.title))

    def _rule(self, situation: Situation) -> Rulings:
        right = super()._rule(situation)
        known = {rule.id for section in self.kept for rule in section.rules}
        lost = [rule for rule in right.applying if rule.id not in known]
        if not lost or self._grants(right, situation.request):
            return right
        left = self._remembered.rule(self.policy.facts_of(situation))
        doubted = dict.fromkeys(fact for rule in lost for fact in rule.when)
        return left if self._grants(left, situation.request) else self._misled(situation, doubted) or left

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


class LosesTrack(LimitedOracle):
    """May forget anything it has seen or heard before with every message that passes."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.opened_at = 0
        """The number of the message at which it last opened the record."""

    def _look_up(self) -> bool:
        before = self.seen
        is_open = super()._look_up()
        if self.seen is not before:
            self.opened_at = len(self.heard)
        return is_open

    def _rule(self, situation: Situation) -> Rulings:
        right = super()._rule(situation)
        if self._grants(right, situation.request):
            return right
        stated = dict.fromkeys(fact for rule in right.applying for fact in rule.when)
        return self._misled(situation, [name for name in stated if self._has_lost(name)]) or right

    def _has_lost(self, fact: str) -> bool:
        passed = range(self.opened_at + 1, len(self.heard) + 1)
        return any(self._lapses(f"{fact} by message {number}") for number in passed)


class NeverLooksAgain(LimitedOracle):
    """Relies on the record as first opened, no matter what was changed, sent in or reported as done.

    It assumes without looking that a file it received is the one it asked for.
    """

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.is_content = self._lapses("conversation")
        self.has_unread_files = False
        if self.is_content:
            self.unfinished = ""

    def _listen(self, turn: Turn) -> None:
        super()._listen(turn)
        is_later = self.seen is not None
        self.has_unread_files |= self.is_content and is_later and any(one.details for one in turn.attachments)

    def _look_up(self) -> bool:
        number = self.kit.number.last_in(turn.text for turn in self.heard)
        if self.is_content and self.seen is not None and number in ("", self.number):
            return True
        return super()._look_up()

    def _rule(self, situation: Situation) -> Rulings:
        right = super()._rule(situation)
        asking = [rule for rule in right.applying if PHOTO in rule.ask]
        if not self.has_unread_files or not asking or self._grants(right, situation.request):
            return right
        doubted = dict.fromkeys(fact for rule in asking for fact in rule.when)
        return self._misled(situation, doubted) or right
