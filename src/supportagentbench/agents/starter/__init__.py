"""Starter: the files that `sab init` writes: an agent to modify, and everything needed to run it."""

from importlib.resources import files
from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import write_new
from supportagentbench.storage.place import inside

FILES = {
    "my_agent.py": "my_agent.py.txt",
    "sab.toml": "sab.toml",
    "sab.schema.json": "sab.schema.json",
    ".github/workflows/support-desk.yml": "workflow.yml",
}
"""The name of each file in a project, and its name here."""


def write_starter(folder: Path) -> list[Path]:
    """Write all files into this folder, or none if one of them exists."""
    places = {name: inside(folder, name) for name in FILES}
    if there := [str(place) for place in places.values() if place.exists() or place.is_symlink()]:
        verb = "exists" if len(there) == 1 else "exist"
        raise Problem(f"{', '.join(there)} {verb}; nothing was written. Try another folder: `sab init DIR`.")
    for name, place in places.items():
        write_new(place, files(__name__).joinpath(FILES[name]).read_bytes())
    return [*places.values()]
