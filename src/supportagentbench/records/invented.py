"""Invented: agents that ship with the package, whose figures and prices say nothing about a real agent."""

from supportagentbench.records.dummy import DUMMIES
from supportagentbench.records.run import Run

CAST = frozenset(("hasty", "trusting", "anxious", "chatty", "by-the-book", "stale"))
"""The agents with known faults, by the names under which they run."""

INVENTED = CAST | DUMMIES | {"oracle"}

CAPACITY = "capacity:"
"""How the names of agents with a limited capacity begin."""


def is_invented(header: Run) -> bool:
    """Whether a run is of an agent that ships with the package, regardless of its name."""
    version = header.version
    shipped = header.ran in INVENTED or header.ran.startswith(CAPACITY)
    return shipped and not (version.prompt or version.source)
