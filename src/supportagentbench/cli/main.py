"""Main: the command `sab` with all its groups, and how errors are reported."""

import gc
import os
import sys
import threading
import time
import traceback
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated, Any

import typer

from supportagentbench.cli import (
    doctor,
    fake,
    fork,
    gate,
    imports,
    judge,
    labels,
    live,
    manifest,
    merge,
    own,
    read,
    repair,
    results,
    run,
    site,
    tickets,
    world,
)
from supportagentbench.cli.options import with_wall_named
from supportagentbench.records.counts import counted
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import sealed_output, without_secrets
from supportagentbench.records.version import __version__
from supportagentbench.terminal.escape import escaping_streams, on_one_line

if TYPE_CHECKING:
    from pathlib import Path

    from supportagentbench.storage.git_file import GitFile

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # Our matrices are small: threads only waste CPU.

app = typer.Typer(
    no_args_is_help=True,
    pretty_exceptions_enable=False,
    rich_markup_mode=None,
)


def _print_version(wanted: bool) -> None:
    if wanted:
        typer.echo(f"sab {__version__}")
        raise typer.Exit


@app.callback()
def options(
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version.")
    ] = False,
) -> None:
    """Can this AI agent run a support desk? Run it against a simulated store and see."""


app.command()(own.init)
app.command()(own.desk)
app.command()(own.explain)
app.command()(run.run)
app.command()(live.live)
app.command()(merge.merge)
app.command()(repair.repair)
app.command()(judge.score)
app.command()(judge.judges)
app.command()(results.board)
app.command()(results.compare)
app.command()(results.items)
app.command()(gate.diff)
app.command()(gate.gate)
app.command()(fork.fork)
app.command()(fork.forks)
app.command()(results.export)
app.command()(results.power)
app.command()(read.show)
app.command()(read.grep)
app.command()(world.cases)
app.command()(world.prove)
app.command()(world.lint)
app.command()(world.schema)
app.command()(world.commit)
app.command()(doctor.doctor)
app.command()(fake.fake)
app.command("open")(site.open_page)
app.command("import")(imports.import_tickets)
app.add_typer(tickets.app, name="tickets")
app.add_typer(labels.app, name="labels")
app.add_typer(site.app, name="site")
app.add_typer(manifest.app, name="manifest")


def _same(*names: str) -> dict[str, str]:
    """Settings whose parameters have the same names."""
    return dict(zip(names, names, strict=True))


WALL = ("isolate", "memory", "turn_timeout")

SHARED: dict[str, dict[str, str]] = {
    "gate": {"agents": "targets", **_same("concurrency", "budget", *WALL)},
    "fork": _same(*WALL),
    "diff": {"out": "out"},
}
"""Settings under [run] in `sab.toml` that other commands use, with their parameter names."""

RENAMED = {"--at-once": "--concurrency", "--allow-kin": "--allow-same-family"}
"""Renamed flags, by their old names."""


def refuse_old_names(words: list[str]) -> None:
    """If an old flag or command is typed, fail with the name of the new one."""
    for word in words:
        flag = word.partition("=")[0]
        if flag in RENAMED:
            raise Problem(f"{flag} is now {RENAMED[flag]}.")
    if words[:1] == ["dev"]:
        raise Problem("`sab dev provider` is now `sab fake`.")


def defaults_for(words: list[str]) -> dict[str, Any]:
    """The values that `sab.toml` sets for this command; they are also printed."""
    command = words[0] if words else ""
    if command not in ("run", *SHARED) or "--help" in words:
        return {}
    from supportagentbench.storage.config import CONFIG, read_config
    from supportagentbench.storage.git_file import place_of

    chosen = _typed_value(words, "--config") if command == "gate" else ""
    place = place_of(chosen) if chosen else CONFIG
    config = read_config(place).run
    given, saves = config.given(), command == "gate" and _typed_value(words, "--save")
    names = SHARED.get(command) or {key: key for key in given} | {"set": "set_name"}
    if command != "diff" and not saves and (told := config.told(names)):
        typer.echo(f"sab: {place}: {told}", err=True)
    given |= {
        key: partial(_not_typed, command, place, key, given[key])
        for key in ("agents", "customer")
        if key in given
    }
    if command == "gate" and given.get("isolate") is False:
        typer.echo(f"sab: {place}: isolate=false does not apply to a gate; type --trust.", err=True)
    if command == "gate":  # `--save` saves existing runs, so no agent is run.
        given["agents"] = [given.get("out", "runs")] if saves else given.get("agents", ())
    return {command: {name: given[key] for key, name in names.items() if key in given}}


def _typed_value(words: list[str], option: str) -> str:
    """The value that this option is given last; empty if it is not typed."""
    value = ""
    for word, following in pairwise([*words, ""]):
        name, equals, rest = word.partition("=")
        if name == option:
            value = rest if equals else following
    return value


def _not_typed(command: str, place: "Path | GitFile", key: str, value: Any) -> Any:
    """What `sab.toml` names, asked for only if nothing is typed; code and addresses are refused."""
    from supportagentbench.agents.resolve import is_known_agent
    from supportagentbench.jobs.customer import known_customer
    from supportagentbench.records.origin import FileOrigin

    origin = FileOrigin(str(place))
    if key == "customer":
        return known_customer(value, origin)
    return [origin.accept(key, name, is_known_agent(name), f"sab {command}") for name in value]


LINGER = 5.0
"""Seconds that threads which an agent left running have after the command is done."""


def leave_threads(code: object) -> None:
    """Make sure that the process ends, even if an agent left threads running that Python waits for."""
    left = [one for one in threading.enumerate() if one is not threading.main_thread() and not one.daemon]

    def end() -> None:
        time.sleep(LINGER)
        words = f"an agent left {counted(len(left), 'thread')} running"
        print(f"sab: the command is done, but {words}; the process ends now.", file=sys.stderr, flush=True)
        os._exit(code if isinstance(code, int) else int(code is not None))

    if left:
        threading.Thread(target=end, daemon=True).start()


def main() -> None:
    """Run `sab`, and end the process even if an agent left threads running."""
    try:
        run_command()
    except SystemExit as ended:
        leave_threads(ended.code)
        raise


def run_command() -> None:
    """Run the command. Errors that the user can fix are printed as one sentence; keys are never printed."""
    # Tens of thousands of verdicts without reference cycles: collecting often only costs time.
    gc.set_threshold(100_000, 50, 50)
    with sealed_output(), escaping_streams():
        try:
            refuse_old_names(sys.argv[1:])
            app(with_wall_named(sys.argv[1:]), prog_name="sab", default_map=defaults_for(sys.argv[1:]))
        except Problem as problem:
            typer.echo(without_secrets(on_one_line(f"sab: {problem}")), err=True)
            sys.exit(2)
        except KeyboardInterrupt:
            typer.echo("sab: stopped. Run the same command to resume.", err=True)
            sys.exit(130)
        except Exception:
            traceback.print_exc()  # Printed here, where keys are removed and text is still escaped.
            sys.exit(1)
