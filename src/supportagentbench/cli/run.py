"""The command `sab run`."""

import sys
from contextlib import redirect_stdout
from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.in_flight import within_limits
from supportagentbench.cli.options import (
    BudgetLimit,
    CaseSeeds,
    Concurrency,
    DeskOption,
    Port,
    PrivateSeed,
    SetName,
    WorldName,
    Yes,
    check_folder,
    draws_of,
    number,
    world_of,
)
from supportagentbench.cli.spending import agree_to_spend
from supportagentbench.records.run import Channel
from supportagentbench.worlds import DEFAULT_WORLD


def run(
    agents: Annotated[
        list[str],
        typer.Argument(
            help="Models as provider:model; your own agents as file.py, file.py:Name or package.module:Name; "
            "reference agents (`reference`: oracle and `dummies`: silent, hands-over, refuses, complies, "
            "echoes, dumps, random-tool, keywords); invented ones with known faults (`cast`: hasty, "
            "trusting, anxious, chatty, by-the-book, stale); those of limited capacity (`capacity`: all, or "
            "one, such as capacity:believes,dose=0.3)."
        ),
    ],
    world: WorldName = DEFAULT_WORLD,
    set_name: SetName = "all",
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="Runs per agent and draw.")] = 1,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the runs.")] = Path("runs"),
    customer: Annotated[
        str,
        typer.Option("--customer", help="`auto`, `scripted`, or a model that reads and words its messages."),
    ] = "auto",
    channel: Annotated[
        Channel, typer.Option("--channel", help="How customers write: `email` or `chat`.")
    ] = "email",
    desk: DeskOption = "prompt",
    seed: Annotated[int, typer.Option("--seed", help="Seeds agents and customers.")] = 0,
    case_seed: CaseSeeds = "0",
    private_seed: PrivateSeed = "",
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    record: Annotated[Path | None, typer.Option("--record", help="Record all model answers here.")] = None,
    replay: Annotated[
        Path | None, typer.Option("--replay", help="Replay all model answers from here.")
    ] = None,
    isolate: Annotated[
        bool, typer.Option("--isolate", help="Run agents with Python code in separate processes.")
    ] = False,
    memory: Annotated[
        float,
        typer.Option(
            "--memory",
            min=0,
            max=1_000_000,
            callback=number,
            help="GB for each isolated process; 0: no limit.",
        ),
    ] = 2.0,
    keep_env: Annotated[
        list[str] | None,
        typer.Option("--keep-env", help="A variable, such as a key, that isolated agents get. Repeatable."),
    ] = None,
    name: Annotated[
        str, typer.Option("--name", help="What to call the agent, such as v2, to keep an earlier version.")
    ] = "",
    fresh: Annotated[
        bool, typer.Option("--fresh", help="Start over: earlier runs of these agents are moved aside.")
    ] = False,
    turn_timeout: Annotated[
        float,
        typer.Option(
            "--turn-timeout",
            min=0.1,
            max=86_400,
            callback=number,
            help="Seconds per turn of an agent with Python code.",
        ),
    ] = 300.0,
    yes: Yes = False,
    display: Annotated[str, typer.Option("--display", help="full, plain, json or none.")] = "",
    live: Annotated[bool, typer.Option("--live", help="Also serve a live view of the job.")] = False,
    port: Port = 7321,
) -> None:
    """Run agents on the benchmark. Resumes an interrupted run."""
    import asyncio

    from supportagentbench.agents.resolve import resolve
    from supportagentbench.agents.shipped import named
    from supportagentbench.concurrency.open_files import FileNeed
    from supportagentbench.customer.choice import AUTO
    from supportagentbench.desk.doors.process import Isolation
    from supportagentbench.jobs.cost_estimate import plan_costs
    from supportagentbench.jobs.customer import customer_for
    from supportagentbench.models.provider import is_model, keep_known_keys
    from supportagentbench.runner.job import Job
    from supportagentbench.storage.archive import customers_in
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.cost_plan import print_customer, print_desk
    from supportagentbench.terminal.display import choose_display
    from supportagentbench.terminal.run import Showing, show_job

    keep_known_keys()
    world = world_of(world, set_name)
    names = named(agents)
    console, (cases, *more) = EscapingConsole(stderr=True), draws_of(world, case_seed, private_seed)
    check_folder(out)
    showing = Showing(choose_display(display, console), live, port)
    sys.path.append(str(Path.cwd()))  # An agent may be a file in this folder; it never hides a library.
    isolation = Isolation(int(memory * 2**30), tuple(keep_env or ())) if isolate else None
    specs = []
    for one in names:  # What does not exist is named before anything else is said.
        specs.append(resolve(one))
        with redirect_stdout(sys.stderr):  # What an agent prints is none of our output.
            specs[-1].check(isolation, turn_timeout)
    chosen = customer_for(customer, specs, customers_in(out))
    if customer == AUTO and not all(spec.has_known_words for spec in specs):
        print_customer(console, chosen)
    if desk != "prompt":
        cases.world.opened_handbook()
        print_desk(console, desk)
    need = FileNeed(len(names), 1 + is_model(chosen.name) + live)
    concurrency, words = within_limits(concurrency, need)
    if words:
        typer.echo(f"sab: {words}", err=True)
    job = Job(
        cases,
        set_name,
        names,
        runs,
        seed,
        chosen.name,
        out,
        concurrency,
        budget,
        record,
        replay,
        channel,
        isolation,
        turn_timeout,
        name=name,
        fresh=fresh,
        desk=desk,
        more_draws=tuple(more),
    )
    plans = []
    if not replay:
        plans = asyncio.run(plan_costs(job, runs * len(job.draws)))
        agree_to_spend(plans, budget, console, yes)
    raise typer.Exit(show_job(job, plans, showing, console))
