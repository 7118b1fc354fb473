"""Groups of commands, and what commands have in common. What one needs is imported when it runs."""

from pathlib import Path
from typing import Annotated

import typer

RunPaths = Annotated[list[Path], typer.Argument(help="Run folders, or folders of runs.")]
