"""CPU limit: a block of code that may use so many seconds of the processor, and no more.

It reaches code that never comes back by itself, such as a match of a regular expression.
"""

import signal
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType


class OutOfTime(Exception):
    """Raised in the block, wherever it is."""


@contextmanager
def cpu_limit(seconds: float) -> Iterator[None]:
    """Allow the block this much processor time; without a limit outside the main thread."""
    if threading.current_thread() is not threading.main_thread():
        yield
        return
    before = signal.signal(signal.SIGVTALRM, _stop)
    signal.setitimer(signal.ITIMER_VIRTUAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def _stop(number: int, frame: FrameType | None) -> None:
    raise OutOfTime
