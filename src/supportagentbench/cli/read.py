"""Read commands: `sab show` and `sab grep`, for reading conversations."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import RunPaths, once_each


def show(
    folder: Annotated[Path, typer.Argument(help="A run, such as runs/oracle-1, or a folder of runs.")],
    case: Annotated[str, typer.Argument(help="A case, such as damaged_no_proof-1.")],
    model: Annotated[
        str, typer.Option("--model", help="Which agent in a folder of runs; part of the name is enough.")
    ] = "",
    run: Annotated[int, typer.Option("--run", help="Which run; 0: the first one found.")] = 0,
    vs: Annotated[str, typer.Option("--vs", help="Another agent, shown side by side.")] = "",
) -> None:
    """Show one conversation with its tool calls, findings and opinions."""
    from supportagentbench.results.search import find_talk
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.conversation import show_beside, show_conversation

    found = find_talk(folder, case, model, run)
    if vs:
        show_beside(EscapingConsole(), found, find_talk(folder, case, vs, run))
    else:
        show_conversation(EscapingConsole(), found)


def grep(
    pattern: Annotated[str, typer.Argument(help="A regular expression.")],
    runs: RunPaths,
    ignore_case: Annotated[bool, typer.Option("--ignore-case", "-i", help="Ignore case.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print one hit per line, as JSON.")] = False,
) -> None:
    """Search messages and tool calls in every conversation of these runs."""
    from supportagentbench.records.record import to_json
    from supportagentbench.results.search import find_words
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.conversation import search_hit_line

    console, count = EscapingConsole(), 0
    for hit in find_words(pattern, once_each(runs), ignore_case=ignore_case):
        count += 1
        if as_json:
            typer.echo(to_json(hit).decode())
        else:
            console.print(search_hit_line(hit), soft_wrap=True)
    if not count:
        raise typer.Exit(1)
