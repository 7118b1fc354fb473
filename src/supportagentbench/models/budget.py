"""Purse: the money of one command. It counts what every role spends, and closes when it is empty."""

import msgspec

from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.models.prices import dollars
from supportagentbench.records.usage import Usage


class Budget:
    """What may be spent, and what was."""

    def __init__(self, budget: float | None = None) -> None:
        self.budget = budget
        self.spent = 0.0
        self.unpriced = 0
        """Calls that nobody could name a price for."""

    @property
    def is_empty(self) -> bool:
        return self.budget is not None and self.spent >= self.budget

    def pay(self, usage: Usage) -> None:
        if usage.cost is None:
            self.unpriced += 1
        else:
            self.spent += usage.cost


class Metered:
    """A model whose calls are priced and paid for; with an empty purse it does not answer."""

    def __init__(self, model: Model, purse: Budget, provider: str, asked_for: str) -> None:
        self.model = model
        self.name = model.name
        self.purse = purse
        self.provider = provider
        """As the price table calls it."""
        self.asked_for = asked_for

    async def complete(self, request: ModelRequest) -> Completion:
        if self.purse.is_empty:
            raise ModelError(
                "budget",
                f"the budget of ${self.purse.budget:.2f} is spent",
                Usage(self.asked_for, attempts=0),
            )
        completion = await self.model.complete(request)
        usage = self._priced(completion.usage)
        self.purse.pay(usage)
        return msgspec.structs.replace(completion, usage=usage)

    def _priced(self, usage: Usage) -> Usage:
        if usage.cost is not None:
            return usage
        cost = dollars(usage, self.provider, self.asked_for)
        return usage if cost is None else msgspec.structs.replace(usage, cost=cost, cost_by="table")
