"""Rate limiter: how many concurrent requests a provider accepts, learned from its responses."""

import asyncio
from collections import deque
from math import ceil
from types import TracebackType
from typing import NamedTuple, Protocol

ROUND = 20
"""Responses at least that show whether a lower limit helped; fewer say little about it."""

REFUSALS = 3
"""Refused requests after which the limit is lowered."""

LOWEST, HIGHEST = 0.5, 0.8
"""Shares of the limit that remain when it is lowered."""

ANSWERS = 5
"""Answers in a round from which the share of refused requests can be compared with another."""


class Limiter(Protocol):
    """Limits concurrent requests to one host: `async with limiter:` around one attempt."""

    async def __aenter__(self) -> None: ...

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None: ...

    def faster(self) -> None:
        """An answer arrived."""
        ...

    def slower(self, wait: float) -> None:
        """The provider asks for fewer requests, and for none at all for `wait` seconds."""
        ...


class LoadTrial(NamedTuple):
    """What came of a number of concurrent requests."""

    limit: float
    refused: float
    """The share of requests that were refused."""

    def depends_on_load(self, now: "LoadTrial") -> bool:
        """Whether the share changed with the limit, as it does if a provider accepts a number at once.

        If requests are refused whatever the load is, the share stays as it was.
        """
        accepted = self.limit * (1 - self.refused)
        by_load = max(0.0, 1 - accepted / now.limit)
        return abs(now.refused - by_load) <= abs(now.refused - self.refused)


class RateLimiter:
    """Limits concurrent requests: fewer when a provider refuses some, slowly more while it answers.

    The limit grows by one per full round of answers (additive increase, as in TCP). Refusals lower it once
    per round, by about the share that was refused (as in DCTCP). If the next round shows that this did not
    help, because requests are refused whatever the load is, it rises again.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.limit = float(most)
        self.active = 0
        self._paused_until = 0.0
        self._waiting: deque[asyncio.Future[None]] = deque()
        self._answered = self._refused = 0
        """Responses of this round."""
        self._stale = 0
        """Requests in flight that were sent with an earlier limit: their responses say nothing new."""
        self._before: LoadTrial | None = None
        """The last round, if requests were refused in it."""

    async def __aenter__(self) -> None:
        await self.enter()

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.leave()

    async def enter(self) -> None:
        """Wait until one more request may be sent."""
        while True:
            clock = asyncio.get_running_loop().time()
            if clock < self._paused_until:
                await asyncio.sleep(self._paused_until - clock)
            elif self.active < int(self.limit):
                self.active += 1
                return
            else:
                await self._wait_for_turn()

    def leave(self) -> None:
        """A request is over."""
        self.active -= 1
        self._next()

    def faster(self) -> None:
        """An answer arrived: raise the limit a little, unless requests are refused."""
        if self._is_stale():
            return
        self._answered += 1
        if not self._refused and not self._before and self.limit < self.most:
            self.limit = min(self.most, self.limit + 1 / self.limit)
        self._end_round()

    def slower(self, wait: float) -> None:
        """The provider asks for fewer requests, and for none at all for `wait` seconds."""
        self._paused_until = max(self._paused_until, asyncio.get_running_loop().time() + wait)
        if not self._is_stale():
            self._refused += 1
            self._end_round()

    def _is_stale(self) -> bool:
        self._stale -= 1
        return self._stale >= 0

    def _end_round(self) -> None:
        """Set the limit, once enough responses are there to do so."""
        responses = self._answered + self._refused
        if responses < max(ROUND, 2 * self.limit) and (self._before or self._refused < REFUSALS):
            return
        if self._refused:
            now = LoadTrial(self.limit, self._refused / responses)
            self.limit, self._before, self._stale = self._after(now), now, self.active
        else:
            self._before = None
        self._answered = self._refused = 0
        self._next()

    def _after(self, now: LoadTrial) -> float:
        """The limit after a round with refusals."""
        before = self._before
        is_trial = before is not None and before.limit != now.limit
        if before and is_trial and self._answered >= ANSWERS and not before.depends_on_load(now):
            return min(self.most, 2 * now.limit)
        if now.limit < 2:
            return 1.0 if is_trial else min(self.most, 2.0)  # Staying at one would show nothing.
        remains = min(HIGHEST, max(LOWEST, 1 - now.refused))
        return min(ceil(remains * now.limit), int(now.limit) - 1)

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
