"""Steady clock: the time of day when the process began plus what passed since, whoever sets the clock.

Durations and rates are read from it. When a conversation took place is the time of day itself.
"""

import time

_BEGAN = time.time() - time.monotonic()


def steady_time() -> float:
    """Seconds since 1970; it never goes back, nor jumps while the process runs."""
    return _BEGAN + time.monotonic()
