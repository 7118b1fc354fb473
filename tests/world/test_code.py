"""World code is checked before it runs, and two worlds in one process never meet."""

import py_compile
import sys
from pathlib import Path
from shutil import copytree, ignore_patterns

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.world.code import check_code, code_files, read_kit
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import World, read_world

REUSES = "from supportagentbench.worlds.northline.tools import KIT\n"


def written(folder: Path, **files: str) -> Path:
    folder.mkdir(exist_ok=True)
    for name, text in files.items():
        (folder / f"{name}.py").write_text(text)
    return folder


def copied(northline: World, folder: Path) -> Path:
    """Northline as somebody else's folder."""
    copytree(northline.folder, folder, ignore=ignore_patterns("__pycache__"))
    return folder


@pytest.mark.parametrize(
    ("text", "line", "words"),
    [
        ("import os\n", 1, "imports os; world code may import its own files, and collections,"),
        ("import re\nimport os.path\n", 2, "imports os.path"),
        ("from subprocess import run\n", 1, "imports subprocess"),
        (
            "from supportagentbench.world.label import derive_label\n",
            1,
            "imports supportagentbench.world.label",
        ),
        ("from supportagentbench.worldskit import x\n", 1, "imports supportagentbench.worldskit"),
        ("from ..northline import rows\n", 1, "imports .."),
        ("def draw():\n    import random, socket\n", 2, "imports socket"),
        ("x = open('/etc/passwd')\n", 1, "uses open"),
        ("x = eval('1')\n", 1, "uses eval"),
        ("x = __import__('os')\n", 1, "uses __import__"),
        ("x = __builtins__\n", 1, "uses __builtins__"),
        ("x = ().__class__\n", 1, "uses .__class__"),
        ("import random\nx = random._os\n", 2, "uses ._os"),
        ("def (:\n", 1, "is not Python"),
        ("x = 1\0\n", None, "is not Python"),
    ],
)
def test_code_that_no_shop_needs_is_refused(tmp_path: Path, text: str, line: int | None, words: str) -> None:
    folder = written(tmp_path / "shop", tools=REUSES, other=text)
    with pytest.raises(Problem) as caught:
        read_kit(folder)
    assert caught.value.sentence.startswith(words)
    assert (caught.value.place, caught.value.line) == (folder / "other.py", line)


def test_the_shipped_code_keeps_the_same_rules(northline: World) -> None:
    assert len(code_files(northline.folder)) > 5
    for path in code_files(northline.folder):
        check_code(path)


@pytest.mark.parametrize(
    ("tools", "words"),
    [
        ("KIT = 3\n", r"tools.py: has no `KIT = Kit\(...\)`"),
        ("x = 1\nKIT = x / 0\n", "tools.py:2: cannot be loaded: ZeroDivisionError"),
        ("from .rows import nothing\n", "tools.py:1: cannot be loaded: ModuleNotFoundError"),
        (REUSES.replace("KIT", "KIT as N") + "from dataclasses import replace\nKIT = replace(N, verbs=())\n",
         "tools.py: cancel_order needs both a function in `writes` and a verb in `verbs`"),
    ],
)  # fmt: skip
def test_a_kit_that_does_not_fit_is_named(tmp_path: Path, tools: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        read_kit(written(tmp_path / "shop", tools=tools))


def test_a_folder_without_code_is_no_world(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"tools\.py: there is no such file; docs/add-a-world\.md"):
        read_kit(tmp_path)


def test_a_failed_load_leaves_nothing_behind(tmp_path: Path) -> None:
    before = set(sys.modules)
    folder = written(tmp_path / "shop", rows="ROW = 1\n", tools="from .rows import ROW\nKIT = ROW / 0\n")
    with pytest.raises(Problem, match="ZeroDivisionError"):
        read_kit(folder)
    assert {name for name in set(sys.modules) - before if name.startswith("sab_world_")} == set()


def test_a_copied_world_draws_the_same_cases_with_code_of_its_own(northline: World, tmp_path: Path) -> None:
    other = read_world(str(copied(northline, tmp_path / "shop")))
    assert other.digest == northline.digest
    assert other.kit.scene is not northline.kit.scene
    here, there = generate(northline), generate(other)
    assert here.cases["wrong_item-1"] == there.cases["wrong_item-1"]


def test_two_worlds_with_files_of_the_same_names_do_not_clash(northline: World, tmp_path: Path) -> None:
    one, other = (copied(northline, tmp_path / name) for name in ("one", "other"))
    facts = other / "facts.py"
    facts.write_text(facts.read_text().replace('return "lost"', 'return "moving"'))
    first, second, again = read_kit(one), read_kit(other), read_kit(one)
    assert first.facts["delivery"].read is not second.facts["delivery"].read
    assert first is again, "the same code is loaded once"


def test_the_digest_of_a_world_covers_its_code(northline: World, tmp_path: Path) -> None:
    folder = copied(northline, tmp_path / "shop")
    (folder / "writes.py").write_text((folder / "writes.py").read_text() + "\n# More.\n")
    assert read_world(str(folder)).digest != northline.digest


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("parts/rows.py", "subfolder"),
        ("cases/rows.py", "subfolder"),
        ("rows.pyc", "compiled"),
        ("parts/rows.so", "compiled"),
    ],
)
def test_code_that_is_not_in_the_digest_is_refused(
    tmp_path: Path, northline: World, name: str, words: str
) -> None:
    folder = copied(northline, tmp_path / "shop")
    before = read_world(str(folder)).digest
    (folder / "parts").mkdir()
    assert read_world(str(folder)).digest == before
    (folder / name).write_text("x = 1\n")
    with pytest.raises(Problem, match=words) as caught:
        read_world(str(folder))
    assert caught.value.place == folder / name


def test_a_compiled_copy_is_never_run_in_place_of_its_source(tmp_path: Path) -> None:
    folder = written(tmp_path / "shop", tools=f"from .other import NAME\n{REUSES}", other="NAME = 'source'\n")
    evil = tmp_path / "evil.py"
    evil.write_text("NAME = 'copy'\nraise SystemExit\n")
    copy = folder / "__pycache__" / f"other.{sys.implementation.cache_tag}.pyc"
    py_compile.compile(str(evil), str(copy), invalidation_mode=py_compile.PycInvalidationMode.UNCHECKED_HASH)
    read_kit(folder)


def test_a_link_leads_to_no_code(tmp_path: Path) -> None:
    written(tmp_path / "elsewhere", __init__="x = 1\n")
    folder = written(tmp_path / "shop", tools=f"from .parts import x\n{REUSES}")
    (folder / "parts").symlink_to(tmp_path / "elsewhere")
    with pytest.raises(Problem, match="ModuleNotFoundError"):
        read_kit(folder)
