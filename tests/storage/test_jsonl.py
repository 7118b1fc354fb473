"""Lines of records: whole ones are read, torn ones passed over or cut off, and a full disk is named."""

from io import BytesIO
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Attachment
from supportagentbench.storage.file import LONGEST_LINE, MOST_VALUES
from supportagentbench.storage.jsonl import add_line, cut_torn_line, read_lines, whole_lines

PHOTO = b'{"name":"a.jpg","kind":"photo","shows":"a dent"}\n'


def test_there_is_nothing_in_a_file_that_does_not_exist(tmp_path: Path) -> None:
    assert list(read_lines(tmp_path / "none.jsonl", Attachment)) == []


def test_records_come_back_and_a_torn_last_line_is_passed_over(tmp_path: Path) -> None:
    path = tmp_path / "files.jsonl"
    path.write_bytes(PHOTO * 2 + PHOTO[:20])
    assert list(read_lines(path, Attachment)) == [Attachment("a.jpg", "photo", "a dent")] * 2
    assert [number for number, _ in whole_lines(path)] == [1, 2]


@pytest.mark.parametrize(("remedy", "ends"), [("", r"kind"), ("write it anew", r"; write it anew\.$")])
def test_a_line_that_is_no_record_is_named(tmp_path: Path, remedy: str, ends: str) -> None:
    path = tmp_path / "files.jsonl"
    path.write_bytes(PHOTO + b'{"name":"a.jpg","kind":"song","shows":""}\n')
    with pytest.raises(Problem, match=rf"files\.jsonl:2.*cannot be read.*{ends}"):
        list(read_lines(path, Attachment, remedy))


@given(
    st.lists(st.binary(max_size=9).map(lambda text: text.replace(b"\n", b"") + b"\n")), st.binary(max_size=9)
)
def test_what_is_cut_off_is_just_what_was_torn(lines: list[bytes], torn: bytes) -> None:
    torn = torn.replace(b"\n", b"")
    with BytesIO(b"".join(lines) + torn) as file:
        assert cut_torn_line(file) == len(torn)
        file.seek(0)
        assert file.read() == b"".join(lines)


def test_a_line_longer_than_a_block_is_cut_whole() -> None:
    with BytesIO(PHOTO + b"x" * 200_000) as file:
        assert cut_torn_line(file) == 200_000


def test_a_full_disk_is_named_with_its_remedy() -> None:
    full = Path("/dev/full")
    with (
        full.open("ab", buffering=0) as file,
        pytest.raises(Problem, match=r"/dev/full.*No space left on device.*make room"),
    ):
        add_line(file, PHOTO, full)


@pytest.mark.parametrize("value", [b"[]", b"{}", b'"\\","', b"0"])
def test_a_line_of_more_values_than_memory_has_room_for_is_neither_read_nor_written(
    tmp_path: Path, value: bytes
) -> None:
    path, line = tmp_path / "files.jsonl", b"[" + b",".join([value] * (MOST_VALUES + 1)) + b"]\n"
    path.write_bytes(PHOTO + line)
    with pytest.raises(Problem, match=r"files\.jsonl:2: has more than 2,000,000 values; take the line out"):
        list(whole_lines(path))
    with BytesIO() as file, pytest.raises(Problem, match="cannot take a line of more than 2,000,000 values"):
        add_line(file, line, path)


def test_a_text_is_one_value_whatever_is_in_it(tmp_path: Path) -> None:
    path = tmp_path / "files.jsonl"
    line = b'{"name":"' + b',[{\\"' * MOST_VALUES + b'"}\n'
    path.write_bytes(line)
    assert list(whole_lines(path)) == [(1, line)]


def test_a_line_that_is_too_long_is_neither_read_nor_written(tmp_path: Path) -> None:
    path, line = tmp_path / "files.jsonl", b'"' + b"x" * LONGEST_LINE + b'"\n'
    path.write_bytes(PHOTO + line)
    with pytest.raises(Problem, match=r"files\.jsonl:2: is longer than 16,000,000 bytes; take the line out"):
        list(whole_lines(path))
    with BytesIO() as file, pytest.raises(Problem, match=r"cannot take a line of 16,000,003 bytes"):
        add_line(file, line, path)
