"""A record in a file of its own: what is wrong with it is told by file and line."""

from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record
from supportagentbench.storage.record_file import read_record


class Note(Record):
    """What the files here hold."""

    words: str


@pytest.mark.parametrize(
    ("data", "told"),
    [
        (b"", ":1: cannot be read: Input data was truncated; ask her."),
        (b'{\n"words":\n"a', ":3: cannot be read: Input data was truncated; ask her."),
        (b'{\n"words": "a\xff"}', ":2: cannot be read: it is not UTF-8 (byte 13); ask her."),
        (b'{\n\n"words": nan}', ":3: cannot be read: JSON is malformed: "),
        (b'{"words":' + b"[" * 100_000, ": cannot be read: "),
        (b'{"words": 1}', ": cannot be read: Expected `str`, got `int` - at `$.words`; ask her."),
    ],
)
def test_a_fault_is_told_with_its_line(tmp_path: Path, data: bytes, told: str) -> None:
    path = tmp_path / "note.json"
    path.write_bytes(data)
    with pytest.raises(Problem) as caught:
        read_record(path, Note, "ask her")
    assert str(caught.value).startswith(f"{path}{told}")


def test_what_is_no_file_is_told(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="is a folder; put an ordinary file there"):
        read_record(tmp_path, Note)
    with pytest.raises(Problem, match="there is no such file"):
        read_record(tmp_path / "nowhere", Note)
    with pytest.raises(Problem, match="is a pipe or a device; put an ordinary file there"):
        read_record(Path("/dev/zero"), Note)


def test_a_record_is_read(tmp_path: Path) -> None:
    (tmp_path / "note.json").write_text('{"words": "yes"}')
    assert read_record(tmp_path / "note.json", Note) == Note("yes")
