"""Spending: nothing that somebody gets a bill for is begun without leave."""

import sys
from typing import TYPE_CHECKING

import typer

from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from rich.console import Console

    from supportagentbench.models.cost_plan import CostPlan


def agree_to_spend(plans: "list[CostPlan]", budget: float | None, console: "Console", yes: bool) -> None:
    """Show what will be asked for; go on only with leave, if somebody gets a bill for it."""
    from supportagentbench.terminal.bill import plan_table

    if not plans:
        return
    console.print(plan_table(plans, budget))
    unpriced = [plan.model for plan in plans if plan.is_paid and plan.cost is None]
    if budget is not None and unpriced:
        raise Problem(
            f"no price is known for {', '.join(unpriced)}, so no budget can hold; leave --budget out."
        )
    if yes or not any(plan.is_paid for plan in plans):
        return
    if not sys.stdin.isatty():
        raise Problem("this spends money; look at the plan above, then add --yes.")
    typer.confirm("Go on?", abort=True, err=True)
