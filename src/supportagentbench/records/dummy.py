"""Dummies: agents that ship with the package and follow one fixed habit, to show what a figure is worth."""

from supportagentbench.records.run import Run

DUMMIES = frozenset(
    ("silent", "hands-over", "refuses", "complies", "echoes", "dumps", "random-tool", "keywords")
)
"""By the names under which they run."""


def is_dummy(header: Run) -> bool:
    """Whether a run is a dummy's: neither a model nor a user's own code, regardless of its name."""
    version = header.version
    return not (version.prompt or version.source) and header.ran in DUMMIES
