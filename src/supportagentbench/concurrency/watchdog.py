"""Watchdog: says so when code in this process does not let anything else run, and ends it at a deadline."""

import asyncio
import signal
import sys
import threading
import time
from types import CodeType, FrameType, TracebackType
from typing import Any, NamedTuple

PATIENCE = 10.0
"""Seconds without a sign of life."""


SIGNAL = signal.SIGUSR2
"""What interrupts blocking code; libraries that set time limits use SIGALRM."""


class Overdue(BaseException):
    """Raised in code that blocks the process for longer than it may."""


class Deadline(NamedTuple):
    """How long code may block, and which code."""

    seconds: float
    within: CodeType
    """The function that gets `Overdue`; nothing is raised where it is not on the stack."""


class Watchdog:
    """A thread that the event loop has to greet; where the loop is stuck is printed once each time.

    With a deadline, and in the main thread, whatever blocks is interrupted by a signal, also a `time.sleep`
    or an endless loop; only a library that never returns to Python is not.
    """

    def __init__(self, patience: float = PATIENCE, deadline: Deadline | None = None) -> None:
        self._patience = patience
        self._deadline = deadline
        self._tick = min(patience, deadline.seconds if deadline else patience) / 4
        self._before: Any = None
        self._greeted = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Watchdog":
        self._loop, self._watched = asyncio.get_running_loop(), threading.get_ident()
        if threading.current_thread() is not threading.main_thread():
            self._deadline = None  # Signals are for the main thread.
        if self._deadline:
            self._before = signal.signal(SIGNAL, self._interrupt)
        self._greet()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._next.cancel()
        self._thread.join()
        if self._deadline:
            signal.signal(SIGNAL, self._before or signal.SIG_DFL)

    def _greet(self) -> None:
        self._greeted = time.monotonic()
        self._next = self._loop.call_later(self._tick, self._greet)

    def _watch(self) -> None:
        reported = 0.0
        while not self._over.wait(self._tick):
            greeted = self._greeted
            if self._deadline and time.monotonic() - greeted > self._deadline.seconds + self._tick:
                signal.pthread_kill(self._watched, SIGNAL)
            if greeted != reported and time.monotonic() - greeted > self._patience:
                reported = greeted
                print(self._sentence(), file=sys.stderr, flush=True)

    def _interrupt(self, number: int, frame: FrameType | None) -> None:
        """Raise in the code that blocks, unless it is none of the agent's or has just let go."""
        while frame and self._deadline:
            if frame.f_code is self._deadline.within:
                raise Overdue
            frame = frame.f_back

    def _sentence(self) -> str:
        frame = sys._current_frames().get(self._watched)
        place = f" in {_place(frame)}" if frame else ""
        return (
            f"sab: no progress for {self._patience:g} s: an agent blocks this process{place}. "
            "The others wait until its turn is over (--turn-timeout). Run it with --isolate "
            "so that it does not block the others."
        )


def _place(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
