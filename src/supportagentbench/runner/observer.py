"""Watch: whoever is told what happens while a job runs."""

from collections.abc import Callable, Collection, Sequence

from supportagentbench.models.http_client import Retry
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.storage.archive import Filed


class RunObserver:
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

    def retried(self, header: Run, case: str, hitch: Retry) -> None:
        """A provider lets a conversation wait."""

    def paused(self, agent: str, sentence: str) -> None:
        """An agent's runs are stopped."""
