"""Config: `sab.toml`, a project's defaults for `sab run`.

The file may come with the agent that it is for, so it makes the wall around the agent's code no lower: what
gives that code a variable, the network or more memory has to be typed.
"""

from pathlib import Path
from typing import Annotated, Any, Literal

from msgspec import Meta

from supportagentbench.records.record import Record, to_json
from supportagentbench.records.run import Channel, DeskKind
from supportagentbench.storage.git_file import GitFile
from supportagentbench.storage.record_file import read_toml

CONFIG = Path("sab.toml")
"""The file, in the current folder."""

Positive = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]

MOST_MEMORY = 2.0
"""GB for an isolated agent, as much as without a word."""

TYPED = f"--keep-env, --sandbox-network and --memory of more than {MOST_MEMORY:g} have to be typed"


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
    out: Annotated[str | None, _about("Folder for the runs.")] = None
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
        Annotated[float, Meta(gt=0, le=MOST_MEMORY)] | None, _about("GB for each isolated agent, at most 2.")
    ] = None
    turn_timeout: Annotated[Amount | None, _about("Seconds per turn of an agent with Python code.")] = None

    def given(self) -> dict[str, Any]:
        """What the file sets, by the names that options have in code."""
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in found.items() if value is not None}

    def __str__(self) -> str:
        return ", ".join(f"{name}={value}" for name, value in self.shown().items())

    def shown(self) -> dict[str, str]:
        """The same as it is written in the file."""
        return {name.replace("_", "-"): to_json(value).decode() for name, value in self.given().items()}


class Config(Record):
    """All of `sab.toml`."""

    run: RunDefaults = RunDefaults()
    gate: dict[str, Any] = {}
    """The rules of a gate, read by its own module."""


def read_config(path: Path | GitFile = CONFIG) -> Config:
    """The file's content; without a file, nothing is set."""
    if not path.exists():
        return Config()
    known = ", ".join(name.replace("_", "-") for name in RunDefaults.__struct_fields__)
    return read_toml(path, Config, f"[run] may have {known}; {TYPED}")
