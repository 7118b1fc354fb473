"""Blocked call: a call that a guard in front of an agent's tools would have refused, or made in its place."""

from typing import Literal

from supportagentbench.records.record import Record

ToolGuard = Literal["policy", "yes", "once", "own record", "look first", "answer first", "no rule", "route"]
"""What a shop can put in front of a tool; `checks/guards.py` replays them."""


class BlockedCall(Record):
    """What one guard would have done in one conversation."""

    guard: ToolGuard
    tool: str
    rules: tuple[str, ...] = ()
    """Rules of the policy that the guard enforces, if any."""
