"""Leases: what the driver has lent to its workers. What a lost worker had comes back, or counts as spent."""

import asyncio
from collections.abc import Callable

from supportagentbench.jobs.cluster.letters import AskLetter, PaceLetter
from supportagentbench.models.budget import Budget, BudgetSpent
from supportagentbench.models.rate_limiter import RateLimiter
from supportagentbench.records.problem import Problem

MOST_ASKED = 100_000
"""Permits that one worker may have or wait for."""

MOST_HOSTS = 100
"""Hosts of all models of a job."""


class Lender:
    """What all workers share: one budget, and one rate limiter per host."""

    def __init__(self, budget: Budget, at_once: int) -> None:
        self.budget = budget
        self._at_once = at_once
        self._limiters: dict[str, RateLimiter] = {}

    def limiter(self, host: str) -> RateLimiter:
        """The limiter of a host."""
        if host not in self._limiters:
            if len(self._limiters) == MOST_HOSTS:
                raise Problem(f"a worker of the cluster asks more than {MOST_HOSTS} hosts.")
            self._limiters[host] = RateLimiter(self._at_once)
        return self._limiters[host]


class Leases:
    """What one worker was lent, and what it waits for, by its numbers."""

    def __init__(self, lender: Lender, answer: Callable[[int, str], None]) -> None:
        self._lender = lender
        self._answer = answer
        self._waiting: dict[int, asyncio.Task[None]] = {}
        self._lent: dict[int, AskLetter] = {}

    def ask(self, asked: AskLetter) -> None:
        """Lend it as soon as possible."""
        if asked.number in self._waiting or asked.number in self._lent:
            raise Problem("a worker of the cluster asked twice for the same.")
        if len(self._waiting) + len(self._lent) >= MOST_ASKED:
            raise Problem(f"a worker of the cluster asked for more than {MOST_ASKED:,} permits.")
        if asked.host:
            self._lender.limiter(asked.host)
        self._waiting[asked.number] = asyncio.get_running_loop().create_task(self._lend(asked))

    async def _lend(self, asked: AskLetter) -> None:
        try:
            if asked.host:
                await self._lender.limiter(asked.host).enter()
            else:
                await self._lender.budget.hold(asked.dollars)
        except BudgetSpent as spent:
            self._answer(asked.number, str(spent))
        else:
            self._lent[asked.number] = asked
            self._answer(asked.number, "")
        finally:
            self._waiting.pop(asked.number, None)

    def give_back(self, number: int) -> None:
        """It is not needed any more, whether it was lent by now or not."""
        if waiting := self._waiting.pop(number, None):
            waiting.cancel()
        elif lent := self._lent.pop(number, None):
            self._end(lent)

    def pace(self, letter: PaceLetter) -> None:
        """How a host has answered."""
        limiter = self._lender.limiter(letter.host)
        if letter.wait is None:
            limiter.faster()
        else:
            limiter.slower(letter.wait)

    def close(self) -> None:
        """The worker is lost: its slots come back, and what it held may have been spent."""
        for waiting in self._waiting.values():
            waiting.cancel()
        for lent in self._lent.values():
            self._lender.budget.risk(lent.dollars)
            self._end(lent)
        self._lent.clear()

    def _end(self, lent: AskLetter) -> None:
        if lent.host:
            self._lender.limiter(lent.host).leave()
        else:
            self._lender.budget.free(lent.dollars)
