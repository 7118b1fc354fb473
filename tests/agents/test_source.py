"""An agent's source: every file of its own that it imports, now or later, and none of anybody else's."""

import sys
from pathlib import Path

import pytest

from supportagentbench.agents.source import source_of


@pytest.fixture
def shop(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with an agent in a file, its neighbours, and a package."""
    files = {
        "my_shop.py": "import json, msgspec, texts\nfrom supportagentbench import AgentFailure\n"
        "def reply():\n    import later\n    __import__('by_name')\n",
        "texts.py": "import my_shop\nHELLO = 'Hello'\n",
        "later.py": "",
        "by_name.py": "",
        "other.py": "",
        "big/__init__.py": "",
        "big/agent.py": "from . import prompts\nfrom .parts.words import hello\n",
        "big/prompts.py": "",
        "big/unused.py": "",
        "big/parts/__init__.py": "",
        "big/parts/words.py": "from ..prompts import hello\n",
        "broken.py": "def (",
    }
    for name, text in files.items():
        (tmp_path / name).parent.mkdir(exist_ok=True)
        (tmp_path / name).write_text(text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_a_file_with_its_neighbours_also_those_it_imports_late(shop: Path) -> None:
    assert [*source_of("my_shop.py:MyAgent")] == ["by_name.py", "later.py", "my_shop.py", "texts.py"]


def test_the_same_agent_has_the_same_source_however_it_is_named(shop: Path) -> None:
    found = source_of("my_shop.py:MyAgent")
    assert source_of("my_shop:MyAgent") == source_of(f"{shop}/my_shop.py:Other") == found
    assert source_of("my_shop.py") == found


def test_a_package_with_relative_imports(shop: Path) -> None:
    assert [*source_of("big.agent:Agent")] == [
        "big/__init__.py",
        "big/agent.py",
        "big/parts/__init__.py",
        "big/parts/words.py",
        "big/prompts.py",
    ]


def test_one_changed_file_is_seen_and_others_are_not(shop: Path) -> None:
    before = source_of("my_shop.py:MyAgent")
    (shop / "other.py").write_text("x = 1")
    assert source_of("my_shop.py:MyAgent") == before
    (shop / "texts.py").write_text("HELLO = 'Hi'")
    after = source_of("my_shop.py:MyAgent")
    assert {file for file in after if after[file] != before[file]} == {"texts.py"}


def test_nothing_is_run_and_what_cannot_be_read_as_python_counts_by_its_bytes(shop: Path) -> None:
    assert [*source_of("broken.py:Agent")] == ["broken.py"]
    assert "texts" not in sys.modules


def test_agents_of_this_package_have_its_version_instead() -> None:
    assert source_of("supportagentbench.calibration.dummies:Silent") == {}
