"""Config: `sab.toml`, what a project wants `sab run` to do where nothing else is typed."""

import tomllib
from pathlib import Path
from typing import Annotated, Any

import msgspec
from msgspec import Meta

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.run import Channel, DeskKind

CONFIG = Path("sab.toml")
"""The file, in the current folder."""

Positive = Annotated[int, Meta(ge=1)]
Amount = Annotated[float, Meta(ge=0)]


class RunDefaults(Record, rename="kebab"):
    """Options of `sab run`, by their long names; what is typed counts more."""

    agents: tuple[str, ...] | None = None
    set: str | None = None
    runs: Positive | None = None
    out: str | None = None
    customer: str | None = None
    channel: Channel | None = None
    desk: DeskKind | None = None
    seed: int | None = None
    case_seed: int | None = None
    concurrency: Positive | None = None
    budget: Amount | None = None
    isolate: bool | None = None
    memory: Amount | None = None
    keep_env: tuple[str, ...] | None = None
    turn_timeout: Amount | None = None

    def given(self) -> dict[str, Any]:
        """What the file sets, by the names that options have in code."""
        found = {name: getattr(self, name) for name in self.__struct_fields__}
        return {name: value for name, value in found.items() if value is not None}

    def __str__(self) -> str:
        return ", ".join(
            f"{name.replace('_', '-')}={to_json(value).decode()}" for name, value in self.given().items()
        )


class Config(Record):
    """All of `sab.toml`."""

    run: RunDefaults = RunDefaults()
    gate: dict[str, Any] = {}
    """The rules of a gate; whoever keeps one reads them."""


def read_config(path: Path = CONFIG) -> Config:
    """The file's content; without a file, nothing is set."""
    if not path.exists():
        return Config()
    try:
        return msgspec.convert(tomllib.loads(path.read_text(encoding="utf-8")), Config)
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"is not well-formed TOML: {error}.", place=path) from None
    except UnicodeDecodeError:
        raise Problem("is not text; expected TOML in UTF-8.", place=path) from None
    except OSError as error:
        raise Problem(f"cannot be read ({error.strerror}).", place=path) from None
    except msgspec.ValidationError as error:
        known = ", ".join(name.replace("_", "-") for name in RunDefaults.__struct_fields__)
        sentence = str(error).replace("$.", "").replace(" - at `$`", "")
        raise Problem(f"{sentence}; [run] may have {known}.", place=path) from None
