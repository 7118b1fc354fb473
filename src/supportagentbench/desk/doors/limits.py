"""Limits of an isolated agent: what it may use, together with everything it starts."""

from typing import NamedTuple

MEMORY = 2 * 2**30
"""Bytes that an isolated agent may use."""

PROCESSES = 64
"""Processes that an isolated agent may have at a time."""

MOST_REPORTS = 1_000
"""Usage reports in one turn, and calls outside turns in one conversation."""

TOO_MANY_PROCESSES, TOO_MUCH_MEMORY = 80, 81
"""Exit codes of an agent's process that was ended because of its limits."""


class TreeLimits(NamedTuple):
    """What an agent and everything it started may use at a time; 0: no limit."""

    memory: int = MEMORY
    """Bytes."""
    processes: int = PROCESSES
