"""Rate limiter: how many concurrent requests a provider accepts, learned from its responses."""

import asyncio
from collections import deque
from types import TracebackType


class RateLimiter:
    """Limits concurrent requests: fewer when a provider asks for fewer, slowly more while it answers.

    The limit halves after a 429 and grows by one per full round of answers (additive increase, multiplicative
    decrease, as in TCP). Used as `async with limiter:` around one attempt.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self.active = 0
        self._paused_until = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()

    async def __aenter__(self) -> None:
        while True:
            clock = asyncio.get_running_loop().time()
            if clock < self._paused_until:
                await asyncio.sleep(self._paused_until - clock)
            elif self.active < self.limit:
                self.active += 1
                return
            else:
                await self._wait_for_turn()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.active -= 1
        self._next()

    def faster(self) -> None:
        """An answer arrived: raise the limit a little."""
        if self.limit < self.most:
            self.limit = min(self.most, self.limit + 1 / self.limit)
            self._next()

    def slower(self, wait: float) -> None:
        """The provider asks for fewer requests, and for none at all for `wait` seconds."""
        clock = asyncio.get_running_loop().time()
        # Requests that were in flight will be refused too; until the wait is over, that says nothing new.
        if clock >= self._paused_until:
            self.limit = max(1.0, self.limit / 2)
        self._paused_until = max(self._paused_until, clock + wait)

    async def _wait_for_turn(self) -> None:
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
