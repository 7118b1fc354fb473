"""Spending: nothing that costs money starts without consent."""

import math
import sys
from typing import TYPE_CHECKING

import typer

from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from supportagentbench.models.cost_plan import CostPlan


def agree_to_spend(plans: "list[CostPlan]", budget: float | None, console: "Console", yes: bool) -> None:
    """Show the expected cost and ask for consent if a provider will charge for it."""
    from supportagentbench.models.provider import unpriced_problem
    from supportagentbench.terminal.cost_plan import plan_table

    if budget is not None and not math.isfinite(budget):
        raise Problem(f"--budget {budget} is not a valid amount; give dollars, such as --budget 5.")
    if not plans:
        return
    console.print(plan_table(plans, budget))
    unpriced = [plan.model for plan in plans if plan.is_paid and plan.cost is None]
    if budget is not None and unpriced:
        raise unpriced_problem(unpriced)
    if yes or not any(plan.is_paid for plan in plans):
        return
    if not sys.stdin.isatty():
        raise Problem("this spends money; check the plan above, then add --yes.")
    typer.confirm("Continue?", abort=True, err=True)
