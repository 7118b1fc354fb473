"""Interrupt: what Ctrl-C does to work in flight. Once: start nothing new. Twice, or SIGTERM: cancel it."""

import asyncio
import signal
from collections.abc import Callable


class Interrupt:
    """After the first Ctrl-C no new work starts; after the second or a SIGTERM the task is cancelled."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.is_requested = False
        self._say = say

    def listen(self) -> None:
        """Handle both signals for as long as the current task runs."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()

        def cancel() -> None:
            self.is_requested = True
            if task:
                task.cancel()

        def request() -> None:
            if self.is_requested:
                cancel()
                return
            self.is_requested = True
            self._say("finishing the conversations in flight; press Ctrl-C again to drop them.")

        loop.add_signal_handler(signal.SIGINT, request)
        loop.add_signal_handler(signal.SIGTERM, cancel)
