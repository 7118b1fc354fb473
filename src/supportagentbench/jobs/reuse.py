"""Reuse: what of a job is on file before it plays the rest, said once, wherever the job runs from."""

from collections.abc import Callable, Iterable, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from supportagentbench.records.counts import counted
from supportagentbench.records.run import Run
from supportagentbench.storage.archive import folder_name
from supportagentbench.storage.inventory import Inventory


class Reuse(NamedTuple):
    """The planned conversations that are stored, and those that are not."""

    stored: int
    left: int
    since: float
    """When the last of them began."""
    out: Path
    unseen: tuple[str, ...] = ()
    """The agents with stored conversations whose changes cannot be seen."""

    @property
    def sentence(self) -> str:
        """What is played and what is not; empty if everything is."""
        if not self.stored:
            return ""
        day = datetime.fromtimestamp(self.since)
        when = f"{day.day} {day:%B %Y, %H:%M}"
        are = "is" if self.stored == 1 else "are"
        found = f"{counted(self.stored, 'conversation')} of {when}, {are} in {self.out}"
        words = f"{found}; {self.left:,} left to play." if self.left else f"0 played; {found}."
        if self.unseen:
            words += (
                f" Whether {' and '.join(self.unseen)} changed since then cannot be seen; to run it anew, "
                "add --fresh (fresh=True in Python)."
            )
        return words


def reuse_of(
    headers: Iterable[Run], stored: Mapping[str, Inventory], out: Path, is_needed: Callable[[Run, str], bool]
) -> Reuse:
    """What of these runs is stored and says something about the agent."""
    found = left = 0
    since, unseen = 0.0, dict[str, None]()
    for header in headers:
        one = stored[folder_name(header)]
        there = [case for case in header.cases if case in one.endings and case not in one.outside]
        found += len(there)
        left += sum(case not in there and is_needed(header, case) for case in header.cases)
        if there:
            since = max(since, one.latest)
            unseen |= {header.agent: None} if header.version.unseen else {}
    return Reuse(found, left, since, out, tuple(unseen))
