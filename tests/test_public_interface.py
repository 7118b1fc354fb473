"""The public interface: every name resolves, is documented, and costs nothing before it is used."""

import ast
import subprocess
import sys
from pathlib import Path

import pytest

import supportagentbench

ROOT = Path(__file__).parent.parent
NAMES = [name for name in supportagentbench.__all__ if name != "__version__"]


@pytest.mark.parametrize("name", NAMES)
def test_a_public_name_resolves_and_is_documented(name: str) -> None:
    found = getattr(supportagentbench, name)
    assert found.__doc__, f"{name} has no docstring"
    assert f"`{name}" in (ROOT / "docs" / "api.md").read_text()


def test_type_checkers_see_the_same_names() -> None:
    tree = ast.parse(Path(supportagentbench.__file__).read_text())
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    imports = [node for node in block.body if isinstance(node, ast.ImportFrom)]
    seen = {alias.name: node.module for node in imports for alias in node.names}
    homes = supportagentbench._HOMES
    assert seen == {name: f"supportagentbench.{home}" for name, home in homes.items()}
    assert sorted(seen) == sorted(NAMES) == sorted(set(dir(supportagentbench)) & set(NAMES))


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'nothing'"):
        _ = supportagentbench.nothing


def test_nothing_is_imported_before_it_is_used() -> None:
    code = "import sys, supportagentbench; print(*sys.modules)"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    loaded = {name for name in done.stdout.split() if name.startswith("supportagentbench.")}
    assert loaded == {"supportagentbench.records", "supportagentbench.records.version"}


def test_only_the_public_interface_is_at_the_root() -> None:
    root = Path(supportagentbench.__file__).parent
    assert {path.name for path in root.iterdir() if path.is_file()} == {"__init__.py", "py.typed"}
