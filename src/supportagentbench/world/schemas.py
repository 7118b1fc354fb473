"""JSON Schema of a world's YAML files, for editors, and outlines. `make schemas` writes all shipped ones."""

import sys
from pathlib import Path

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import write_whole
from supportagentbench.storage.yaml_file import schema_of
from supportagentbench.world.code import read_kit
from supportagentbench.world.folder import documents, find_world, read_world, shipped_worlds
from supportagentbench.world.kit import Kit
from supportagentbench.world.outline import OUTLINES, write_outlines


def schema_text(kit: Kit, kind: str) -> str:
    """The schema of one kind of file of a world with this kit."""
    known = documents(kit)
    if kind not in known:
        raise Problem(f"there is no kind of file called {kind!r}; use one of {', '.join(known)}.")
    schema = msgspec.json.encode(schema_of(known[kind], f"{kind}.yaml"), order="deterministic")
    return msgspec.json.format(schema).decode() + "\n"


def write_schemas(folder: Path) -> None:
    """All schemas of a world, to its own folder."""
    kit = read_kit(folder)
    for kind in documents(kit):
        write_whole(folder / "schemas" / f"{kind}.schema.json", schema_text(kit, kind).encode())


if __name__ == "__main__":
    for world in sys.argv[1:] or shipped_worlds():
        folder = find_world(world)
        write_schemas(folder)
        # An outline on file would stand for a family whose file has not changed, even without a new field.
        (folder / OUTLINES).unlink(missing_ok=True)
        write_outlines(folder, {one.name: one.outline for one in read_world(world).families})
