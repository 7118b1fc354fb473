"""Pace: how many requests a provider takes at once, learnt from what it says."""

import asyncio
from collections import deque
from types import TracebackType


class RateLimiter:
    """A gate that narrows when a provider asks for less, and widens slowly while it answers.

    Half as many at once after a complaint, one more for every full round of answers: the same rule by
    which networks share a line. Used as `async with pace:` around one attempt.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self.active = 0
        self._quiet_until = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        while True:
            clock = asyncio.get_running_loop().time()
            if clock < self._quiet_until:
                await asyncio.sleep(self._quiet_until - clock)
            elif self.active < self.limit:
                self.active += 1
                return
            else:
                await self._in_line()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.active -= 1
        self._next()

    def faster(self) -> None:
        """An answer came: room for a little more."""
        if self.limit < self.most:
            self.limit = min(self.most, self.limit + 1 / self.limit)
            self._next()

    def slower(self, wait: float) -> None:
        """The provider wants fewer requests, and none for so many seconds."""
        clock = asyncio.get_running_loop().time()
        # Whatever was in flight will complain too: until the quiet is over, that is no news.
        if clock >= self._quiet_until:
            self.limit = max(1.0, self.limit / 2)
        self._quiet_until = max(self._quiet_until, clock + wait)

    async def _in_line(self) -> None:
        turn = asyncio.get_running_loop().create_future()
        self._waiting.append(turn)
        try:
            await turn
        except asyncio.CancelledError:
            if turn.done() and not turn.cancelled():
                self._next()
            raise
        finally:
            if turn in self._waiting:
                self._waiting.remove(turn)

    def _next(self) -> None:
        free = int(self.limit) - self.active
        while self._waiting and free > 0:
            turn = self._waiting.popleft()
            if not turn.done():
                turn.set_result(None)
                free -= 1
