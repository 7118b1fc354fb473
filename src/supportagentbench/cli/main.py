"""The command `sab`: all groups of commands, and how it ends when something is wrong."""

import gc
import os
import sys
import traceback

import typer

from supportagentbench.cli import (
    audit,
    doctor,
    gate,
    judge,
    labels,
    live,
    read,
    repair,
    results,
    run,
    site,
    world,
)
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import sealed_output, without_secrets
from supportagentbench.terminal.escape import on_one_line
from supportagentbench.terminal.stream import escaping_streams

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Matrices here are small: threads would only spin.

app = typer.Typer(
    add_completion=False,
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
    help="Can this AI agent run a support desk? Run it against a simulated store and see.",
)
app.command()(run.run)
app.command()(live.live)
app.command()(repair.repair)
app.command()(judge.score)
app.command()(judge.judges)
app.command()(results.board)
app.command()(results.compare)
app.command()(gate.diff)
app.command()(gate.gate)
app.command()(results.export)
app.command()(results.power)
app.command()(read.show)
app.command()(read.grep)
app.command()(world.cases)
app.command()(world.prove)
app.command()(world.lint)
app.command()(world.schema)
app.command()(world.commit)
app.command()(audit.audit)
app.command()(doctor.doctor)
app.add_typer(labels.app, name="labels")
app.add_typer(site.app, name="site")

RENAMED = {"--at-once": "--concurrency", "--allow-kin": "--allow-same-family"}
"""Flags by their old names."""


def refuse_old_names(words: list[str]) -> None:
    """Name the new flag or command to anyone who types an old one."""
    for word in words:
        flag = word.partition("=")[0]
        if flag in RENAMED:
            raise Problem(f"{flag} is now {RENAMED[flag]}.")
    if words[:1] == ["dev"]:
        raise Problem("`sab dev provider` is now `python -m fake_provider`, in a checkout of the repository.")


def main() -> None:
    """Run `sab`; what the user can fix is said in one sentence, and no key is printed."""
    gc.set_threshold(100_000, 50, 50)  # Verdicts by the ten thousand hold no cycles worth looking for.
    with sealed_output(), escaping_streams():
        try:
            refuse_old_names(sys.argv[1:])
            app()
        except Problem as problem:
            typer.echo(without_secrets(on_one_line(f"sab: {problem}")), err=True)
            sys.exit(2)
        except KeyboardInterrupt:
            typer.echo("sab: stopped. Run the same command to resume.", err=True)
            sys.exit(130)
        except Exception:
            traceback.print_exc()  # Here, where keys are kept out and words are still escaped.
            sys.exit(1)
