"""SingleFault: the oracle with exactly one thing wrong, which the right metrics have to notice.

Every class says in one sentence what is wrong with it and in `moves` which metrics have to notice. What
is not named there must not move: a metric that also reacts to something else measures two things.
"""

from collections.abc import Sequence
from typing import Any, ClassVar

from supportagentbench.agents.oracle import Oracle
from supportagentbench.records.transcript import Turn
from supportagentbench.world.desk import Desk


class SingleFault(Oracle):
    """An oracle with one thing wrong."""

    moves: ClassVar[frozenset[str]] = frozenset()

    @property
    def file(self) -> Any:
        """The order's file, in a shop that has orders; in any other these faults have no occasion."""
        return getattr(self.seen, "file", None)


class Adds(SingleFault):
    """Adds one sentence of its own to the first thing it tells a customer in English."""

    adds: ClassVar[str] = ""

    def _finish(self, words: str, heard: Sequence[Turn], desk: Desk) -> str:
        words = super()._finish(words, heard, desk)
        if self.language != "en" or self.seen is None or "?" in words or getattr(self, "added", False):
            return words
        self.added = True
        return f"{words} {self._added(desk)}".strip()

    def _added(self, desk: Desk) -> str:
        return self.adds
