"""Tickets: the commands `sab tickets …`, which do something with an import."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.imports import (
    Columns,
    DeskExport,
    Encoding,
    Project,
    Region,
    Rights,
    same_or_new,
)
from supportagentbench.cli.options import (
    AsJson,
    BudgetLimit,
    Concurrency,
    Display,
    Live,
    Port,
    WorldName,
    Yes,
    print_or_json,
)
from supportagentbench.cli.run import Agents, Customer, Runs, RunSeed
from supportagentbench.records.problem import Problem
from supportagentbench.worlds import DEFAULT_WORLD

app = typer.Typer(no_args_is_help=True, help="Your own tickets: score them, replay them, resume them.")

Import = Annotated[Path, typer.Argument(help="The folder of an import (`sab import`).")]
MapFile = Annotated[
    Path, typer.Option("--map", help="What the desk's words mean, and each ticket's known facts.")
]


Out = Annotated[Path, typer.Option("--out", "-o", help="Folder for the runs and the comparison.")]


@app.command()
def example(
    out: Annotated[Path, typer.Argument(help="A new folder.")],
) -> None:
    """Write an invented week of tickets: exports, a map, and the imports as their authors approved them."""
    from supportagentbench.tickets.example_week import write_example

    write_example(out)
    typer.echo(f"{out}: the tickets of an invented desk as exports, imported and approved, with their map.")


@app.command()
def mix(
    tickets: Import,
    desk_map: MapFile,
    world: WorldName = DEFAULT_WORLD,
    out: Annotated[Path, typer.Option("--out", "-o", help="The file for the mix; it is replaced.")] = Path(
        "mix.json"
    ),
) -> None:
    """Count the case types of your tickets; the cost pages can be made for that mix."""
    from supportagentbench.jobs.spec import TicketSpec
    from supportagentbench.jobs.tickets import import_mix
    from supportagentbench.records.record import to_json
    from supportagentbench.storage.file import write_whole
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.ticket_mix import mix_report

    found = import_mix(world, TicketSpec(tickets, desk_map))
    if not found.counted:
        raise Problem("no ticket has a case type; the map has to say what the customers ask for.")
    write_whole(out, to_json(found.mix()) + b"\n")
    EscapingConsole().print(mix_report(found, out))


@app.command()
def incident(
    tickets: Import,
    ticket: Annotated[str, typer.Argument(help="Its id in the import, or its number at your desk.")],
    agent: Annotated[str, typer.Argument(help="The agent that replays it, as for `sab run`.")],
    desk_map: MapFile,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the replays and the case.")],
    world: WorldName = DEFAULT_WORLD,
    replays: Annotated[int, typer.Option("--replays", min=1, max=1000, help="How often it replays.")] = 10,
    customer: Customer = "auto",
    seed: RunSeed = 0,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
    display: Display = "",
    live: Live = False,
    port: Port = 7321,
) -> None:
    """Replay a ticket from before what went wrong, and keep it as a proved regression case with a twin."""
    from supportagentbench.jobs.spec import JobSpec, TicketSpec
    from supportagentbench.terminal.incident import start_incident
    from supportagentbench.terminal.run import Showing

    asked = JobSpec(
        world,
        (agent,),
        runs=replays,
        seed=seed,
        customer=customer,
        concurrency=concurrency,
        budget=budget,
        tickets=TicketSpec(tickets, desk_map, incident=ticket),
    )
    showing, console = Showing.chosen(display, live, port)
    raise typer.Exit(start_incident(asked, out, showing, console, yes))


@app.command()
def resume(
    tickets: Import,
    agents: Agents,
    desk_map: MapFile,
    out: Out,
    world: WorldName = DEFAULT_WORLD,
    runs: Runs = 1,
    customer: Customer = "auto",
    seed: RunSeed = 0,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
    display: Display = "",
    live: Live = False,
    port: Port = 7321,
) -> None:
    """Resume tickets before the first act of the people who answered; compare agents with them."""
    from supportagentbench.jobs.spec import JobSpec, TicketSpec
    from supportagentbench.terminal.run import Showing
    from supportagentbench.terminal.shadow import start_tickets

    asked = JobSpec(
        world,
        tuple(agents),
        runs=runs,
        seed=seed,
        customer=customer,
        concurrency=concurrency,
        budget=budget,
        tickets=TicketSpec(tickets, desk_map),
    )
    showing, console = Showing.chosen(display, live, port)
    raise typer.Exit(start_tickets(asked, out, showing, console, yes))


@app.command()
def week(
    desk: Annotated[
        str, typer.Argument(metavar="FORMAT", help="The desk that the export is from, such as zendesk.")
    ],
    files: Annotated[list[Path], typer.Argument(metavar="FILE…", help="The export.")],
    agents: Annotated[
        list[str], typer.Option("--agents", "-a", help="Agent that resumes the tickets. Repeatable.")
    ],
    desk_map: MapFile,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the tickets, the runs and the page.")],
    columns: Columns = "",
    encoding: Encoding = "",
    region: Region = "US",
    rights: Rights = "",
    project: Project = "",
    world: WorldName = DEFAULT_WORLD,
    runs: Runs = 1,
    customer: Customer = "auto",
    seed: RunSeed = 0,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
    display: Display = "",
    live: Live = False,
    port: Port = 7321,
) -> None:
    """From an export to a page: import its tickets, resume them with agents, compare with your people."""
    from supportagentbench.jobs.spec import JobSpec, TicketSpec
    from supportagentbench.terminal.run import Showing
    from supportagentbench.terminal.shadow import TICKETS, start_tickets

    export = DeskExport(desk, tuple(files), columns, encoding, region.upper(), rights, project)
    same_or_new(export, out / TICKETS)
    asked = JobSpec(
        world,
        tuple(agents),
        runs=runs,
        seed=seed,
        customer=customer,
        concurrency=concurrency,
        budget=budget,
        tickets=TicketSpec(out / TICKETS, desk_map),
    )
    showing, console = Showing.chosen(display, live, port)
    raise typer.Exit(start_tickets(asked, out, showing, console, yes))


@app.command()
def score(
    tickets: Import,
    desk_map: Annotated[
        Path | None,
        typer.Option("--map", help="What the desk's acts are, and which only look something up."),
    ] = None,
    policy: Annotated[
        Path | None, typer.Option("--policy", help="What the desk works by: a handbook, as text.")
    ] = None,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Folder for the result, score.json.")
    ] = None,
    world: WorldName = DEFAULT_WORLD,
    as_json: AsJson = False,
) -> None:
    """Score what happened in tickets, with every check that needs no label."""
    from supportagentbench.jobs.desk_score import DeskScoreSpec, score_desk
    from supportagentbench.terminal.desk_score import desk_score_view, write_score

    if world != DEFAULT_WORLD and desk_map is None:
        raise Problem("--world is where a map's words come from; add --map.")
    found = score_desk(DeskScoreSpec(tickets, desk_map, policy, world))
    if out:
        write_score(found, out)
    print_or_json(found, as_json, desk_score_view)


@app.command()
def replay(
    tickets: Import,
    agents: Agents,
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the runs and the comparison.")],
    desk_map: Annotated[
        Path | None,
        typer.Option("--map", help="Each ticket's known facts; without it the books hold no orders."),
    ] = None,
    sample: Annotated[
        int, typer.Option("--sample", min=0, help="How many tickets, spread over the import; 0: all.")
    ] = 0,
    world: WorldName = DEFAULT_WORLD,
    customer: Customer = "auto",
    seed: RunSeed = 0,
    concurrency: Concurrency = 8,
    budget: BudgetLimit = None,
    yes: Yes = False,
    display: Display = "",
    live: Live = False,
    port: Port = 7321,
) -> None:
    """Send the first messages of tickets to several agents; see how these differ, without labels."""
    from supportagentbench.jobs.spec import JobSpec, TicketSpec
    from supportagentbench.terminal.replay import start_replay
    from supportagentbench.terminal.run import Showing

    asked = JobSpec(
        world,
        tuple(agents),
        seed=seed,
        customer=customer,
        concurrency=concurrency,
        budget=budget,
        tickets=TicketSpec(tickets, desk_map, openings=True, sample=sample),
    )
    showing, console = Showing.chosen(display, live, port)
    raise typer.Exit(start_replay(asked, out, showing, console, yes))


@app.command()
def page(
    folder: Annotated[Path, typer.Argument(help="A folder of `sab tickets week`, `resume`, …")],
) -> None:
    """Write the pages of a folder's records again."""
    from supportagentbench.terminal.ticket_pages import write_pages

    for written in write_pages(folder):
        typer.echo(written)
