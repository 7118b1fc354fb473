"""Watch: whoever is told what happens while a job runs."""

from collections.abc import Callable, Collection, Sequence
from typing import NamedTuple

from supportagentbench.archive import Filed
from supportagentbench.transcript import Run, Turn


class Hitch(NamedTuple):
    """A provider did not answer as it should; it is asked again after so many seconds."""

    words: str
    attempt: int
    tries: int
    wait: float


class Watch:
    """Told of everything, and does nothing about it. It must neither wait nor fail: the job would, too."""

    hears = False
    """Whether it wants every turn as it is said."""

    def planned(self, headers: Sequence[Run], spent: Callable[[], float]) -> None:
        """A job begins with these runs; `spent` tells at any time what it has cost so far."""

    def opened(self, header: Run, finished: Collection[str]) -> None:
        """A run begins, or goes on, with these cases on file."""

    def began(self, header: Run, case: str) -> None:
        """A conversation begins."""

    def heard(self, header: Run, case: str, turn: Turn) -> None:
        """Somebody said something."""

    def filed(self, header: Run, filed: Filed) -> None:
        """A conversation is on file."""

    def retried(self, header: Run, case: str, hitch: Hitch) -> None:
        """A provider lets a conversation wait."""

    def paused(self, agent: str, sentence: str) -> None:
        """An agent's runs are stopped."""
