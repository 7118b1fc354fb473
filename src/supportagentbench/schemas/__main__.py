"""Writes every schema to this folder."""

from supportagentbench.schemas import FOLDER, schema_text
from supportagentbench.world.folder import DOCUMENTS

for kind in DOCUMENTS:
    (FOLDER / f"{kind}.schema.json").write_text(schema_text(kind), encoding="utf-8")
