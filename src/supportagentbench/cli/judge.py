"""The commands `sab score` and `sab judges`."""

from typing import Annotated

import typer

from supportagentbench.cli.options import (
    AsJson,
    BudgetLimit,
    Concurrency,
    RunPaths,
    Yes,
    load,
    once_each,
    print_or_json,
)
from supportagentbench.jobs.in_flight import within_limits
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.terminal.escape import on_one_line


def score(
    runs: RunPaths,
    judge: Annotated[str, typer.Option("--judge", help="A model that judges what code cannot check.")] = "",
    second_judge: Annotated[
        str, typer.Option("--second-judge", help="A second judge from another model family.")
    ] = "",
    allow_same_family: Annotated[
        bool, typer.Option("--allow-same-family", help="Let a model judge agents of its own family.")
    ] = False,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
) -> None:
    """Score stored transcripts again, ignoring cached scores; with --judge, also let a model judge them."""
    from supportagentbench.concurrency.open_files import FileNeed
    from supportagentbench.jobs.judge import JudgePlan, check_families, cost_plans
    from supportagentbench.models.provider import keep_known_keys
    from supportagentbench.results.cache import forget_scores
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.cost_plan import agree_to_spend
    from supportagentbench.terminal.run import show_judge_job

    keep_known_keys()
    folders = once_each(runs)
    for folder in folders:
        forget_scores(folder)
    for run in load(folders):
        name = on_one_line(run.header.agent)
        typer.echo(f"{name}, run {run.header.run}: {counted(len(run.verdicts), 'conversation')} scored")
    if second_judge and not judge:
        raise Problem("--second-judge needs --judge; add the first judge.")
    if not judge:
        return
    names = [name for name in (judge, second_judge) if name]
    concurrency, words = within_limits(concurrency, FileNeed(len(names), 1))
    if words:
        typer.echo(f"sab: {words}", err=True)
    plan = JudgePlan(folders, names, concurrency, budget)
    if not allow_same_family:
        check_families(plan)
    console, plans = EscapingConsole(stderr=True), cost_plans(plan)
    agree_to_spend(plans, budget, console, yes)
    raise typer.Exit(show_judge_job(plan, plans, console))


def judges(runs: RunPaths, as_json: AsJson = False) -> None:
    """Show how well the judges of these runs agree, and whether a judge favors an agent."""
    from supportagentbench.judges.agreement import agreement
    from supportagentbench.results.judged import judged_in
    from supportagentbench.terminal.judges import agreement_report

    print_or_json(agreement(judged_in(load(runs))), as_json, agreement_report)
