"""The command `sab audit`."""

from pathlib import Path
from typing import Annotated

import typer

from supportagentbench.cli.options import AsJson, print_or_json


def audit(
    file: Annotated[
        Path | None, typer.Argument(help="A published board as JSON; default: the shipped one.")
    ] = None,
    as_json: AsJson = False,
) -> None:
    """Check which rankings, figures and claims of a published board its own numbers support."""
    from supportagentbench.studies.published import SHIPPED
    from supportagentbench.studies.published.audit import audit as audit_board
    from supportagentbench.studies.published.load import read_published
    from supportagentbench.terminal.audit import audit_report

    print_or_json(audit_board(read_published(file or SHIPPED)), as_json, audit_report)
