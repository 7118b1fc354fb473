"""Budget: what one command may spend. Counts the cost of every model call and stops calls at the limit."""

import msgspec

from supportagentbench.models import Completion, Model, ModelError, ModelRequest
from supportagentbench.models.prices import dollars
from supportagentbench.records.usage import Usage


class Budget:
    """What may be spent, and what has been."""

    def __init__(self, limit: float | None = None) -> None:
        self.limit = limit
        """Dollars; None: no limit."""
        self.spent = 0.0
        self.unpriced = 0
        """Calls whose price is unknown."""

    @property
    def is_spent(self) -> bool:
        return self.limit is not None and self.spent >= self.limit

    def pay(self, usage: Usage) -> None:
        if usage.cost is None:
            self.unpriced += 1
        else:
            self.spent += usage.cost


class MeteredModel:
    """A model whose calls are priced and charged to a budget; it refuses once the budget is spent."""

    def __init__(self, model: Model, budget: Budget, provider: str, asked_for: str) -> None:
        self.model = model
        self.name = model.name
        self.budget = budget
        self.provider = provider
        """The provider's name in the price table."""
        self.asked_for = asked_for

    async def complete(self, request: ModelRequest) -> Completion:
        if self.budget.is_spent:
            raise ModelError(
                "budget",
                f"the budget of ${self.budget.limit:.2f} is spent",
                Usage(self.asked_for, attempts=0),
            )
        completion = await self.model.complete(request)
        usage = self._priced(completion.usage)
        self.budget.pay(usage)
        return msgspec.structs.replace(completion, usage=usage)

    def _priced(self, usage: Usage) -> Usage:
        if usage.cost is not None:
            return usage
        cost = dollars(usage, self.provider, self.asked_for)
        return usage if cost is None else msgspec.structs.replace(usage, cost=cost, cost_by="table")
