"""Writes every schema to this folder."""

from supportagentbench.world.folder import DOCUMENTS
from supportagentbench.world.schemas import FOLDER, schema_text

for kind in DOCUMENTS:
    (FOLDER / f"{kind}.schema.json").write_text(schema_text(kind), encoding="utf-8")
