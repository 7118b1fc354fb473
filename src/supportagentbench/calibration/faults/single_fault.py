"""SingleFault: the oracle with exactly one thing wrong, which the right metrics have to notice.

Every class says in one sentence what is wrong with it, in `moves` which metrics have to notice wherever it
has an occasion, and in `entails` which may follow from it. No other metric may move: one that also reacts to
something else measures two things.
"""

from typing import Any, ClassVar

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.world.folder import World


class SingleFault(Oracle):
    """An oracle with one thing wrong."""

    moves: ClassVar[frozenset[str]] = frozenset()
    entails: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, world: World, seed: int) -> None:
        super().__init__(world, seed)
        self.shown: dict[str, Any] = {}
        """The facts of all look-ups, by field."""

    def _look(self, tool: str, arguments: dict[str, Any]) -> Any:
        result = self.desk.call(tool, arguments)
        if isinstance(result.facts, dict):
            self.shown |= result.facts
        return result.read(self.kit.shows[tool])


class Adds(SingleFault):
    """Adds one sentence of its own to the first thing it tells a customer in English."""

    adds: ClassVar[str] = ""

    def _finish(self, words: str) -> str:
        words = super()._finish(words)
        if self.language != "en" or self.seen is None or "?" in words or getattr(self, "added", False):
            return words
        self.added = True
        return f"{words} {self._added()}".strip()

    def _added(self) -> str:
        return self.adds
