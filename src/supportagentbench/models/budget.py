"""Budget: what one command may spend. What a request may cost is set aside before it is sent, try by try.

A request goes out only if the rest of the budget covers what it may cost at most. What it did cost is settled
when the answer is there; a try that brought back no count stays charged at that most, since unknown is
never zero.
"""

import asyncio
from collections import deque
from collections.abc import Iterable
from types import TracebackType
from typing import NamedTuple

import msgspec

from supportagentbench.models.prices import dollars
from supportagentbench.records.usage import Usage

LETTERS_PER_TOKEN = 2
"""Bytes of a request that are taken for a token: English has about four, so this is rarely too few tokens."""

LARGEST_ANSWER = 16_000
"""Tokens of the largest answer, where no request states a limit (`max_tokens`)."""

ROUNDING = 1e-9
"""Dollars."""


class BudgetSpent(Exception):
    """The rest of the budget does not cover a request, or the cost of requests is unknown."""


class _Waiting(NamedTuple):
    """A request that waits for others to be settled."""

    amount: float
    turn: "asyncio.Future[bool]"


class Budget:
    """What may be spent, what has been, and what is set aside for requests in flight."""

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit
        """Dollars; None: no limit."""
        self.spent = 0.0
        self.at_risk = 0.0
        """Dollars that tries without a known cost may have cost at most."""
        self.unpriced = 0
        """Calls whose price is unknown."""
        self.has_refused = False
        """Whether a request was not sent because the rest did not cover it."""
        self._held = 0.0
        self._holders = 0
        self._waiting: deque[_Waiting] = deque()

    @property
    def is_spent(self) -> bool:
        return self.limit is not None and (self.has_refused or self.spent + self.at_risk >= self.limit)

    def pay(self, usage: Usage) -> None:
        if usage.cost is None:
            self.unpriced += 1
        else:
            self.spent += usage.cost

    def risk(self, amount: float) -> None:
        """Charge what a try without a known cost may have cost at most."""
        self.at_risk += amount

    def remember(self, earlier: Iterable[Usage]) -> None:
        """Charge what the same command used before: what it cost, and what it may have cost besides."""
        for usage in earlier:
            self.spent += max(0.0, usage.cost or 0.0)
            self.at_risk += max(0.0, usage.lost_cost or 0.0)

    async def hold(self, amount: float) -> None:
        """Set so much aside; waits while requests in flight may leave enough, then raises BudgetSpent."""
        if not self._covers(amount):
            waiting = _Waiting(amount, asyncio.get_running_loop().create_future())
            self._waiting.append(waiting)
            self._next()
            if await self._granted(waiting):
                return
            raise BudgetSpent(self._refusal(amount))
        self._take(amount)

    def free(self, amount: float) -> None:
        """Give back what was set aside, once it is settled."""
        self._holders -= 1
        self._held = self._held - amount if self._holders else 0.0
        self._next()

    def overshoot(self, before: float) -> float:
        """Dollars spent above the limit, after `before` had been spent."""
        return 0.0 if self.limit is None else max(0.0, self.spent - max(self.limit, before))

    def _covers(self, amount: float) -> bool:
        return (
            self.limit is None
            or self.spent + self.at_risk + self._held + amount <= self.limit + ROUNDING
            or not amount
        )

    def _take(self, amount: float) -> None:
        self._held += amount
        self._holders += 1

    async def _granted(self, waiting: _Waiting) -> bool:
        try:
            return await waiting.turn
        except asyncio.CancelledError:
            if waiting in self._waiting:
                self._waiting.remove(waiting)
            elif waiting.turn.done() and not waiting.turn.cancelled() and waiting.turn.result():
                self.free(waiting.amount)
            raise

    def _next(self) -> None:
        """Admit those who wait as far as the rest goes; refuse them once nothing more can come back."""
        while self._waiting:
            covered = self._covers(self._waiting[0].amount)
            if not covered and self._holders:
                return
            waiting = self._waiting.popleft()
            if waiting.turn.done():
                continue
            if covered:
                self._take(waiting.amount)
            self.has_refused |= not covered
            waiting.turn.set_result(covered)

    def _refusal(self, amount: float) -> str:
        limit = self.limit or 0.0
        rest = max(0.0, limit - self.spent - self.at_risk)
        return (
            f"the rest of the budget (${rest:,.4f} of ${limit:,.2f}) does not cover the next request, which "
            f"may cost ${amount:,.4f}; raise --budget, or lower that with max_tokens"
        )


