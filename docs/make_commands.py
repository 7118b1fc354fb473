"""Writes docs/commands.md from the command line's own help. `make docs` runs it."""

from pathlib import Path

from typer.main import get_command
from typer.testing import CliRunner

from supportagentbench.cli import app

PAGE = Path(__file__).parent / "commands.md"


def page() -> str:
    """The page as it should be."""
    names = sorted(get_command(app).commands)  # type: ignore[attr-defined]
    parts = ["# Commands\n\nPrinted from the code by `make docs`; a test checks that it is up to date.\n"]
    for name in ["", *names]:
        words = [name, "--help"] if name else ["--help"]
        shown = CliRunner().invoke(app, words, prog_name="sab", env={"COLUMNS": "80"}).output
        parts.append(f"## sab {name}".rstrip() + f"\n\n```\n{shown.strip()}\n```\n")
    return "\n".join(parts)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
