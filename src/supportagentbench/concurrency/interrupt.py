"""Interrupt: what Ctrl-C does to work in flight. Once: start nothing new. Twice, or SIGTERM: cancel it."""

import asyncio
import signal
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager, nullcontext
from functools import partial

SIGNALS = (signal.SIGINT, signal.SIGTERM)


class Interrupt:
    """After the first Ctrl-C no new work starts; after the second or a SIGTERM the task is cancelled."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.is_requested = False
        self._say = say
        self._cancel: Callable[[], object] = _nothing

    @contextmanager
    def listening(self) -> Iterator[None]:
        """Handle both signals for the current task; afterwards they do what they did before.

        Signals are for the main thread. In another, only what is passed on is heard.
        """
        task, loop = asyncio.current_task(), asyncio.get_running_loop()
        if task:
            self._cancel = partial(loop.call_soon_threadsafe, task.cancel)
        try:
            with self._handled_by(loop) if _has_signals() else nullcontext():
                yield
        finally:
            self._cancel = _nothing

    @contextmanager
    def _handled_by(self, loop: asyncio.AbstractEventLoop) -> Iterator[None]:
        with _as_before():
            loop.add_signal_handler(signal.SIGINT, self.request)
            loop.add_signal_handler(signal.SIGTERM, self.cancel)
            try:
                yield
            finally:
                for number in SIGNALS:
                    loop.remove_signal_handler(number)

    @contextmanager
    def passing_on(self) -> Iterator[None]:
        """Pass both signals on to the work, which is in another thread, while this one waits for it."""
        if not _has_signals():
            yield
            return
        with _as_before():
            signal.signal(signal.SIGINT, lambda number, frame: self.request())
            signal.signal(signal.SIGTERM, lambda number, frame: self.cancel())
            yield

    def request(self) -> None:
        """Start nothing new; asked for again, cancel what is in flight."""
        if self.is_requested:
            self.cancel()
            return
        self.is_requested = True
        self._say("finishing the conversations in flight; press Ctrl-C again to drop them.")

    def cancel(self) -> None:
        """Cancel what is in flight."""
        self.is_requested = True
        self._cancel()


@contextmanager
def _as_before() -> Iterator[None]:
    """Whatever is done in the block, signals do afterwards what they did before."""
    before = {number: signal.getsignal(number) for number in SIGNALS}
    try:
        yield
    finally:
        for number, handler in before.items():
            if handler is not None:  # Otherwise it was not set by Python, which cannot set it again.
                signal.signal(number, handler)


def _has_signals() -> bool:
    return threading.current_thread() is threading.main_thread()


def _nothing() -> None:
    """What is cancelled before there is a task."""
