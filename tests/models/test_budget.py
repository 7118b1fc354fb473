"""A budget: every call is charged, and nothing is asked once it is spent."""

import asyncio

import pytest

from supportagentbench.models import Completion, ModelError, ModelRequest
from supportagentbench.models.budget import Budget, MeteredModel
from supportagentbench.models.prices import dollars
from supportagentbench.records.usage import Usage


class Dear:
    """A model that takes this many dollars a call, or does not say."""

    name = "dear"

    def __init__(self, cost: float | None) -> None:
        self.usage = Usage("dear", input=1_000, output=100, cost=cost, cost_by="provider" if cost else "")

    async def complete(self, request: ModelRequest) -> Completion:
        return Completion("Thanks.", self.usage)


def ask(model: MeteredModel) -> Usage:
    return asyncio.run(model.complete(ModelRequest(()))).usage


def test_a_budget_is_spent_at_its_limit_and_not_a_cent_before() -> None:
    budget = Budget(limit=2.0)
    budget.pay(Usage("m", cost=1.99))
    assert not budget.is_spent
    budget.pay(Usage("m", cost=0.01))
    assert budget.is_spent


def test_without_a_limit_it_is_never_spent_and_with_none_left_at_once() -> None:
    endless = Budget()
    endless.pay(Usage("m", cost=1e9))
    assert not endless.is_spent
    assert Budget(limit=0.0).is_spent


def test_a_spent_budget_stops_requests() -> None:
    budget = Budget(limit=2.0)
    model = MeteredModel(Dear(1.0), budget, "", "gpt-5")
    ask(model)
    ask(model)
    with pytest.raises(ModelError, match=r"the budget of \$2.00 is spent") as caught:
        ask(model)
    refused = caught.value
    assert (refused.cause, refused.usage.model, refused.usage.attempts) == ("budget", "gpt-5", 0)
    assert budget.spent == 2.0


def test_a_call_without_a_price_is_counted_and_not_called_free() -> None:
    budget = Budget()
    model = MeteredModel(Dear(None), budget, "", "dear")
    assert ask(model).cost is ask(model).cost is None
    assert (budget.spent, budget.unpriced) == (0.0, 2)


def test_a_price_comes_from_the_table_unless_the_provider_names_its_own() -> None:
    table = dollars(Usage("gpt-5", input=1_000, output=100), "openai", "gpt-5")
    budget = Budget()
    priced = ask(MeteredModel(Dear(None), budget, "openai", "gpt-5"))
    assert (priced.cost, priced.cost_by) == (table, "table")
    named = ask(MeteredModel(Dear(0.5), budget, "openai", "gpt-5"))
    assert (named.cost, named.cost_by) == (0.5, "provider")
    assert budget.spent == pytest.approx((table or 0) + 0.5)
    assert budget.unpriced == 0
