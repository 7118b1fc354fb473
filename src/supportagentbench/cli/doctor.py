"""The command `sab doctor`."""

from pathlib import Path
from typing import Annotated

import typer


def doctor(
    out: Annotated[Path, typer.Option("--out", "-o", help="Folder for the runs.")] = Path("runs"),
) -> None:
    """Show what is ready on this machine: keys, prices, disk, browser, extras. Keys are never printed."""
    from supportagentbench.terminal.console import EscapingConsole
    from supportagentbench.terminal.doctor import checkup

    EscapingConsole().print(checkup(out))
