"""Open files: how many this process may have open, and how much work in flight that allows."""

import resource
from contextlib import suppress
from typing import NamedTuple

RESERVED = 32
"""Files open regardless of conversations in flight: libraries, standard streams, events, the live page."""


class FileNeed(NamedTuple):
    """The files and connections that some work has open."""

    groups: int
    """Groups of workers side by side: agents or judges."""
    each: int
    """Per piece of work in flight."""
    fixed: int = 4
    """Per group."""

    def files(self, concurrency: int) -> int:
        """How many are open with this number of pieces of work in flight in every group."""
        return RESERVED + self.groups * (self.fixed + self.each * concurrency)

    def affordable(self, concurrency: int, limit: int) -> int:
        """How many pieces of work per group this limit allows, at most `concurrency`; 0: none."""
        left = limit - self.files(0)
        return max(0, min(concurrency, left // (self.groups * self.each)))


def allow_open_files(wanted: int) -> int:
    """Raise this process's own limit as far as it is wanted and allowed; what it is then."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft == resource.RLIM_INFINITY or soft >= wanted:
        return max(soft, wanted)
    most = wanted if hard == resource.RLIM_INFINITY else min(wanted, hard)
    with suppress(ValueError, OSError):  # macOS says that there is no limit, and has one.
        resource.setrlimit(resource.RLIMIT_NOFILE, (most, hard))
        return most
    return soft
