"""The command `sab merge`."""

from pathlib import Path
from typing import Annotated

import typer

Parts = Annotated[
    list[Path], typer.Argument(help="The folders that `sab run --shard` wrote, or a folder of such folders.")
]
Out = Annotated[Path, typer.Option("--out", "-o", help="Folder for the whole runs.")]


def merge(parts: Parts, out: Out = Path("runs")) -> None:
    """Put the parts of a job, run with --shard, together as one archive."""
    from supportagentbench.jobs.merge import merge as put_together
    from supportagentbench.jobs.run import EXIT_CODES
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.merge import print_merged

    merged = put_together(parts, out)
    print_merged(EscapingConsole(), merged, out)
    raise typer.Exit(EXIT_CODES["complete" if merged.is_whole else "partial"])
