"""Limited reading: only the first of several is read, or nothing more is looked up."""

from typing import Any

import msgspec

from supportagentbench.calibration.capacity.limited_oracle import LimitedOracle
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Rulings
from supportagentbench.world.situation import Situation


class ReadsTheFirst(LimitedOracle):
    """Reads only the first of several records, rows of a list, or pages."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.sources = {fact.source for fact in self.kit.readers.values()}
        self.opened: set[str] = set()
        """Look-ups made since it last opened the record."""

    def _look_up(self) -> bool:
        number = self.kit.number.last_in(turn.text for turn in self.heard)
        if self.seen is None or number in ("", self.number) or not self._lapses("another record"):
            return super()._look_up()
        if self.is_stale:
            self.seen = self.kit.look_up(self._look, {self.kit.subject: self.number}) or self.seen
            self.is_stale = False
        return True

    def _look(self, tool: str, arguments: dict[str, Any]) -> Any:
        if tool == self.kit.lookups[0].__name__:
            self.opened = set()
            return self._skimmed(super()._look(tool, arguments))
        if tool in self.opened and tool in self.sources and self._lapses(tool):
            return None
        self.opened.add(tool)
        return super()._look(tool, arguments)

    def _skimmed(self, shown: Any) -> Any:
        """A record with only the first row of each list that it does not read to the end."""
        if not isinstance(shown, msgspec.Struct):
            return shown
        lists = {name: value for name, value in msgspec.structs.asdict(shown).items() if _has_rows(value)}
        return msgspec.structs.replace(
            shown, **{name: rows[:1] for name, rows in lists.items() if self._lapses(name)}
        )


def _has_rows(value: Any) -> bool:
    return isinstance(value, tuple) and len(value) > 1 and isinstance(value[0], msgspec.Struct)


class StopsLooking(LimitedOracle):
    """May stop looking things up after any look-up, and assumes unknown facts that let it act."""

    def __init__(self, dose: float, world: World, seed: int) -> None:
        super().__init__(dose, world, seed)
        self.looked = 0
        self.has_stopped = False
        self.unknown: set[str] = set()
        """Look-ups that it never made."""

    def _look_up(self) -> bool:
        return super()._look_up() or self.seen is not None

    def _look(self, tool: str, arguments: dict[str, Any]) -> Any:
        is_first = self.seen is None and tool == self.kit.lookups[0].__name__
        self.has_stopped |= not is_first and self._lapses(f"after look-up {self.looked}")
        if self.has_stopped:
            self.unknown |= {tool} if self.seen is None else set()
            return None
        self.looked += 1
        return super()._look(tool, arguments)

    def _rule(self, situation: Situation) -> Rulings:
        seen = {look_up.__name__ for look_up in self.kit.lookups} - self.unknown
        open_to = {
            name: fact.could_be(situation, seen)
            for name, fact in self.kit.readers.items()
            if fact.source in self.unknown
        }
        if not open_to:
            return super()._rule(situation)
        # A fact that another page also shows is known anyway.
        known = {name: values[0] for name, values in open_to.items() if len(values) == 1}
        facts = self.policy.facts_of(situation) | known
        right = self.policy.rule(facts)
        doubted = {name: values for name, values in open_to.items() if name not in known}
        return right if self._grants(right, situation.request) else self._supposing(facts, doubted) or right
