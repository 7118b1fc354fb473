"""Export file: the rows of a file from a desk, each with its place; a bounded, plain file in UTF-8.

A compressed file is refused, because a small one can hold more than a disk. A document of JSON is taken apart
into its rows first, so that no more than one of them is ever values in memory.
"""

import codecs
import csv
import io
import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, NamedTuple, TypeVar

import msgspec

from supportagentbench.records.problem import Problem
from supportagentbench.records.record import from_json
from supportagentbench.storage.file import LONGEST_LINE, MOST_VALUES, read_bounded
from supportagentbench.storage.jsonl import has_many_values, lines_in
from supportagentbench.storage.record_file import line_of_fault, unreadable
from supportagentbench.tickets.column_map import ColumnMap
from supportagentbench.tickets.plain_text import LARGEST_MESSAGE

Kind = TypeVar("Kind")

LARGEST_EXPORT = 512_000_000
"""Bytes of all files of one import; they are in memory until it is done."""
MOST_COMMAS = 10_000_000
"""Commas in a document, each of which may end a row of a few bytes that takes a hundred in memory."""
MOST_COLUMNS = 1_000
_COMPRESSED = {
    b"PK\x03\x04": "ZIP",
    b"\x1f\x8b": "gzip",
    b"BZh": "bzip2",
    b"\xfd7zXZ\x00": "xz",
    b"\x28\xb5\x2f\xfd": "Zstandard",
    b"7z\xbc\xaf\x27\x1c": "7-Zip",
    b"Rar!": "RAR",
    b"!BDN": "Outlook",
    b"\xd0\xcf\x11\xe0": "Outlook or old Excel",
}
_SHAPES = {b"[": "a list", b"{": "an object"}


class ExportFile(NamedTuple):
    """A file that was read: UTF-8 without a mark at its beginning."""

    path: Path
    data: bytes


class JsonRow(NamedTuple):
    """One value of a document or a line, not yet read."""

    path: Path
    place: str
    """The file, and the line or the number of the row."""
    data: bytes
    key: str = ""
    """Under which name of a document its list was; empty: it is on its own."""
    is_other: bool = False
    """Whether it counts a whole list that is not read."""

    def read(self, kind: type[Kind]) -> Kind:
        """What it holds; raises msgspec.MsgspecError."""
        if self.is_other:
            raise msgspec.ValidationError("a list that is not read")
        return from_json(self.data, kind)


class TableRow(NamedTuple):
    """One row of a table, by the names of its columns."""

    path: Path
    line: int
    cells: dict[str, str]

    @property
    def place(self) -> str:
        """The file and the line."""
        return f"{self.path}:{self.line}"


class Export(NamedTuple):
    """What the user gave."""

    paths: tuple[Path, ...]
    columns: ColumnMap = ColumnMap()
    encoding: str = ""
    """Empty: UTF-8."""

    @property
    def files(self) -> Iterator[ExportFile]:
        """The files in their order, as text."""
        return (ExportFile(path, _as_utf8(data, path, self.encoding)) for path, data in self.as_they_are)

    @property
    def as_they_are(self) -> Iterator[ExportFile]:
        """The files in their order; a mail says in each of its parts how it is written."""
        left = LARGEST_EXPORT
        for path in self.paths:
            data = read_bounded(path, left, follow=True)
            left -= len(data)
            _refuse_compressed(data, path)
            yield ExportFile(path, data)


def _as_utf8(data: bytes, path: Path, encoding: str) -> bytes:
    if encoding:
        try:
            return data.decode(codecs.lookup(encoding).name).encode().removeprefix(codecs.BOM_UTF8)
        except (LookupError, TypeError):
            raise Problem(f"{encoding!r} is not an encoding of text; write it like `cp1252`.") from None
        except UnicodeError:
            raise Problem(f"is not text in {encoding}; give the right --encoding.", place=path) from None
    data = data.removeprefix(codecs.BOM_UTF8)
    try:
        data.decode()
    except UnicodeDecodeError as error:
        line = data[: error.start].count(b"\n") + 1
        sentence = "is not UTF-8; say what it is written in, such as `--encoding cp1252`."
        raise Problem(sentence, place=path, line=line) from None
    return data


def _refuse_compressed(data: bytes, path: Path) -> None:
    kind = next((kind for mark, kind in _COMPRESSED.items() if data.startswith(mark)), None)
    if kind:
        raise Problem(f"is a file of {kind}; unpack it and give the file that is in it.", place=path)


def json_rows(file: ExportFile, *keys: str) -> Iterator[JsonRow]:
    """Every row of a document or of JSON lines; `keys`: under which an object holds its rows.

    An object without any of these keys, or with an id, is itself one row.
    """
    found = _documents(file)
    for number, data, is_line in found:
        at = f"{file.path}:{number}" if is_line else f"{file.path}"
        if data.lstrip()[:1] == b"[":
            yield from _elements(file, data, at)
            continue
        inner = _fields(file, data, number, is_line)
        lists = [key for key in keys if key in inner and bytes(inner[key]).lstrip()[:1] == b"["]
        held = [] if "id" in inner else lists
        for key in held:
            yield from _elements(file, bytes(inner[key]), f"{at}, {key}", key)
        if not held:
            yield JsonRow(file.path, at, data)
            continue
        for place, value in enumerate(map(bytes, (inner[key] for key in inner if key not in keys)), 1):
            if value.lstrip()[:1] == b"[" and value.strip(b"[] \t\r\n"):
                yield JsonRow(file.path, f"{at}, other list {place}", b"", is_other=True)


