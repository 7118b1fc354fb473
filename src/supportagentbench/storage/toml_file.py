"""TOML file: one record in a file that people write; every fault is reported in one sentence."""

import tomllib
from pathlib import Path
from typing import TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.storage.json_file import read_file

Kind = TypeVar("Kind")

LARGEST = 1_000_000
"""Bytes of such a file."""


def read_toml(path: Path, kind: type[Kind], hint: str) -> Kind:
    """The record in this file, or a Problem; `hint` says what the file may have."""
    data = read_file(path)
    if len(data) > LARGEST:
        raise Problem(f"has more than {LARGEST:,} bytes; expected a short TOML file.", place=path)
    try:
        return msgspec.convert(tomllib.loads(data.decode()), kind)
    except tomllib.TOMLDecodeError as error:
        raise Problem(f"is not well-formed TOML: {error}.", place=path) from None
    except RecursionError:
        raise Problem("is not well-formed TOML: it is nested too deeply.", place=path) from None
    except UnicodeDecodeError:
        raise Problem("is not text; expected TOML in UTF-8.", place=path) from None
    except msgspec.ValidationError as error:
        sentence = str(error).replace("$.", "").replace(" - at `$`", "")
        raise Problem(f"{sentence}; {hint}.", place=path) from None
