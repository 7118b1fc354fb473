"""Starter: the files that `sab init` writes: an agent to modify, and everything needed to run it."""

from importlib.resources import files
from pathlib import Path

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import LARGEST_WRITTEN, NoSuchFile, append, read_bounded, write_new
from supportagentbench.storage.place import inside

FILES = {
    "my_agent.py": "my_agent.py.txt",
    "sab.toml": "sab.toml",
    "sab.schema.json": "sab.schema.json",
    ".github/workflows/support-desk.yml": "workflow.yml",
}
"""The name of each file in a project, and its name here."""


IGNORED = "runs/"
"""The folder of runs: committed, they could be taken for results of the pipeline."""


def write_starter(folder: Path) -> list[Path]:
    """Write all files into this folder, or none if one of them exists; `.gitignore` gets one more line."""
    places = {name: inside(folder, name) for name in FILES}
    if there := [str(place) for place in places.values() if place.exists() or place.is_symlink()]:
        verb = "exists" if len(there) == 1 else "exist"
        raise Problem(f"{', '.join(there)} {verb}; nothing was written. Try another folder: `sab init DIR`.")
    for name, place in places.items():
        write_new(place, files(__name__).joinpath(FILES[name]).read_bytes())
    return [*places.values(), *_ignore_runs(inside(folder, ".gitignore"))]


def _ignore_runs(place: Path) -> list[Path]:
    """Keep runs out of git; the file that was written, if any."""
    try:
        before = read_bounded(place, LARGEST_WRITTEN)
    except NoSuchFile:
        before = b""
    if any(line.strip().strip(b"/") == IGNORED.strip("/").encode() for line in before.splitlines()):
        return []
    end = "" if before.endswith(b"\n") or not before else "\n"
    append(place, f"{end}{IGNORED}\n".encode())
    return [place]
