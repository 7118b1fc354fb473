"""Brake: what Ctrl-C does to work in flight. Once: begin nothing new. Twice: drop it."""

import asyncio
import signal
from collections.abc import Callable


class Interrupt:
    """Pulled once, no new work begins; pulled twice, the task that watches it is cancelled."""

    def __init__(self, say: Callable[[str], None]) -> None:
        self.is_pulled = False
        self._say = say

    def watch(self) -> None:
        """Pull it on Ctrl-C, as long as this task runs."""
        task, loop = asyncio.current_task(), asyncio.get_running_loop()

        def pull() -> None:
            if self.is_pulled and task:
                task.cancel()
                return
            self.is_pulled = True
            self._say("finishing what is in flight; Ctrl-C again drops it.")

        loop.add_signal_handler(signal.SIGINT, pull)
