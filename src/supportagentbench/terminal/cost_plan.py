"""Cost plan: what a job may cost, printed before any model is called; nothing is spent without consent."""

import math
import sys

import typer
from rich.console import Console, Group
from rich.table import Table
from rich.text import Text

from supportagentbench.customer.choice import CustomerChoice
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.language.measured import SCRIPTED_WRONG_TURNS
from supportagentbench.live.words import short
from supportagentbench.models.cost_plan import CostPlan, sent_to
from supportagentbench.models.provider import unpriced_problem
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import DESKS, DeskKind
from supportagentbench.terminal.escape import on_one_line


def agree_to_spend(plans: list[CostPlan], budget: float | None, console: Console, yes: bool) -> None:
    """Show the expected cost and ask for consent if a provider will charge for it."""
    if budget is not None and not math.isfinite(budget):
        raise Problem(f"--budget {budget} is not a valid amount; give dollars, such as --budget 5.")
    if not plans:
        return
    console.print(plan_table(plans, budget))
    unpriced = [plan.model for plan in plans if plan.is_paid and plan.cost is None]
    if budget is not None and unpriced:
        raise unpriced_problem(unpriced)
    paid = [plan.model for plan in plans if plan.is_paid]
    if paid and budget == 0:
        raise Problem(f"a budget of $0 covers no request to {paid[0]}; give dollars, such as --budget 5.")
    if yes or not paid:
        return
    if not sys.stdin.isatty():
        raise Problem("this spends money; check the plan above, then add --yes, and a limit with --budget.")
    typer.confirm("Continue?", abort=True, err=True)


def plan_table(plans: list[CostPlan], budget: float | None) -> Group:
    """Calls, tokens, dollars and time of each model, and the budget."""
    table = Table(box=None, padding=(0, 0, 0, 2), header_style="bold", pad_edge=False)
    table.add_column("model", overflow="fold", min_width=12)
    table.add_column("role", no_wrap=True)
    for head in ("convs", "calls", "tokens", "dollars", "time"):
        table.add_column(head, justify="right", no_wrap=True)
    for one in plans:
        table.add_row(
            Text(on_one_line(one.model)),
            one.role.replace("_", " "),
            f"{one.conversations:,}",
            f"{one.calls:,}",
            short(one.input + one.output),
            _cost(one),
            _clock(one.seconds),
        )
    lines = [
        *map(on_one_line, sent_to((one.host, one.model) for one in plans)),
        "Low: every conversation takes the shortest path. High: every conversation runs",
        "to the turn limit. Hidden reasoning is extra. Answers already on file are reused.",
        "There is no spending limit. Set one with --budget."
        if budget is None
        else f"No request is sent that the rest of ${budget:,.2f} might not cover.",
    ]
    return Group(table, Text("\n".join(lines), style="dim"))


def print_customer(console: Console, chosen: CustomerChoice) -> None:
    """Who reads the agents' messages and writes the customer's, and how reliable that is."""
    words = f"Customer: {chosen.name} ({chosen.why})."
    if chosen.name == ScriptedVoice.name:
        words += f" It answers {SCRIPTED_WRONG_TURNS:.0%} of a model's messages wrongly: docs/customer.md."
    console.print(Text(on_one_line(words)))


def print_desk(console: Console, desk: DeskKind) -> None:
    """Where the agents find the policy."""
    console.print(Text(f"Desk: {DESKS[desk]}."))


def _cost(plan: CostPlan) -> str:
    """The lowest and the highest cost."""
    if not plan.is_paid:
        return "free"
    if plan.cost is None:
        return "price unknown"
    low, high = f"{plan.cost:,.2f}", f"{plan.most or plan.cost:,.2f}"
    return low if low == high else f"{low}–{high}"


def _clock(seconds: float) -> str:
    return f"{seconds / 3600:.1f} h" if seconds >= 5400 else f"{max(1, round(seconds / 60))} min"
