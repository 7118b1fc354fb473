"""Power: what the plan promises is what happens when it is carried out."""

import numpy as np
import pytest

from supportagentbench.stats.comparison import paired
from supportagentbench.stats.power import POWER, PowerPlan, detectable, power


def carried_out(plan: PowerPlan, difference: float, times: int, seed: int = 1) -> float:
    """How often a paired comparison finds the difference, each time with fresh items and runs."""
    random = np.random.default_rng(seed)
    clusters = [str(index // plan.size) for index in range(plan.clusters * plan.size)]
    touched = np.arange(len(clusters)) < len(clusters) / 2
    lift = np.where(touched, 2 * difference / (1 - plan.rate), 0.0)
    strength, found = (1 - plan.icc) / plan.icc, 0
    for _ in range(times):
        rates = random.beta(plan.rate * strength, (1 - plan.rate) * strength, len(clusters))
        more = random.binomial(plan.runs, rates + (1 - rates) * lift) / plan.runs
        result = paired(more, random.binomial(plan.runs, rates) / plan.runs, clusters)
        found += result.p <= 0.05 and result.difference > 0
    return found / times


@pytest.mark.parametrize(
    ("plan", "difference"),
    [
        (PowerPlan(18, 1, 3, 0.2), 0.2),
        (PowerPlan(18, 1, 10, 0.2), 0.1),
        (PowerPlan(20, 6, 3, 0.05, 0.3), 0.05),
    ],
)
def test_the_promise_is_kept_within_three_points(plan: PowerPlan, difference: float) -> None:
    assert carried_out(plan, difference, 1_500) == pytest.approx(power(plan, difference), abs=0.03)


def test_the_detectable_difference_has_the_power_asked_for() -> None:
    plan = PowerPlan(20, 6, 3, 0.05, 0.3)
    found = detectable(plan)
    assert found is not None
    assert power(plan, found) == pytest.approx(POWER, abs=0.02)


def test_items_buy_more_than_runs() -> None:
    assert power(PowerPlan(60, 1, 3, 0.2), 0.1) > power(PowerPlan(18, 1, 10, 0.2), 0.1) + 0.1


def test_four_clusters_promise_nothing_and_many_comparisons_cost() -> None:
    assert detectable(PowerPlan(4, 6, 3, 0.1)) is None
    plan = PowerPlan(60, 1, 10, 0.2)
    assert power(plan, 0.1, 0.05 / 276) < power(plan, 0.1) - 0.2


def test_a_difference_the_other_way_is_not_a_finding() -> None:
    """Without a difference, half of the false findings point the wrong way and do not count."""
    found = power(PowerPlan(clusters=20, size=6, runs=3, rate=0.3), 0.0)
    assert 0.01 < found < 0.026
