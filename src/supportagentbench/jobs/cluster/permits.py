"""Permits: what a worker asks of the driver before it sends a request: a slot at the host, and dollars."""

import asyncio
from collections import defaultdict
from collections.abc import Callable
from itertools import count
from types import TracebackType

from supportagentbench.jobs.cluster.letters import (
    AskLetter,
    CostLetter,
    Letter,
    PaceLetter,
    ReturnLetter,
    RiskLetter,
)
from supportagentbench.models.budget import Budget, BudgetSpent
from supportagentbench.records.usage import Usage


class Permits:
    """Everything that this worker has asked for, by number."""

    def __init__(self, tell: Callable[[Letter], None]) -> None:
        self.tell = tell
        self._numbers = count(1)
        self._waiting: dict[int, asyncio.Future[str]] = {}

    async def ask(self, host: str = "", dollars: float = 0.0) -> int:
        """Wait for a slot or for dollars; BudgetSpent if there are none left."""
        number = next(self._numbers)
        answer = self._waiting[number] = asyncio.get_running_loop().create_future()
        self.tell(AskLetter(number, host, dollars))
        try:
            refusal = await answer
        except asyncio.CancelledError:
            self.give_back(number)
            raise
        finally:
            del self._waiting[number]
        if refusal:
            raise BudgetSpent(refusal)
        return number

    def answer(self, number: int, refusal: str) -> None:
        """The driver has decided."""
        if (waiting := self._waiting.get(number)) and not waiting.done():
            waiting.set_result(refusal)

    def give_back(self, number: int) -> None:
        """It is not needed any more."""
        self.tell(ReturnLetter(number))


class LentBudget(Budget):
    """The driver's budget, as a worker uses it."""

    def __init__(self, limit: float | None, permits: Permits) -> None:
        super().__init__(limit)
        self._permits = permits
        self._lent: defaultdict[float, list[int]] = defaultdict(list)

    def pay(self, usage: Usage) -> None:
        self._permits.tell(CostLetter(usage.cost))

    def risk(self, amount: float) -> None:
        self._permits.tell(RiskLetter(amount))

    async def hold(self, amount: float) -> None:
        number = await self._permits.ask(dollars=amount)
        self._lent[amount].append(number)

    def free(self, amount: float) -> None:
        self._permits.give_back(self._lent[amount].pop())
        if not self._lent[amount]:
            del self._lent[amount]


class LentSlots:
    """The driver's rate limiter of one host, as a worker uses it: each request asks for a slot."""

    def __init__(self, host: str, permits: Permits) -> None:
        self._host = host
        self._permits = permits
        self._lent: list[int] = []

    async def __aenter__(self) -> None:
        self._lent.append(await self._permits.ask(self._host))

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._permits.give_back(self._lent.pop())  # Any slot is as good as another.

    def faster(self) -> None:
        """An answer arrived."""
        self._permits.tell(PaceLetter(self._host))

    def slower(self, wait: float) -> None:
        """The provider asks for fewer requests, and for none at all for `wait` seconds."""
        self._permits.tell(PaceLetter(self._host, wait))
