"""The commands on decisions that are made again: `sab fork` replays them, `sab forks` shows them."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from supportagentbench.cli.in_flight import within_limits
from supportagentbench.cli.options import (
    AsJson,
    BudgetLimit,
    Concurrency,
    Port,
    PrivateSeed,
    RunPaths,
    Yes,
    check_folder,
    print_or_json,
)
from supportagentbench.cli.spending import agree_to_spend
from supportagentbench.records.fork import ForkRule
from supportagentbench.records.problem import Problem

if TYPE_CHECKING:
    from supportagentbench.forks.fork_plan import ForkPlan

RuleName = Literal["before-first-write", "first-divergence", "each-rung", "blind"]

NAMED: dict[RuleName, ForkRule] = {
    "before-first-write": "before_first_write",
    "first-divergence": "first_divergence",
    "each-rung": "each_rung",
    "blind": "blind",
}


def fork(
    runs: Annotated[
        list[str],
        typer.Argument(help="Run folders, or folders of runs. What is no folder is one more agent."),
    ],
    agents: Annotated[
        list[str] | None,
        typer.Option("--agents", "-a", help="Who decides again; else those who wrote the runs. Repeatable."),
    ] = None,
    replays: Annotated[int, typer.Option("--replays", "-n", min=1, max=1000, help="Replays per fork.")] = 10,
    rule: Annotated[
        RuleName, typer.Option("--rule", help="Where to fork: `blind` is the one that feeds rates.")
    ] = "before-first-write",
    at: Annotated[
        list[str] | None,
        typer.Option(
            "--at", help="Fork here: CASE:TURN, CASE:TURN.CALL, or CASE for every reply. Repeatable."
        ),
    ] = None,
    changed: Annotated[
        list[str] | None,
        typer.Option(
            "--with", help="Also fork with a fact made different: proof=shown. Repeatable; `;` joins."
        ),
    ] = None,
    within: Annotated[
        bool, typer.Option("--within", help="Fork within a reply, after its look-ups. Models only.")
    ] = False,
    matching: Annotated[str, typer.Option("-k", help="Only cases whose name has this part.")] = "",
    all_cases: Annotated[bool, typer.Option("--all-cases", help="Not only traps.")] = False,
    sample: Annotated[
        int, typer.Option("--sample", min=0, help="With --rule blind: this number of traps; 0: all.")
    ] = 0,
    until_decided: Annotated[
        bool, typer.Option("--until-decided", help="Replay each fork until it is decided, 30 times at most.")
    ] = False,
    seed: Annotated[int, typer.Option("--seed", help="Seeds replays and samples.")] = 0,
    customer: Annotated[
        str, typer.Option("--customer", help="Who goes on as the customer; else as in the runs.")
    ] = "",
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the replays.")] = Path("runs/forks"),
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start over: earlier replays of these agents are moved aside.")
    ] = False,
    world: Annotated[str, typer.Option("--world", help="The world, if it is no shipped one.")] = "",
    private_seed: PrivateSeed = "",
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
    display: Annotated[str, typer.Option("--display", help="full, plain, json or none.")] = "",
    live: Annotated[bool, typer.Option("--live", help="Also serve a live view of the job.")] = False,
    port: Port = 7321,
) -> None:
    """Let agents make recorded decisions again: the same store, customer and words up to that point.

    Exit codes are those of `sab run`. The same command resumes what was cut short.
    """
    import asyncio

    from supportagentbench.concurrency.open_files import FileNeed
    from supportagentbench.forks.fork_plan import ForkPlan, ForkWishes
    from supportagentbench.jobs.cost_estimate import plan_costs
    from supportagentbench.models.provider import is_model, keep_known_keys
    from supportagentbench.stats.probability_ratio import CAP
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.display import choose_display
    from supportagentbench.terminal.fork_board import print_forks
    from supportagentbench.terminal.run import Showing, show_job

    keep_known_keys()
    check_folder(out)
    folders = [one for one in runs if Path(one).is_dir()]
    more = [one for one in runs if one not in folders]
    if not folders:
        raise Problem(f"there is no folder of runs called {runs[0]}; `sab run` makes one.")
    console = EscapingConsole(stderr=True)
    showing = Showing(choose_display(display, console), live, port)
    replays = CAP if until_decided else replays
    wishes = ForkWishes(
        NAMED[rule],
        tuple(at or ()),
        tuple(changed or ()),
        within,
        matching,
        all_cases,
        sample,
        seed,
    )
    plan = ForkPlan.of([Path(one) for one in folders], wishes, world, private_seed)
    names = plan.agents([*(agents or ()), *more])
    sys.path.append(str(Path.cwd()))  # An agent may be a file in this folder; it never hides a library.
    with redirect_stdout(sys.stderr):  # What an agent prints is none of our output.
        plan.check_agents(names)
    count = asyncio.run(plan.restore())
    typer.echo(f"sab: {_said(plan, count)}", err=True)
    voiced = is_model(customer or plan.header.customer)
    open_runs = replays if until_decided else min(replays, concurrency + 1)
    need = FileNeed(len(names), 1 + voiced + live, fixed=4 + 3 * open_runs)
    concurrency, words = within_limits(concurrency, need)
    if words:
        typer.echo(f"sab: {words}", err=True)
    job = plan.job(names, replays, customer, out, concurrency, budget, fresh, until_decided)
    costs = asyncio.run(plan_costs(job, plan.whole_runs(job)))  # The most that replays may cost.
    agree_to_spend(costs, budget, console, yes)
    raise typer.Exit(show_job(job, costs, showing, console, print_forks))


def _said(plan: "ForkPlan", count: int) -> str:
    from supportagentbench.language.counts import counted
    from supportagentbench.records.fork import RULES

    rules = "; ".join(dict.fromkeys(RULES[one.point.rule] for one in plan.forks.values()))
    return f"{counted(count, 'fork')} ({rules}); every prefix is restored byte for byte."


def forks(runs: RunPaths, as_json: AsJson = False) -> None:
    """Show what agents did at decisions that they made again."""
    from supportagentbench.board.fork_board import fork_board
    from supportagentbench.terminal.fork_board import forks_view

    print_or_json(fork_board(runs), as_json, forks_view)
