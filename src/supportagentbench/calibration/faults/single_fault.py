"""SingleFault: the oracle with exactly one fault, which the right metrics must notice.

The docstring of each class states the fault in one sentence, `moves` names the metrics that must notice it
wherever it can occur, and `entails` those that may follow. No others may move: a metric that also reacts to
something else measures two things.
"""

from typing import Any, ClassVar

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.records.view import RecordShown
from supportagentbench.world.folder import World


class SingleFault(Oracle):
    """An oracle with one fault."""

    moves: ClassVar[frozenset[str]] = frozenset()
    entails: ClassVar[frozenset[str]] = frozenset()

    def __init__(self, world: World, seed: int) -> None:
        super().__init__(world, seed)
        self.views = world.kit.views
        self.record: RecordShown | None = None
        """The record of this conversation as it was last looked up."""
        self.notes: tuple[str, ...] = ()

    def _look(self, tool: str, arguments: dict[str, Any]) -> Any:
        result = self.desk.call(tool, arguments)
        if self.views.record and tool == self.views.record.tool and result.ok:
            self.record = self.views.record.read(result.facts)
        if self.views.notes and tool == self.views.notes.tool and result.ok:
            self.notes = self.views.notes.read(result.facts)
        return result.read(self.kit.shows[tool])

    @property
    def is_on_the_way(self) -> bool:
        """Whether goods have been sent but have not arrived."""
        view = self.views.record
        return view is not None and self.record is not None and self.record.status in view.on_the_way


class Adds(SingleFault):
    """Adds one extra sentence to its first answer to a customer who writes English."""

    adds: ClassVar[str] = ""

    def _finish(self, words: str) -> str:
        words = super()._finish(words)
        if self.language != "en" or self.seen is None or "?" in words or getattr(self, "added", False):
            return words
        self.added = True
        return f"{words} {self._added()}".strip()

    def _added(self) -> str:
        return self.adds
