"""Own agent: the commands for people who build one: `sab init`, `desk`, `explain`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import (
    AsJson,
    CaseSeed,
    DeskOption,
    PrivateSeed,
    WorldName,
    case_names,
    case_set,
    private_seed_of,
    world_of,
)
from supportagentbench.records.run import Channel
from supportagentbench.worlds import DEFAULT_WORLD


def init(
    folder: Annotated[Path, typer.Argument(help="Target folder (default: the current folder).")] = Path(),
) -> None:
    """Write a small agent, a config file and a GitHub workflow to start from. Overwrites nothing."""
    from supportagentbench.agents.starter import write_starter

    for path in write_starter(folder):
        typer.echo(f"wrote {path}")
    there = f"cd {folder} && " if folder != Path() else ""
    typer.echo(
        f"Next: {there}sab run my_agent.py && sab gate my_agent.py --save baseline.json\n"
        "Then change my_agent.py and: sab gate my_agent.py"
    )


def desk(
    case: Annotated[
        str,
        typer.Argument(help="A customer to answer by hand, such as tracking-2.", autocompletion=case_names),
    ] = "",
    tools: Annotated[bool, typer.Option("--tools", help="Print only the tools.")] = False,
    as_json: AsJson = False,
    mcp: Annotated[
        bool,
        typer.Option(
            "--mcp", help="Also serve the tools of this conversation, by MCP and REST, to any client."
        ),
    ] = False,
    port: Annotated[
        int, typer.Option("--port", min=0, max=65535, help="Port for --mcp; 0: any free one.")
    ] = 0,
    world: WorldName = DEFAULT_WORLD,
    channel: Annotated[
        Channel, typer.Option("--channel", help="How customers write: `email` or `chat`.")
    ] = "email",
    desk_kind: DeskOption = "prompt",
    case_seed: CaseSeed = 0,
    private_seed: PrivateSeed = "",
) -> None:
    """Print the instructions and tools that an agent gets, or answer a customer yourself and get scored."""
    from supportagentbench.records.problem import Problem
    from supportagentbench.terminal.desk import answer_by_hand, desk_json, desk_text

    cases = case_set(world_of(world, case), case_seed, private_seed_of(private_seed))
    if case and (tools or as_json):
        raise Problem("--tools and --json print what an agent gets; leave out the case.")
    if mcp and not case:
        raise Problem("--mcp serves the desk of one customer; name a case, such as tracking-2.")
    if mcp:
        from supportagentbench.terminal.served_desk import answer_over_http

        answer_over_http(cases, cases.named_case(case), channel, desk_kind, port)
        return
    if case:
        answer_by_hand(cases, cases.named_case(case), channel, desk_kind)
        return
    from supportagentbench.desk.session import DeskSession

    told = DeskSession(cases.desk_for(next(iter(cases.cases.values())), channel, desk_kind)).open_turn()
    typer.echo(desk_json(told, only_tools=tools) if as_json else desk_text(told, only_tools=tools))


def explain(
    case: Annotated[
        str, typer.Argument(help="A case, such as damaged_no_proof-1.", autocompletion=case_names)
    ],
    as_json: AsJson = False,
    world: WorldName = DEFAULT_WORLD,
    case_seed: CaseSeed = 0,
    private_seed: PrivateSeed = "",
) -> None:
    """Explain a case: what the customer wants, the correct handling, and the rules behind it."""
    from supportagentbench.records.record import to_json
    from supportagentbench.terminal.case_explanation import explanation

    cases = case_set(world_of(world, case), case_seed, private_seed_of(private_seed))
    found = cases.named_case(case)
    typer.echo(to_json(found).decode() if as_json else explanation(cases, found))
