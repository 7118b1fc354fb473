"""A fault in a YAML file is told in one sentence with its file and line."""

from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.storage.yaml_file import locate_entry, read_document


class Shelf(Record):
    """A stand-in for a world's file."""

    name: str
    books: tuple[str, ...] = ()
    open: bool = True


def problem_of(path: Path, content: str | bytes) -> Problem:
    path.write_bytes(content if isinstance(content, bytes) else content.encode())
    with pytest.raises(Problem) as caught:
        read_document(path, Shelf)
    assert "\n" not in str(caught.value)
    return caught.value


def test_what_is_right_is_read(tmp_path: Path) -> None:
    path = tmp_path / "shelf.yaml"
    path.write_text("name: no\nbooks: [2026-06-29]\nopen: false\n")
    assert read_document(path, Shelf) == Shelf("no", ("2026-06-29",), False)


@pytest.mark.parametrize(
    ("content", "line", "words"),
    [
        ("name: a\nbooks: []\ncolour: red\n", 3, "unknown field `colour`"),
        ("name: a\nbooks:\n- x\n- [y]\n", 4, "Expected `str`, got `array`"),
        ("books: []\n", 1, "missing required field `name`"),
        ("name: a\nname: b\n", 2, "duplicate key `name`"),
        ("name: [a\n", 2, "not well-formed YAML"),
        ("name: !!python/object:os.system x\n", 1, "leave tags out"),
    ],
)
def test_a_fault_names_its_line(tmp_path: Path, content: str, line: int, words: str) -> None:
    problem = problem_of(tmp_path / "shelf.yaml", content)
    assert problem.line == line
    assert words in problem.sentence


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"", "is empty"),
        (b"# only a comment\n", "is empty"),
        (b"\x89PNG\r\n\x1a\n\x00\xff", "is not text"),
        (b"name: \x00\n", "not well-formed"),
    ],
)
def test_a_file_that_is_no_yaml_is_named(tmp_path: Path, content: bytes, words: str) -> None:
    assert words in problem_of(tmp_path / "shelf.yaml", content).sentence


@pytest.mark.parametrize(
    ("keys", "line"),
    [
        (("acts", "send-it=by mail"), 2),
        (("acts", "a.b[0]", "act"), 4),
        (("acts", "a.b[0]", "none"), 3),
        (("acts", "none", "act"), 1),
        (("list", "0"), 5),
        ((), 1),
    ],
)
def test_an_entry_is_found_whatever_its_key_looks_like(
    tmp_path: Path, keys: tuple[str, ...], line: int
) -> None:
    path = tmp_path / "map.yaml"
    path.write_text("acts:\n  send-it=by mail: x\n  'a.b[0]':\n    act: y\nlist: [z]\n")
    assert locate_entry(path, *keys) == line


def test_a_missing_file_is_named(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"shelf\.yaml: there is no such file"):
        read_document(tmp_path / "shelf.yaml", Shelf)