class Tariff(NamedTuple):
    """What decides the cost of one model's requests."""

    model: str
    """The model that is asked for."""
    prices: str
    """The provider's name in the price table; empty: it is not there."""
    is_paid: bool = True
    """Whether the provider charges for requests."""
    allowed: int | None = None
    """Tokens of output that every request is limited to; None: to none."""

    def most(self, letters: int) -> float | None:
        """Dollars that a request of this number of bytes may cost at most; None if there is no price."""
        if not self.is_paid:
            return 0.0
        sent, written = letters // LETTERS_PER_TOKEN + 1, self.allowed or LARGEST_ANSWER
        kinds = (
            Usage(self.model, input=sent, output=written),
            Usage(self.model, cache_write=sent, output=written),
        )
        found = [dollars(kind, self.prices, self.model) for kind in kinds]
        return max((cost for cost in found if cost is not None), default=None)

    def priced(self, usage: Usage) -> Usage:
        """The usage with its cost: the provider's or the table's, whichever is higher.

        It is None for unknown counts, which leave nothing to hold a provider's cost against, for more output
        than allowed, and for a provider's zero where there is no price.
        """
        written = usage.output - usage.reasoning
        if self.allowed and written > self.allowed:
            usage = Usage(usage.model, unread=f"{written} tokens of output, where {self.allowed} are allowed")
        named = usage.cost
        table = None if usage.unread else dollars(usage, self.prices, self.model)
        if table is None:
            is_known = named and not usage.unread
            return usage if is_known else msgspec.structs.replace(usage, cost=None, cost_by="")
        if named is not None and named > table:
            return usage
        lower = None if named == table else named
        return msgspec.structs.replace(usage, cost=table, cost_by="table", named_cost=lower)


class Account:
    """One model's requests, charged to a budget; stopped as soon as their cost is unknown."""

    def __init__(self, budget: Budget, tariff: Tariff, holder: str) -> None:
        self.budget = budget
        self.tariff = tariff
        self.holder = holder
        """Model and provider, as they are named when the account is stopped."""
        self.stopped = ""
        """Why nothing more is sent."""

    def reserve(self, letters: int) -> "Reservation":
        """`async with account.reserve(len(body))`: one try at a request."""
        return Reservation(self, letters)

    def settle(self, usage: Usage, letters: int) -> Usage:
        """Charge a request that was answered; returns its usage with the cost."""
        usage = self.tariff.priced(usage)
        self.budget.pay(usage)
        if not self.tariff.is_paid:
            return usage
        if usage.is_understated:
            self._stop(
                f"says that a request cost ${usage.named_cost or 0.0:,.6f}, which cannot be right: by the "
                f"price table it cost ${usage.cost:,.6f}"
            )
        if usage.cost is not None:
            return usage
        self._stop(f"does not say what a request cost (usage: {usage.unread or 'no price'})")
        return msgspec.structs.replace(usage, lost_cost=self.lose(letters))

    def _stop(self, why: str) -> None:
        """Send nothing more under a budget that this provider's word cannot keep."""
        if self.budget.limit is not None:
            self.stopped = (
                f"{self.holder} {why}, so --budget cannot be kept; leave it out, or use another provider"
            )

    def lose(self, letters: int) -> float | None:
        """Charge an attempt of unknown cost with its maximum; returns that."""
        most = self.tariff.most(letters)
        self.budget.risk(most or 0.0)
        return most


class Reservation:
    """What one try may cost, set aside until it is over. A try that is neither settled nor void is lost."""

    def __init__(self, account: Account, letters: int) -> None:
        self._account = account
        self._letters = letters
        self._amount = 0.0
        self._is_open = True

    async def __aenter__(self) -> "Reservation":
        budget = self._account.budget
        if budget.limit is not None:
            self._refuse_if_stopped()
            self._amount = self._account.tariff.most(self._letters) or 0.0
            await budget.hold(self._amount)
            try:
                self._refuse_if_stopped()  # It may have been, while this waited.
            except BudgetSpent:
                budget.free(self._amount)
                raise
        return self

    def _refuse_if_stopped(self) -> None:
        if self._account.stopped:
            raise BudgetSpent(self._account.stopped)

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        if self._is_open:
            self._account.lose(self._letters)
        if self._account.budget.limit is not None:
            self._account.budget.free(self._amount)

    def settle(self, usage: Usage) -> Usage:
        """The try was answered; returns the usage with its cost."""
        self._is_open = False
        return self._account.settle(usage, self._letters)

    def void(self) -> None:
        """The try was refused or never sent: it costs nothing."""
        self._is_open = False
