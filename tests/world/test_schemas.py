"""The shipped schemas are those of the code, and the shipped YAML names them for editors."""

import json
from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.code import SHIPPED
from supportagentbench.world.folder import World
from supportagentbench.world.schemas import schema_text, write_schemas


@pytest.mark.parametrize("kind", ["desk", "policy", "store", "cast", "family", "wordings"])
def test_a_shipped_schema_is_up_to_date(northline: World, kind: str) -> None:
    text = schema_text(northline.kit, kind)
    assert (northline.folder / "schemas" / f"{kind}.schema.json").read_text() == text, "run `make schemas`"
    assert json.loads(text)["title"] == f"{kind}.yaml"


def test_a_schema_knows_the_records_of_its_world(northline: World) -> None:
    assert "return_days" in schema_text(northline.kit, "policy")
    assert "moves_to" in schema_text(northline.kit, "family")


def test_a_kind_of_file_that_no_world_has_is_refused(northline: World) -> None:
    with pytest.raises(Problem, match="no kind of file called 'orders'; use one of desk, policy"):
        schema_text(northline.kit, "orders")


def test_a_world_gets_its_schemas_beside_its_files(tmp_path: Path) -> None:
    (tmp_path / "tools.py").write_text("from supportagentbench.worlds.northline.tools import KIT\n")
    write_schemas(tmp_path)
    assert len(list((tmp_path / "schemas").glob("*.schema.json"))) == 6


@pytest.mark.parametrize("path", sorted(SHIPPED.rglob("*.yaml")), ids=lambda path: path.stem)
def test_every_yaml_file_names_its_schema_and_carries_the_canary(path: Path) -> None:
    first, second = path.read_text().splitlines()[:2]
    named = first.removeprefix("# yaml-language-server: $schema=")
    assert (path.parent / named).resolve().is_file()
    assert second == "# canary: sab-canary-5d1c9f0e-northline"
