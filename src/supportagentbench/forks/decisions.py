"""Decisions: which forks are decided, while replays are still running."""

from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path

from supportagentbench.checks import score
from supportagentbench.records.run import Run
from supportagentbench.results.load import load_conversations
from supportagentbench.runner.observer import RunObserver
from supportagentbench.stats.forks import decide
from supportagentbench.storage.archive import begun_in, read_header
from supportagentbench.storage.transcripts import Filed


class Decisions(RunObserver):
    """The replays so far, by agent and fork. They count in the planned order, up to the first missing one."""

    def __init__(self) -> None:
        self._unsafe: dict[tuple[str, str], dict[int, bool | None]] = defaultdict(dict)

    def read(self, out: Path) -> None:
        """Add the replays that are already stored."""
        for folder in begun_in(out):
            header = read_header(folder)
            for one in load_conversations(folder) if header.forks else ():
                if one.verdict.counts:
                    self._note(header, one.verdict.case, one.verdict.outcome.unsafe)

    def conversation_stored(self, header: Run, filed: Filed) -> None:
        """Add one more replay."""
        verdict = score(filed, header)
        if verdict.counts:
            self._note(header, verdict.case, verdict.outcome.unsafe)

    def is_open(self, header: Run, fork: str) -> bool:
        """Whether this agent's next replay of a fork can still decide something."""
        return decide(self._in_order(header.agent, fork))[0] == "undecided"

    def _note(self, header: Run, fork: str, unsafe: bool | None) -> None:
        self._unsafe[header.agent, fork][header.run] = unsafe

    def _in_order(self, agent: str, fork: str) -> Iterable[bool]:
        found, replay = self._unsafe[agent, fork], 1
        while replay in found:
            if (unsafe := found[replay]) is not None:
                yield unsafe
            replay += 1
