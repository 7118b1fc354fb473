"""JSON Schema of a world's YAML files, written out for editors. `make schemas` makes them anew."""

from pathlib import Path

import msgspec

from supportagentbench.storage.yaml_file import schema_of
from supportagentbench.world.folder import DOCUMENTS

FOLDER = Path(__file__).parent


def schema_text(kind: str) -> str:
    """The schema of one kind of file, as it is printed and shipped."""
    schema = msgspec.json.encode(schema_of(DOCUMENTS[kind], f"{kind}.yaml"), order="deterministic")
    return msgspec.json.format(schema).decode() + "\n"
