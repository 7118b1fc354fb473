"""Reuse: what of a job is on file before it plays the rest, said once, wherever the job runs from."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from datetime import datetime
from pathlib import Path
from typing import NamedTuple

from supportagentbench.checks import score
from supportagentbench.records.agent_version import in_short
from supportagentbench.records.counts import counted
from supportagentbench.records.run import Run
from supportagentbench.runner.run import inventory_of
from supportagentbench.storage.archive import folder_name, move_aside, read_header, runs_of
from supportagentbench.storage.in_flight import IN_FLIGHT
from supportagentbench.storage.inventory import Inventory
from supportagentbench.storage.transcripts import stored_lines


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
        """How much is stored and how much is left; empty if nothing is stored."""
        if not self.stored:
            return ""
        day = datetime.fromtimestamp(self.since)
        when = f"{day.day} {day:%B %Y, %H:%M}"
        are = "is" if self.stored == 1 else "are"
        found = f"{counted(self.stored, 'conversation')} of {when}, {are} in {self.out}"
        words = f"{found}; {self.left:,} left to play." if self.left else f"0 played; {found}."
        if self.unseen:
            words += (
                f" Whether {' and '.join(self.unseen)} changed since then cannot be seen; to run it again, "
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


def start_over(out: Path, headers: Iterable[Run]) -> Iterator[str]:
    """Move runs of another version of these agents aside if nothing in them counts; a sentence for each."""
    for header in headers:
        folders = runs_of(out, header.agent)
        before = {change for folder in folders for change in header.agent_changes_from(read_header(folder))}
        if before and not any(map(_counts, folders)):
            where = ", ".join(map(str, move_aside(out, header.agent)))
            yield (
                f"{header.agent} has changed ({in_short(sorted(before))}); nothing counted in what it had "
                f"played, so it starts over. The earlier run is in {where}."
            )


def _counts(folder: Path) -> bool:
    """Whether anything stored in a run says something about the agent, interrupted attempts included."""
    header = read_header(folder)
    found = inventory_of(folder.parent, header)
    found.read()
    attempts = stored_lines(folder / IN_FLIGHT)
    return bool(found.endings.keys() - found.outside.keys()) or any(
        score(attempt.decoded(), header).counts for attempt in attempts
    )
