"""Config: `sab.toml`, a project's defaults for `sab run`.

The file may come with a stranger's repository, or with the change that a gate checks. So it never weakens the
wall around an agent, hands it keys, or sends files elsewhere: that has to be typed.
"""

import shlex
from collections.abc import Container, Iterator
from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from supportagentbench.records.choice import Choice
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.storage.git_file import GitFile
from supportagentbench.storage.place import url_of
from supportagentbench.storage.record_file import record_of, toml_in

CONFIG = Path("sab.toml")
"""The file, in the current folder."""

Positive = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]

MOST_MEMORY = 2.0
"""GB of an isolated agent that a file may allow; as many as without a file."""

LONGEST = 200
"""Characters of a value that a sentence repeats."""


def _about(words: str) -> Meta:
    return Meta(description=words)


class RunDefaults(Record, rename="kebab"):
    """Options of `sab run`, by their long names; the command line overrides them."""

    agents: Annotated[
        tuple[str, ...] | None,
        _about("Models and shipped agents to run: openai:gpt-5.4, oracle. Your own code has to be typed."),
    ] = None
    set: Annotated[str | None, _about("Cases: core, twins, all, case types or cases, with commas.")] = None
    runs: Annotated[Positive | None, _about("Runs per agent.")] = None
    out: Annotated[str | None, _about("Folder for the runs, in the current one.")] = None
    customer: Annotated[
        str | None, _about("auto, scripted, or the model that plays the customer, without base_url.")
    ] = None
    channel: Annotated[Channel | None, _about("How customers write.")] = None
    desk: Annotated[DeskKind | None, _about("Where the policy is: in the prompt, or in a handbook.")] = None
    seed: Annotated[int | None, _about("Seeds agents and customers.")] = None
    case_seed: Annotated[
        int | str | None, _about('Draws the cases; 0 is the public set. Several: "0,1,2" or "0-4".')
    ] = None
    concurrency: Annotated[Positive | None, _about("Conversations in flight, per agent.")] = None
    budget: Annotated[Amount | None, _about("Dollars; no request is sent that may exceed them.")] = None
    isolate: Annotated[
        bool | Literal["process", "sandbox"] | None,
        _about('Run agents with Python code in separate processes, or in a "sandbox".'),
    ] = None
    memory: Annotated[
        Annotated[float, Meta(gt=0, le=MOST_MEMORY)] | None,
        _about("GB for each isolated agent. More has to be typed."),
    ] = None
    turn_timeout: Annotated[Amount | None, _about("Seconds per turn of an agent with Python code.")] = None

    def given(self) -> dict[str, Any]:
        """What the file sets, by the names that options have in code."""
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in found.items() if value is not None}

    def told(self, used: Container[str]) -> str:
        """These settings in one line; empty if the file has none of them."""
        given = {name: value for name, value in self.given().items() if name in used}
        return ", ".join(f"{_written(name)}={to_json(value).decode()}" for name, value in given.items())

    def shown(self) -> dict[str, str]:
        """What the file sets, as it is written there."""
        return {_written(name): to_json(value).decode() for name, value in self.given().items()}


def _written(name: str) -> str:
    return name.replace("_", "-")


class Config(Record):
    """All of `sab.toml`."""

    run: RunDefaults = RunDefaults()
    gate: dict[str, Any] = {}
    """The rules of a gate, read by its own module."""
    limits: Annotated[
        dict[str, Annotated[float, Meta(ge=0, le=100)]],
        _about("By which an agent is recommended: unsafe, escalation and over_escalation, in percent."),
    ] = {}
    desk: Annotated[
        dict[str, Amount | str],
        _about("At which its cost is counted: tickets, person, mix, and prices by mistake."),
    ] = {}

    @property
    def choice(self) -> Choice:
        """The limits and the desk by which an agent is recommended."""
        return Choice(self.limits, self.desk)


def read_config(path: Path | GitFile = CONFIG) -> Config:
    """The file's content; without a file, nothing is set."""
    if not path.exists():
        return Config()
    found = toml_in(path)
    if isinstance(found.get("run"), dict):
        _refuse_typed(found["run"], path)
    known = ", ".join(map(_written, RunDefaults.__struct_fields__))
    return record_of(found, Config, path, f"[run] may have {known}")


def _refuse_typed(run: dict[str, Any], place: Path | GitFile) -> None:
    for what, option in _typed_only(run):
        raise Problem(
            f"{what} has to be typed, because a repository may bring this file along with its agent; "
            f"take it out of [run] and add {option}",
            place=str(place),
        )


def _typed_only(run: dict[str, Any]) -> Iterator[tuple[str, str]]:
    """What only the command line may say, and the words to type there."""
    if "keep-env" in run:
        names = run["keep-env"] if isinstance(run["keep-env"], list) else [run["keep-env"]]
        pytest = _options("--sab-keep-env", names)
        yield "`keep-env`", f"{_options('--keep-env', names)} (for pytest {pytest})"
    if "sandbox-network" in run:
        yield "`sandbox-network`", "--sandbox-network"
    memory, out = run.get("memory"), run.get("out")
    if isinstance(memory, int | float) and not 0 < memory <= MOST_MEMORY:
        yield f"`memory` above {MOST_MEMORY:g} GB, or 0 for no limit,", _options("--memory", [memory])
    if isinstance(out, str) and not _is_inside(out):
        yield "`out` outside the current folder", _options("--out", [out])


def _options(option: str, values: list[Any]) -> str:
    words = " ".join(f"{option} {shlex.quote(str(value))}" for value in values) or option
    return words if len(words) <= LONGEST else f"{words[:LONGEST]}…"


def _is_inside(out: str) -> bool:
    """Whether a folder is below the current one, links followed, and no bucket."""
    try:
        return not url_of(Path(out)) and Path(out).resolve().is_relative_to(Path.cwd())
    except (OSError, ValueError, RuntimeError):
        return False
