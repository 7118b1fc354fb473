"""The shipped schemas are those of the code, and the shipped YAML names them for editors."""

import json
from pathlib import Path

import pytest

from supportagentbench.world.folder import DOCUMENTS, SHIPPED
from supportagentbench.world.schemas import FOLDER, schema_text


@pytest.mark.parametrize("kind", DOCUMENTS)
def test_a_shipped_schema_is_up_to_date(kind: str) -> None:
    assert (FOLDER / f"{kind}.schema.json").read_text() == schema_text(kind), "run `make schemas`"
    assert json.loads(schema_text(kind))["title"] == f"{kind}.yaml"


@pytest.mark.parametrize("path", sorted(SHIPPED.rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_yaml_file_names_its_schema_and_carries_the_canary(path: Path) -> None:
    first, second = path.read_text().splitlines()[:2]
    named = first.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / named).resolve().is_file()
    assert second == "# canary: sab-canary-5d1c9f0e-northline"
