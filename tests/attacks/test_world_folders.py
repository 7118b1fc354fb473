"""World folders from strangers: each attack, what it did before, and the sentence that refuses it now.

Every one is refused at once, in one sentence that names the file.
"""

import os
import re
import time
from collections.abc import Callable
from pathlib import Path
from shutil import copytree, ignore_patterns, rmtree
from zipfile import ZIP_DEFLATED, ZipFile

import pytest

from commands import sab
from supportagentbench.language.ear import read_weights
from supportagentbench.records.problem import Problem
from supportagentbench.storage.yaml_file import read_document
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import World, read_world

SOON = 3.0
"""Seconds of this process: one on a quiet machine, and room for a busy one."""


@pytest.fixture
def shop(northline: World, tmp_path: Path) -> Path:
    """Northline as somebody else's folder."""
    return Path(copytree(northline.folder, tmp_path / "shop", ignore=ignore_patterns("__pycache__")))


def bomb(levels: int) -> str:
    """Ten times as many values with every line."""
    lines = ["a0: &a0 [x, x, x, x, x, x, x, x, x, x]"]
    lines += [f"a{n}: &a{n} [{', '.join([f'*a{n - 1}'] * 10)}]" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


def merges(levels: int) -> str:
    """Twice as many keys with every line."""
    lines = ["a0: &a0 {k: v}"]
    lines += [f"a{n}: &a{n} {{!!merge x: [*a{n - 1}, *a{n - 1}]}}" for n in range(1, levels)]
    return "\n".join(lines) + "\n"


DOCUMENTS = [
    ("aliases that multiply", "hung, then no memory", bomb(30), "with its aliases written out"),
    ("a long text by alias", "no memory", f"a: &a {'x' * 90_000}\nb: [{'*a, ' * 400}]\n", "aliases written"),
    ("an alias inside itself", "RecursionError", "a: &a [*a]\n", "an alias refers to itself"),
    ("a mapping as its own key", "RecursionError", "&a {? *a : b}\n", "an alias refers to itself"),
    ("merges that multiply", "hung", merges(40), "leave tags out"),
    ("20,000 levels in a column", "segmentation fault", "- " * 20_000 + "a\n", "levels deep"),
    ("a million brackets", "segmentation fault", "[" * 900_000, "more than 100,000 values"),
    ("90,000 brackets", "segmentation fault", "[" * 90_000, "levels deep"),
    ("levels hidden by comments", "segmentation fault", "[" * 50_000 + "#" + "]" * 50_000, "levels deep"),
    ("65 levels", "RecursionError in a check", "[" * 65 + "]" * 65, "levels deep"),
    ("a million values", "3 s", f"[{'a,' * 900_000}]", "more than 100,000 values"),
    ("5,000 digits", "ValueError", f"first: {'9' * 5_000}\n", "more than 18 digits"),
    ("a number of a megabyte", "4 s", f"first: 0x{'f' * 1_000_000}\n", "more than 18 digits"),
    ("an infinite number", "read", "first: .inf\n", "not finite"),
    ("a number that is none", "read", "first: .nan\n", "not finite"),
    ("a number beyond floats", "read", "first: 1.0e+999\n", "not finite"),
    ("a tag that lies", "ValueError", "first: !!int x\n", "not what its tag says"),
    ("a date that is none", "ValueError", "first: !!timestamp 2026-99-99\n", "leave tags out"),
    ("more than two megabytes", "read", f"a: {'x' * 2_000_000}\n", "more than 2,000,000 bytes"),
    ("a key that is a list", "not well-formed", "? [a, b]\n: c\n", "not well-formed"),
]  # fmt: skip


@pytest.mark.parametrize(
    ("before", "content", "words"), [row[1:] for row in DOCUMENTS], ids=[row[0] for row in DOCUMENTS]
)
def test_a_document(tmp_path: Path, before: str, content: str, words: str) -> None:
    path = tmp_path / "desk.yaml"
    path.write_text(content)
    problem = refused(lambda: read_document(path, dict))
    assert words in problem.sentence
    assert problem.place == path


def refused(do: Callable[[], object]) -> Problem:
    """The one sentence with which this is refused, soon."""
    clock = time.process_time()
    with pytest.raises(Problem) as caught:
        do()
    assert time.process_time() - clock < SOON
    assert "\n" not in str(caught.value)
    return caught.value


def pipe(path: Path) -> None:
    path.unlink(missing_ok=True)
    os.mkfifo(path)


def zeros(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to("/dev/zero")


def circle(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.symlink_to(path.name)


def folder(path: Path) -> None:
    path.unlink(missing_ok=True)
    path.mkdir()


def huge(path: Path) -> None:
    with path.open("wb") as file:
        file.truncate(50_000_000_000)  # It takes no room on the disk.


FILES = ("desk.yaml", "policy.yaml", "store.yaml", "cast.yaml", "wordings.yaml", "cases/tracking.yaml")
PUT: dict[Callable[[Path], None], tuple[str, str]] = {
    pipe: ("waited for ever", "a pipe or a device"),
    zeros: ("no memory", "a pipe or a device"),
    circle: ("OSError", "cannot be read"),
    huge: ("no memory", "more than"),
    folder: ("IsADirectoryError", "a folder"),
}


@pytest.mark.parametrize("name", [*FILES, "tools.py", "rows.py", "ear.npz", "deep/er/notes.yaml"])
@pytest.mark.parametrize("put", PUT, ids=lambda put: put.__name__)
def test_what_is_no_ordinary_file(shop: Path, put: Callable[[Path], None], name: str) -> None:
    (shop / name).parent.mkdir(parents=True, exist_ok=True)
    put(shop / name)
    if put is folder and name == "deep/er/notes.yaml":
        read_world(str(shop))  # A folder of any name is nobody's concern.
        return
    problem = refused(lambda: generate(read_world(str(shop))).reader)
    assert PUT[put][1] in problem.sentence or "no such file" in problem.sentence
    assert Path(name).name in str(problem.place)


def test_a_folder_that_contains_itself_is_read_once(shop: Path) -> None:
    before = read_world(str(shop)).digest
    (shop / "again").symlink_to(shop)
    (shop / "cases" / "up").symlink_to("..")
    assert read_world(str(shop)).digest == before


def test_cases_that_lead_in_a_circle(shop: Path) -> None:
    rmtree(shop / "cases")
    (shop / "cases").symlink_to("cases")
    assert "no case families" in refused(lambda: read_world(str(shop))).sentence


def test_a_folder_of_many_files(shop: Path) -> None:
    for number in range(5_001):
        (shop / f"{number}.txt").touch()
    assert "more than 5,000 files" in refused(lambda: read_world(str(shop))).sentence


def test_many_files_that_are_large_together(shop: Path) -> None:
    for number in range(10):
        (shop / "cases" / f"more{number}.yaml").write_bytes(b"#" * 1_900_000)
    assert "more than 16,000,000 bytes" in refused(lambda: read_world(str(shop))).sentence


@pytest.mark.parametrize("sets", ["  loop: a <loop>\n", "  one: <two> <two>\n  two: <one>\n"])
def test_wordings_that_contain_themselves(shop: Path, sets: str) -> None:
    """Before: hung."""
    path = shop / "wordings.yaml"
    text, name = path.read_text(), sets.strip().partition(":")[0]
    goods = f"goods:\n  thing:\n    en: <{name}>\n"
    path.write_text(text.replace("sets:\n", f"sets:\n{sets}", 1).replace("goods:\n", goods, 1))
    problem = refused(lambda: read_world(str(shop)))
    assert "contains itself" in problem.sentence
    assert problem.place == path


NUMBERS = [
    ("a day beyond the calendar", "OverflowError", "tracking", r"last: \[\d+", "last: [99999999999"),
    ("a day of antiquity", "12 s", "tracking", r"placed: \[\d+", "placed: [700000"),
    ("a line that is not there", "KeyError", "damaged_item", "arguments: {line: 1", "arguments: {line: 77"),
]


@pytest.mark.parametrize(
    ("before", "name", "old", "new"), [row[1:] for row in NUMBERS], ids=[row[0] for row in NUMBERS]
)
def test_numbers_that_make_no_case(shop: Path, before: str, name: str, old: str, new: str) -> None:
    path = shop / "cases" / f"{name}.yaml"
    text, found = re.subn(old, new, path.read_text())
    assert found
    path.write_text(text)
    made = generate(read_world(str(shop)))
    problem = refused(lambda: made.named(name))
    assert problem.place == path and problem.line


def test_weights_that_unpack_to_gigabytes(tmp_path: Path) -> None:
    path = tmp_path / "ear.npz"
    with ZipFile(path, "w", ZIP_DEFLATED) as parts, parts.open("weights.npy", "w") as part:
        for _ in range(40):
            part.write(bytes(1_000_000))
    assert "unpacks to more than" in refused(lambda: read_weights(path)).sentence


def test_code_that_is_too_deep_or_too_long(shop: Path) -> None:
    for text in ("x = " + "-" * 200_000 + "1\n", "x = " + "(" * 5_000 + "\n", "#" * 1_000_001):
        (shop / "more.py").write_text(text)
        problem = refused(lambda: read_world(str(shop)))
        assert problem.place == shop / "more.py"


def test_the_command_says_it_in_one_sentence(shop: Path) -> None:
    pipe(shop / "policy.yaml")
    done = sab("cases", "--world", shop)
    assert done.returncode == 2
    assert done.stderr.startswith("sab: ") and done.stderr.count("\n") == 1
