"""Cost plans: what all models of a job cost together."""

from supportagentbench.models.cost_plan import CostPlan, cost_range


def plan(cost: float | None, *, is_paid: bool = True) -> CostPlan:
    return CostPlan("m", 1, 1, 1, 1, cost, 1.0, is_paid, "agent", None if cost is None else 2 * cost)


def test_the_cost_of_all_models_is_unknown_as_soon_as_one_price_is() -> None:
    assert cost_range([plan(1.0), plan(0.5), plan(None, is_paid=False)]) == (1.5, 3.0)
    assert cost_range([plan(1.0), plan(None)]) == cost_range([]) == (None, None)
