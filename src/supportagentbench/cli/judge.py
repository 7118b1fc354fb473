"""The commands `sab score` and `sab judges`."""

from typing import Annotated

import typer

from supportagentbench.cli.options import AsJson, BudgetLimit, Concurrency, RunPaths, Yes, print_or_json
from supportagentbench.cli.spending import agree_to_spend
from supportagentbench.records.problem import Problem


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
    """Score stored transcripts; with --judge, also have them judged."""
    from rich.console import Console

    from supportagentbench.checks import score as score_one
    from supportagentbench.judges.job import JudgePlan, check_families, cost_plans
    from supportagentbench.storage.archive import find_runs, read_header, read_transcripts, write_verdicts
    from supportagentbench.terminal.judge_job import show_judge_job

    folders = find_runs(runs)
    for folder in folders:
        header = read_header(folder)
        verdicts = [score_one(filed, header) for filed in read_transcripts(folder)]
        write_verdicts(folder, verdicts)
        typer.echo(f"{folder}: {len(verdicts)} verdicts")
    if second_judge and not judge:
        raise Problem("--second-judge needs --judge; add the first judge.")
    if not judge:
        return
    plan = JudgePlan(folders, [name for name in (judge, second_judge) if name], concurrency, budget)
    if not allow_same_family:
        check_families(plan)
    console, plans = Console(stderr=True), cost_plans(plan)
    agree_to_spend(plans, budget, console, yes)
    raise typer.Exit(show_judge_job(plan, plans, console))


def judges(runs: RunPaths, as_json: AsJson = False) -> None:
    """Show how far the judges of these runs agree, and whether a judge favors an agent."""
    from supportagentbench.judges.agreement import agreement
    from supportagentbench.judges.judged import read_judged
    from supportagentbench.storage.archive import find_runs
    from supportagentbench.terminal.judges import agreement_report

    print_or_json(agreement(read_judged(find_runs(runs))), as_json, agreement_report)
