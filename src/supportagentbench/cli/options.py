"""Options: arguments that several commands share, and how they are converted."""

import os
import sys
from collections.abc import Callable
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, TypeVar

import typer

from supportagentbench.records.problem import Problem
from supportagentbench.records.run import DeskKind
from supportagentbench.worlds import DEFAULT_WORLD

if TYPE_CHECKING:
    from rich.console import RenderableType

    from supportagentbench.desk.doors.process import WallKind
    from supportagentbench.records.choice import Choice
    from supportagentbench.results.load import ScoredRun
    from supportagentbench.world.drawn_cases import DrawnCases

WALLS = ("process", "sandbox")
"""What can be around an agent's code."""

PRIVATE_SEED = "SAB_PRIVATE_SEED"
"""The variable that may hold a private seed."""

LONGEST_SEED = 10_000
"""Characters of a private seed."""

RunPaths = Annotated[list[Path], typer.Argument(help="Run folders, or folders of runs.")]
WorldName = Annotated[str, typer.Option("--world", help="A shipped world, or a folder.")]

CustomWorld = Annotated[
    str, typer.Option("--world", help="Folder of the recorded world, if it is not a shipped one.")
]


def case_names(incomplete: str) -> list[str]:
    """Cases with this prefix, for shell completion."""
    return [name for name in case_set(DEFAULT_WORLD, 0).places if name.startswith(incomplete)]


def set_names(incomplete: str) -> list[str]:
    """Sets, case types and cases with this prefix; in a list, the prefix is the part after the last comma."""
    from supportagentbench.world.folder import WHOLE_SETS, sets_of, shipped_worlds

    before, comma, last = incomplete.rpartition(",")
    places = case_set(DEFAULT_WORLD, 0).places
    names = dict.fromkeys(
        (
            *WHOLE_SETS,
            *(name for world in shipped_worlds() for name in sets_of(world).split(",")),
            *(place.family.name for place in places.values()),
            *places,
        )
    )
    return [f"{before}{comma}{name}" for name in names if name.startswith(last)]


SetName = Annotated[
    str,
    typer.Option(
        "--set",
        help="core, twins, all, ladder, claims, a case type or a case; separate several with commas.",
        autocompletion=set_names,
    ),
]
DeskOption = Annotated[
    DeskKind,
    typer.Option(
        "--desk", help="Where the agent finds the policy: in its prompt or in a searchable handbook."
    ),
]
CaseSeed = Annotated[int, typer.Option("--case-seed", help="Seed that draws the cases; 0 is the public set.")]
CaseSeeds = Annotated[
    str,
    typer.Option(
        "--case-seed", help="Seed that draws the cases; 0 is the public set. Several: 0,1,2 or 0-4."
    ),
]
PrivateSeed = Annotated[
    str,
    typer.Option(
        "--private-seed",
        help="A private seed from `sab commit`, which draws the cases; only its commitment is stored. Other "
        f"processes can read it here: better set {PRIVATE_SEED}, or give --private-seed-file.",
    ),
]
PrivateSeedFile = Annotated[
    Path | None,
    typer.Option("--private-seed-file", help="A file with the private seed; -: standard input."),
]
Concurrency = Annotated[
    int, typer.Option("--concurrency", "-j", min=1, help="Conversations in flight, per agent or judge.")
]
BudgetLimit = Annotated[
    float | None,
    typer.Option(
        "--budget", min=0, help="Spending limit in dollars; no request is sent that might exceed it."
    ),
]
Yes = Annotated[bool, typer.Option("--yes", "-y", help="Spend without asking.")]
Port = Annotated[
    int, typer.Option("--port", min=0, max=65535, help="Port of the live view; 0: any free one.")
]
Display = Annotated[str, typer.Option("--display", help="full, plain, json or none.")]
Live = Annotated[bool, typer.Option("--live", help="Also serve a live view of the job.")]
AsJson = Annotated[bool, typer.Option("--json", help="Print JSON.")]

Made = TypeVar("Made")


def wall_value(value: str | bool) -> str:
    """The value of `--isolate`, or of `isolate` in `sab.toml`, which may be true or false."""
    if isinstance(value, bool):
        return "process" if value else ""
    if value not in ("", *WALLS):
        raise typer.BadParameter(f"{value!r} is neither process nor sandbox.")
    return value


