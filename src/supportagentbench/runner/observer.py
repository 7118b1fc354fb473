"""Observer: gets a call for everything that happens while a job runs."""

from collections.abc import Callable, Collection, Sequence
from typing import Protocol

from supportagentbench.models.http_client import Retry
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.run import Run
from supportagentbench.records.transcript import Turn
from supportagentbench.storage.transcripts import Filed


class RunObserver(Protocol):
    """Gets a call for every step of a job. It must not block or fail, or the job does too."""

    hears: bool
    """Whether it wants every turn as it is said."""

    def planned(self, headers: Sequence[Run], spent: Callable[[], float]) -> None:
        """A job starts with these runs; `spent` returns what it has cost so far."""

    def opened(self, header: Run, finished: Collection[str]) -> None:
        """A run starts or resumes with these cases already stored."""

    def began(self, header: Run, case: str) -> None:
        """A conversation starts."""

    def heard(self, header: Run, case: str, turn: Turn) -> None:
        """Customer or agent said something."""

    def filed(self, header: Run, filed: Filed) -> None:
        """A conversation is finished and stored."""

    def broke(self, header: Run, error: AgentError) -> None:
        """The agent's own code broke a conversation."""

    def retried(self, header: Run, case: str, retry: Retry) -> None:
        """A provider makes a conversation wait."""

    def paused(self, agent: str, sentence: str) -> None:
        """An agent's runs are stopped."""


class SilentObserver:
    """Ignores everything."""

    hears = False

    def planned(self, *_: object) -> None:
        """Ignore it."""

    opened = began = heard = filed = broke = retried = paused = planned
