"""Results: the commands `sab board`, `compare`, `items`, `export` and `power`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import (
    AsJson,
    DeskOptions,
    Limits,
    RunPaths,
    SetName,
    WorldName,
    case_set,
    chosen,
    load,
    print_or_json,
    world_of,
)
from supportagentbench.records.counts import counted
from supportagentbench.worlds import DEFAULT_WORLD


def board(runs: RunPaths, limit: Limits = None, desk: DeskOptions = None, as_json: AsJson = False) -> None:
    """Print the leaderboard of these runs, computed from their transcripts, and which agent to use."""
    from supportagentbench.board.choice import recommended, settings_of, worth_of
    from supportagentbench.board.desk import desk_of
    from supportagentbench.board.power import needed_draws
    from supportagentbench.board.standings import make_board
    from supportagentbench.terminal.board import board_table, judge_scores_table
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.desk_cost import desk_lines
    from supportagentbench.terminal.power import needed_lines
    from supportagentbench.terminal.verdicts import verdicts_view

    choice = chosen(limit, desk)
    results = load(runs)
    made = make_board(results)
    paid = desk_of(made, results)
    found = recommended(made, paid, choice)
    print_or_json(made, as_json, lambda made: verdicts_view(found), board_table, judge_scores_table)
    if not as_json and paid:
        EscapingConsole().print("", desk_lines(paid, settings_of(paid, choice), worth_of(paid, choice)))
    if not as_json and (needed := list(needed_draws(results, made))):
        EscapingConsole().print("", needed_lines(needed))


def compare(
    first: Annotated[str, typer.Argument(help="An agent, as named on the board.")],
    second: Annotated[str, typer.Argument(help="Another agent.")],
    runs: RunPaths,
    limit: Limits = None,
    desk: DeskOptions = None,
    as_json: AsJson = False,
) -> None:
    """Compare two agents: which to use, each difference with its interval, and the cases that differ."""
    from supportagentbench.board.agent_comparison import compare_agents, refuse_itself
    from supportagentbench.board.choice import recommended
    from supportagentbench.board.desk import desk_of
    from supportagentbench.board.standings import make_board
    from supportagentbench.results.load import of_agent
    from supportagentbench.terminal.comparison import comparison_table
    from supportagentbench.terminal.verdicts import pair_view

    choice = chosen(limit, desk)
    results = load(runs)
    one, other = of_agent(results, first), of_agent(results, second)
    refuse_itself(one, other)
    made = make_board(results)
    found = recommended(made, desk_of(made, results), choice)
    compared = compare_agents(one, other)
    print_or_json(compared, as_json, lambda made: pair_view(found, first, second), comparison_table)


def items(
    runs: RunPaths,
    out: Annotated[
        Path | None, typer.Option("--out", "-o", help="Also write a table to this .csv or .parquet file.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Show what each case measures: how many agents fail it, and whether better agents fail it less often.

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
    out: Annotated[Path, typer.Option("--out", "-o", help="Output file: .csv or .parquet.")],
) -> None:
    """Write a table with one row per conversation, from which every number is computed."""
    from supportagentbench.board.conversation_table import conversation_table
    from supportagentbench.board.export import write_table

    count = write_table(conversation_table(load(runs)), out)
    typer.echo(f"{out}: {counted(count, 'conversation')}")


Rates = Annotated[str, typer.Option(help="Two agents' rates, such as 5%,15%.")]


def power(
    compared: Annotated[
        list[str] | None, typer.Argument(help="RUNS A B: folders of runs, then two agents in them.")
    ] = None,
    world: WorldName = DEFAULT_WORLD,
    set_name: SetName = "core",
    runs: Annotated[
        int, typer.Option("--runs", "-n", min=1, help="Runs per agent, if no rates are given.")
    ] = 3,
    unsafe: Rates = "",
    over_escalation: Rates = "",
    escalation: Rates = "",
    resolution: Rates = "",
    pairs: Rates = "",
    as_json: AsJson = False,
) -> None:
    """Show how likely a given number of draws and runs is to detect a difference between two agents.

    With rates: for agents with these rates. With RUNS A B: for these two agents, from their runs. With
    neither: the smallest difference that a given number of runs detects.
    """
    from supportagentbench.board.power import (
        cluster_sizes,
        detectable_differences,
        power_of_rates,
        power_of_runs,
    )
    from supportagentbench.language.rates import two_rates
    from supportagentbench.records.problem import Problem
    from supportagentbench.results.load import of_agent
    from supportagentbench.runner.run import rules_of
    from supportagentbench.terminal.power import design_table, power_table

    options = {
        "unsafe": unsafe,
        "over_escalation": over_escalation,
        "escalation": escalation,
        "resolution": resolution,
        "pairs": pairs,
    }
    rates = {name: two_rates(words) for name, words in options.items() if words}
    if compared:
        if rates or len(compared) < 3:
            raise Problem("name folders of runs and two agents in them, without rates: sab power runs A B")
        *places, first, second = compared
        results = load([Path(place) for place in places])
        print_or_json(
            power_of_runs(of_agent(results, first), of_agent(results, second)), as_json, design_table
        )
        return
    cases = case_set(world_of(world, set_name), 0)
    sizes = cluster_sizes(cases.named(set_name), rules_of(cases.world.policy))
    if rates:
        print_or_json(power_of_rates(sizes, rates), as_json, design_table)
    else:
        print_or_json(detectable_differences(sizes, runs), as_json, power_table)