def wall_kind(value: str) -> "WallKind":
    """The value of `--isolate`, if there is one."""
    return "sandbox" if value == "sandbox" else "process"


def with_wall_named(words: list[str]) -> list[str]:
    """A command with `--isolate` written out, so that the next word is not taken for its value."""
    return ["--isolate=process" if word == "--isolate" else word for word in words]


def number(value: float) -> float:
    """Refuse `nan`, which passes every range check."""
    if isnan(value):
        raise typer.BadParameter("nan is not a number.")
    return value


def world_of(world: str, wanted: str) -> str:
    """The chosen world; by default the shipped one that has these sets or cases."""
    from supportagentbench.world.folder import world_with

    return world_with(wanted, world) if world == DEFAULT_WORLD else world


def case_set(world: str, seed: int, secret: str = "") -> "DrawnCases":
    """The cases of a world, drawn with a public or a private seed."""
    from supportagentbench.world.drawn_cases import generate
    from supportagentbench.world.folder import read_world
    from supportagentbench.world.seed import numbered, private

    return generate(read_world(world), private(secret) if secret else numbered(seed))


def private_seed_of(given: str, file: Path | None = None, *, isolated: bool = False) -> str:
    """The private seed from the command line, a file or the environment, where it does not stay.

    `isolated`: say so if an agent in a separate process can read it there.
    """
    set_outside = os.environ.pop(PRIVATE_SEED, "")
    if given and file:
        raise Problem("a private seed is given twice; leave out --private-seed.")
    if isolated and (given or (file and file.is_file())):
        where = "a file" if file else "the command line"
        typer.echo(
            f"sab: isolated agents can read the private seed from {where}; set {PRIVATE_SEED} instead.",
            err=True,
        )
    if not file:
        return given or set_outside
    try:
        words = sys.stdin.read(LONGEST_SEED) if str(file) == "-" else _start_of(file)
    except (OSError, UnicodeDecodeError) as error:
        raise Problem(f"the private seed cannot be read: {error}.", place=file) from None
    if not words.strip():
        raise Problem("has no private seed; `sab commit` makes one.", place=file)
    return words.strip()


def _start_of(file: Path) -> str:
    with file.open(encoding="utf-8") as opened:
        return opened.read(LONGEST_SEED)


Limits = Annotated[
    list[str] | None,
    typer.Option("--limit", help="The most mistakes of a kind, in percent: unsafe=12, escalation=10."),
]

DeskOptions = Annotated[
    list[str] | None,
    typer.Option(
        "--at-desk", help="The desk to choose for: tickets=5000, person=6, mix=NAME or FILE, goods=80."
    ),
]


def chosen(limits: list[str] | None, desk: list[str] | None) -> "Choice":
    """The limits and the desk by which agents are recommended: those of sab.toml, then the options."""
    from supportagentbench.board.choice import choice_with
    from supportagentbench.storage.config import read_config

    return choice_with(read_config().choice, limits or (), desk or ())


def load(paths: list[Path]) -> "list[ScoredRun]":
    """The runs in these folders; those without scores are scored on all processors."""
    from supportagentbench.concurrency.processors import processors
    from supportagentbench.results.load import load_runs

    return load_runs(judged_once(paths), processes=processors())


def once_each(paths: list[Path]) -> list[Path]:
    """The run folders in these places, without copies; each copy is reported in one sentence."""
    from supportagentbench.storage.run_folders import distinct_runs

    found = distinct_runs(paths)
    for sentence in found.sentences:
        typer.echo(f"sab: {sentence}", err=True)
    return found.folders


def judged_once(paths: list[Path]) -> list[Path]:
    """The same where judgements count: those that are not what they claim to be are reported, too."""
    from supportagentbench.storage.run_folders import ignored_judgements

    folders = once_each(paths)
    for sentence in ignored_judgements(folders):
        typer.echo(f"sab: {sentence}", err=True)
    return folders


def print_or_json(made: Made, as_json: bool, *views: "Callable[[Made], RenderableType]") -> None:
    """Print a record as JSON, or as these views show it."""
    from supportagentbench.records.record import to_json
    from supportagentbench.terminal.console import EscapingConsole

    if as_json:
        typer.echo(to_json(made).decode())
        return
    for number, view in enumerate(views):
        EscapingConsole().print(*([""] * bool(number)), view(made))
