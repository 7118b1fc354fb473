"""Observer: is called for everything that happens while a job runs. A job may have several."""

import sys
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Protocol

from supportagentbench.models.http_client import Retry
from supportagentbench.records.agent_error import AgentError
from supportagentbench.records.run import Run
from supportagentbench.records.secrets import without_secrets
from supportagentbench.records.transcript import Turn
from supportagentbench.storage.transcripts import Filed


class RunObserver(Protocol):
    """Is called at every step of a job and must not block. Subclasses override only what they need."""

    wants_turns: bool = False
    """Whether it wants every turn as it happens."""

    def job_planned(self, headers: Sequence[Run], spent: Callable[[], float]) -> None:
        """A job starts with these runs; `spent` returns what it has cost so far."""
        return

    def run_opened(self, header: Run, finished: Collection[str]) -> None:
        """A run starts or resumes with these cases already stored."""
        return

    def conversation_began(self, header: Run, case: str) -> None:
        """A conversation starts."""
        return

    def turn_said(self, header: Run, case: str, turn: Turn) -> None:
        """The customer or the agent wrote something."""
        return

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        """A conversation is finished and stored."""
        return

    def agent_broke(self, header: Run, error: AgentError) -> None:
        """The agent's own code broke a conversation."""
        return

    def request_retried(self, header: Run, case: str, retry: Retry) -> None:
        """A conversation is waiting for a provider."""
        return

    def agent_paused(self, agent: str, sentence: str) -> None:
        """An agent's runs are stopped."""
        return


def say_aloud(sentence: str) -> None:
    """Print it to stderr, away from the output of the program."""
    print(f"sab: {sentence}", file=sys.stderr)


class Observers(RunObserver):
    """Several observers as one: all are called; one that raises is dropped and reported."""

    def __init__(self, observers: Iterable[RunObserver] = (), say: Callable[[str], None] = say_aloud) -> None:
        self._observers = list(observers)
        self._say = say
        self.dropped: list[RunObserver] = []
        """Those that raised: they have not seen everything."""
        self.wants_turns = any(one.wants_turns for one in self._observers)

    def job_planned(self, headers: Sequence[Run], spent: Callable[[], float]) -> None:
        self._tell(lambda one: one.job_planned(headers, spent))

    def run_opened(self, header: Run, finished: Collection[str]) -> None:
        self._tell(lambda one: one.run_opened(header, finished))

    def conversation_began(self, header: Run, case: str) -> None:
        self._tell(lambda one: one.conversation_began(header, case))

    def turn_said(self, header: Run, case: str, turn: Turn) -> None:
        self._tell(lambda one: one.turn_said(header, case, turn) if one.wants_turns else None)

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        self._tell(lambda one: one.conversation_stored(header, filed))

    def agent_broke(self, header: Run, error: AgentError) -> None:
        self._tell(lambda one: one.agent_broke(header, error))

    def request_retried(self, header: Run, case: str, retry: Retry) -> None:
        self._tell(lambda one: one.request_retried(header, case, retry))

    def agent_paused(self, agent: str, sentence: str) -> None:
        self._tell(lambda one: one.agent_paused(agent, sentence))

    def _tell(self, tell: Callable[[RunObserver], None]) -> None:
        for one in tuple(self._observers):
            try:
                tell(one)
            except Exception as error:
                self._observers.remove(one)
                self.dropped.append(one)
                words = without_secrets(f"{type(error).__name__}: {error}")
                self._say(f"{type(one).__name__} failed and hears no more of this job ({words}).")
