"""Export file: rows with their places, from JSON, JSON lines and tables; everything else is named."""

import gzip
from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.tickets.export_file import Export, JsonRow, TableRow, json_rows, table_rows


def json_in(path: Path, data: str | bytes, *keys: str, encoding: str = "") -> list[JsonRow]:
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return [row for file in Export((path,), encoding=encoding).files for row in json_rows(file, *keys)]


def table_in(path: Path, data: str) -> list[TableRow | str]:
    path.write_text(data, newline="")
    return [row for file in Export((path,)).files for row in table_rows(file)]


@pytest.mark.parametrize(
    ("data", "places"),
    [
        ('[{"a": 1}, {"a": 2}]', [", row 1", ", row 2"]),
        ('{"a": 1}\n{"a": 2}\n', [":1", ":2"]),
        ('{"a": 1}\n\n{"a": 2}', [":1", ":3"]),
        ('{"rows": [{"a": 1}], "next": null}', [", rows, row 1"]),
        ('{"rows": [{"a": 1}]}\n{"rows": [{"a": 2}]}\n', [":1, rows, row 1", ":2, rows, row 1"]),
        ('{"id": 3, "rows": [{"a": 1}]}', [""]),
        ('{\n "a": 1\n}\n', [""]),
        ("[]", []),
    ],
)
def test_rows_have_places(tmp_path: Path, data: str, places: list[str]) -> None:
    path = tmp_path / "a.json"
    assert [row.place for row in json_in(path, data, "rows")] == [f"{path}{place}" for place in places]


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ("", r"a\.json: is empty"),
        ("\ufeff \n", r"a\.json: is empty"),
        ('[{"a": 1},\n{"a": }]', r"a\.json:2: cannot be read"),
        ('{"a": 1}\n{"a": }\n', r"a\.json:2: cannot be read"),
        ('{"a": 1}\n7\n', r"a\.json:2: is not a row"),
        ("hello", r"a\.json:1: cannot be read"),
        ("[" * 100_000, r"a\.json:?1?: cannot be read: it is nested too deeply"),
        ('{"a": 1}\n{"a": ' + "[" * 100_000 + "\n", r"a\.json:2: cannot be read: it is nested too deeply"),
        (b'{"a": "\xe4"}\n', r"a\.json:1: is not UTF-8; say what it is written in"),
        (b'\n\n{"a": "\xe4"}\n', r"a\.json:3: is not UTF-8"),
        (gzip.compress(b"[]"), r"a\.json: is a file of gzip; unpack it"),
        (b"PK\x03\x04rest", "is a file of ZIP; unpack it"),
        ("[" + "1," * 10_000_001 + "1]", "has more than 10,000,000 values"),
    ],
)
def test_what_is_no_export_is_named(tmp_path: Path, data: str | bytes, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        json_in(tmp_path / "a.json", data, "rows")


def test_a_row_with_too_many_values_is_named(tmp_path: Path) -> None:
    data = "[[" + "1," * 2_000_001 + "1]]"
    with pytest.raises(Problem, match="row 1 has more than 2,000,000 values"):
        json_in(tmp_path / "a.json", data)


def test_a_stated_encoding_is_used_and_a_mark_is_not_part_of_the_text(tmp_path: Path) -> None:
    (row,) = json_in(tmp_path / "a.json", '[{"a": "ä"}]'.encode("cp1252"), encoding="cp1252")
    assert row.read(dict[str, str]) == {"a": "ä"}
    (row,) = json_in(tmp_path / "b.json", '\ufeff[{"a": "ä"}]')
    assert row.read(dict[str, str]) == {"a": "ä"}
    (row,) = json_in(tmp_path / "c.json", '[{"a": "ä"}]'.encode("utf-16"), encoding="utf-16")
    assert row.read(dict[str, str]) == {"a": "ä"}


@pytest.mark.parametrize("encoding", ["klingon", "../x", "hex", "rot13", "zip"])
def test_an_encoding_that_is_none_of_text_is_refused(tmp_path: Path, encoding: str) -> None:
    with pytest.raises(Problem, match="is not an encoding of text"):
        json_in(tmp_path / "a.json", "[]", encoding=encoding)


def test_text_in_another_encoding_is_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match="is not text in ascii"):
        json_in(tmp_path / "a.json", '["ä"]', encoding="ascii")


@pytest.mark.parametrize("sign", [",", ";", "\t"])
def test_cells_are_text_whatever_is_between_them(tmp_path: Path, sign: str) -> None:
    path = tmp_path / "a.csv"
    found = table_in(path, f'a{sign}"b,;"\r\n=1+1{sign}"x\ny"\r\n')
    assert found == [TableRow(path, 3, {"a": "=1+1", "b,;": "x\ny"})]


@pytest.mark.parametrize(
    ("table", "sentence"),
    [
        ("\n\n", "is empty"),
        ("a,a\n1,2\n", r"a\.csv:1: has two columns of the same name"),
        (",".join(f"c{n}" for n in range(1_001)), "more than 1,000 columns"),
        ('a,b\n1,"x"y\n', r"a\.csv:2: is not a row"),
        ("a,b\n1," + "x" * 2_000_001 + "\n", r"a\.csv:2: is not a row"),
    ],
)
def test_what_is_no_table_is_named(tmp_path: Path, table: str, sentence: str) -> None:
    with pytest.raises(Problem, match=sentence):
        table_in(tmp_path / "a.csv", table)


def test_a_row_with_more_cells_has_a_place(tmp_path: Path) -> None:
    path = tmp_path / "a.csv"
    assert table_in(path, "a\n1,2\n") == [f"{path}:2"]
