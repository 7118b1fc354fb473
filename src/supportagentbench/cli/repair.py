"""The command `sab repair`."""

import typer

from supportagentbench.cli.options import RunPaths


def repair(runs: RunPaths) -> None:
    """Make damaged runs readable again: keep every good line, move the others aside, report what was lost."""
    from supportagentbench.models.answer_cache import ANSWERS, CachedAnswer
    from supportagentbench.storage.repair import damaged_runs, repair_run
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.repair import repair_table

    files = [one for folder in damaged_runs(runs) for one in repair_run(folder, {ANSWERS: CachedAnswer})]
    EscapingConsole().print(repair_table(files))
    if any(one.lost for one in files):
        raise typer.Exit(1)
