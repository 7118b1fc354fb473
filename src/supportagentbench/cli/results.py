"""The commands that turn runs into numbers: `sab board`, `compare`, `items`, `export`, `power`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import (
    AsJson,
    RunPaths,
    SetName,
    WorldName,
    case_set,
    load,
    print_or_json,
    world_of,
)
from supportagentbench.language.counts import counted


def board(runs: RunPaths, as_json: AsJson = False) -> None:
    """Print the leaderboard of these runs, computed from their transcripts."""
    from supportagentbench.board.standings import make_board
    from supportagentbench.terminal.board import board_table
    from supportagentbench.terminal.judge_scores import judge_scores_table

    print_or_json(make_board(load(runs)), as_json, board_table, judge_scores_table)


def compare(
    first: Annotated[str, typer.Argument(help="An agent, as named on the board.")],
    second: Annotated[str, typer.Argument(help="Another agent.")],
    runs: RunPaths,
    as_json: AsJson = False,
) -> None:
    """Compare two agents case by case: each difference with its interval, and the cases that differ."""
    from supportagentbench.board.agent_comparison import compare_agents, refuse_itself
    from supportagentbench.results.load import of_agent
    from supportagentbench.terminal.agent_comparison import comparison_table

    results = load(runs)
    one, other = of_agent(results, first), of_agent(results, second)
    refuse_itself(one, other)
    print_or_json(compare_agents(one, other), as_json, comparison_table)


def items(
    runs: RunPaths,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Also a table: a file in .csv or .parquet.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what each case measures: how many agents fail it, and whether the better ones do less often.

    Exit code: 0, or 1 if better agents fail a case more often than worse ones.
    """
    from supportagentbench.board.export import write_table
    from supportagentbench.board.items import item_report, item_rows
    from supportagentbench.terminal.items import items_code, items_view

    report = item_report(load(runs))
    if out:
        write_table(item_rows(report), out)
    print_or_json(report, as_json, items_view)
    raise typer.Exit(items_code(report))


def export(
    runs: RunPaths,
    out: Annotated[Path, typer.Option("--out", "-o", help="A file that ends in .csv or .parquet.")],
) -> None:
    """Write a table with one row per conversation, from which every number is computed."""
    from supportagentbench.board.conversation_table import conversation_table
    from supportagentbench.board.export import write_table

    count = write_table(conversation_table(load(runs)), out)
    typer.echo(f"{out}: {counted(count, 'conversation')}")


def power(
    world: WorldName = "northline",
    set_name: SetName = "core",
    runs: Annotated[int, typer.Option("--runs", "-n", min=1, help="Runs per agent.")] = 3,
) -> None:
    """Show which differences between two agents this number of runs can detect, before spending anything."""
    from supportagentbench.board.power import detectable_differences, family_sizes
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.power import power_table

    sizes = family_sizes(case_set(world_of(world, set_name), 0).named(set_name))
    EscapingConsole().print(power_table(detectable_differences(sizes, runs)))
