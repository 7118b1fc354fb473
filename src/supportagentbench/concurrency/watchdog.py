"""Watchdog: says so when code in this process does not let anything else run."""

import asyncio
import sys
import threading
import time
from types import FrameType, TracebackType

PATIENCE = 10.0
"""Seconds without a sign of life."""


class Watchdog:
    """A thread that the event loop has to greet; where the loop is stuck is printed once each time."""

    def __init__(self, patience: float = PATIENCE) -> None:
        self._patience = patience
        self._greeted = time.monotonic()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._watch, daemon=True)

    def __enter__(self) -> "Watchdog":
        self._loop, self._watched = asyncio.get_running_loop(), threading.get_ident()
        self._greet()
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._next.cancel()
        self._thread.join()

    def _greet(self) -> None:
        self._greeted = time.monotonic()
        self._next = self._loop.call_later(self._patience / 4, self._greet)

    def _watch(self) -> None:
        reported = 0.0
        while not self._over.wait(self._patience / 4):
            greeted = self._greeted
            if greeted != reported and time.monotonic() - greeted > self._patience:
                reported = greeted
                print(self._sentence(), file=sys.stderr, flush=True)

    def _sentence(self) -> str:
        frame = sys._current_frames().get(self._watched)
        place = f" in {_place(frame)}" if frame else ""
        return (
            f"sab: nothing has moved for {self._patience:g} s: an agent blocks this process{place}. "
            "Finished conversations are stored. Stop it (kill) and run it again with --isolate, "
            "which ends such an agent's turn and leaves the others alone."
        )


def _place(frame: FrameType) -> str:
    return f"{frame.f_code.co_filename}:{frame.f_lineno}"
