"""Guards: in which conversations of an agent a guard in front of its tools would have acted."""

from collections.abc import Iterator
from typing import NamedTuple

from supportagentbench.checks.guards import stopping
from supportagentbench.records.blocked_call import ToolGuard
from supportagentbench.records.verdict import Verdict


class GuardHit(NamedTuple):
    """A conversation in which a guard would have blocked a call."""

    case: str
    run: int
    guard: ToolGuard
    tool: str
    rules: tuple[str, ...]
    """Rules of the policy that the guard enforces, if any."""
    is_stopped: bool
    """Whether the conversation has an issue that the guard is meant for; if not, it is hindered."""


def guard_hits(verdict: Verdict) -> Iterator[GuardHit]:
    """Every guard that would have blocked a call in this conversation."""
    if verdict.counts and not verdict.twin_of:
        stopped = stopping(verdict)
        for one in verdict.blocked:
            yield GuardHit(verdict.case, verdict.run, one.guard, one.tool, one.rules, one in stopped)