def _documents(file: ExportFile) -> Iterator[tuple[int, bytes, bool]]:
    """The documents of a file with the line of each, and whether each is one line."""
    if not file.data.strip():
        raise Problem("is empty; give an export with tickets.", place=file.path)
    if _is_json_lines(file.data):
        for number, line in lines_in(io.BytesIO(file.data), file.path, torn=True):
            if line.strip():
                _checked(file, line, number)
                _refuse_doubles(file, line, number)
                yield number, line.strip(), True
    else:
        _refuse_doubles(file, file.data, None)
        yield 1, file.data.strip(), False


def _refuse_doubles(file: ExportFile, data: bytes, line: int | None) -> None:
    """A Problem if an object has a key twice, of which every reader would see another value."""
    try:
        json.loads(data, object_pairs_hook=_once, parse_int=len, parse_float=len)  # Nothing of it is kept.
    except _DoubleKey:
        sentence = "has an object with the same key twice; export it again."
        raise Problem(sentence, place=file.path, line=line) from None
    except RecursionError:
        sentence = "cannot be read: it is nested too deeply; take that row out."
        raise Problem(sentence, place=file.path, line=line) from None
    except ValueError:
        return  # It is refused where it is read.


def _once(pairs: list[tuple[str, Any]]) -> None:
    if len({name for name, _ in pairs}) < len(pairs):
        raise _DoubleKey


class _DoubleKey(Exception):
    """An object has a key twice."""


def _is_json_lines(data: bytes) -> bool:
    """Whether the first line is a whole document and more lines follow."""
    first, _, rest = data.strip().partition(b"\n")
    if not rest.strip():
        return False
    try:
        msgspec.json.decode(first, type=msgspec.Raw)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError):
        return first.strip()[:1] == b"{" and first.strip()[-1:] == b"}"
    return True


def _checked(file: ExportFile, line: bytes, number: int) -> None:
    """A Problem that names the line, if it is not JSON."""
    try:
        from_json(line, msgspec.Raw)
    except msgspec.MsgspecError as error:
        raise unreadable(error, file.path, number, "write each row as one line of JSON") from None
    if line.strip()[:1] not in _SHAPES:
        raise Problem("is not a row; expected an object.", place=file.path, line=number)


def _elements(file: ExportFile, data: bytes, at: str, key: str = "") -> Iterator[JsonRow]:
    if data.count(b",") > MOST_COMMAS:
        sentence = f"has more than {MOST_COMMAS:,} values; export JSON lines, or split it."
        raise Problem(sentence, place=file.path)
    try:
        rows = from_json(data, list[msgspec.Raw])
    except msgspec.MsgspecError as error:
        raise unreadable(error, file.path, line_of_fault(data, error)) from None
    for number, row in enumerate(rows, 1):
        if len(bytes(row)) > LONGEST_LINE:
            raise Problem(f"row {number} has more than {LONGEST_LINE:,} bytes; take it out.", place=file.path)
        if len(bytes(row)) > MOST_VALUES and has_many_values(bytes(row)):
            raise Problem(f"row {number} has more than {MOST_VALUES:,} values; take it out.", place=file.path)
        yield JsonRow(file.path, f"{at}, row {number}", bytes(row), key)


def _fields(file: ExportFile, data: bytes, number: int, is_line: bool) -> dict[str, msgspec.Raw]:
    try:
        return from_json(data, dict[str, msgspec.Raw])
    except msgspec.MsgspecError as error:
        line = number if is_line else line_of_fault(data, error)
        raise unreadable(error, file.path, line, "expected JSON or JSON lines") from None


def table_rows(file: ExportFile) -> Iterator[TableRow | str]:
    """Every row of a table, or the place of one that has more cells than the table has columns.

    A cell is text, also one that a spreadsheet would take for a formula.
    """
    csv.field_size_limit(2 * LARGEST_MESSAGE)  # Only ever raised, and to the same number.
    text = file.data.decode()
    first = text.lstrip("\r\n").partition("\n")[0]
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_delimiter(first), strict=True)
    header: list[str] = []
    try:
        for cells in reader:
            if not any(cell.strip() for cell in cells):
                continue
            if not header:
                header = _header([cell.strip() for cell in cells], file.path)
            elif len(cells) > len(header):
                yield f"{file.path}:{reader.line_num}"
            else:
                yield TableRow(file.path, reader.line_num, dict(zip(header, cells, strict=False)))
    except csv.Error as error:
        sentence = f"is not a row of a table ({error}); correct it."
        raise Problem(sentence, place=file.path, line=reader.line_num) from None
    if not header:
        raise Problem("is empty; give an export with tickets.", place=file.path)


def _header(names: list[str], path: Path) -> list[str]:
    if len(names) > MOST_COLUMNS:
        raise Problem(f"has more than {MOST_COLUMNS:,} columns; take out what is not needed.", place=path)
    if len(set(names)) < len(names):
        raise Problem("has two columns of the same name; rename one.", place=path, line=1)
    return names


def _delimiter(header: str) -> str:
    """What is between the names of the columns: a comma, a semicolon or a tabulator."""
    names = re.sub(r'"[^"]*"', "", header)
    return max((",", ";", "\t"), key=names.count)
