"""Export: the conversation table as CSV or, with DuckDB, as Parquet."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path
from tempfile import TemporaryDirectory

from supportagentbench.board.conversation_table import Cell
from supportagentbench.records.problem import Problem
from supportagentbench.storage.csv_cell import inert
from supportagentbench.storage.file import write_new, write_whole

KINDS = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
"""DuckDB's names for cell types."""


def write_table(rows: Iterable[dict[str, Cell]], path: Path) -> int:
    """Write the rows in the format of the file's suffix; returns their number."""
    if path.suffix not in (".csv", ".parquet"):
        raise Problem("must end in .csv or .parquet. Rename it and export again.", place=path)
    table = list(rows)
    if not table:
        raise Problem(
            "cannot be written: the runs have no conversation yet. Run `sab run` first.", place=path
        )
    write_whole(path, as_csv(table) if path.suffix == ".csv" else as_parquet(table), follow=True)
    return len(table)


def as_csv(table: list[dict[str, Cell]]) -> bytes:
    """The rows under a header, for spreadsheets, too; all rows have the same columns. Empty without rows."""
    if not table:
        return b""
    return _written([list(map(inert, table[0])), *([_inert(cell) for cell in row.values()] for row in table)])


def _written(rows: Iterable[Iterable[str]]) -> bytes:
    return "".join(map(_line, rows)).encode("utf-8", "backslashreplace")


def _line(cells: Iterable[str]) -> str:
    """One row. Only where lines end with both does `csv` quote cells with either kind of line break."""
    made = io.StringIO(newline="")
    csv.writer(made, lineterminator="\r\n").writerow(cells)
    return made.getvalue().removesuffix("\r\n") + "\n"


def _inert(value: Cell) -> str:
    return inert(value) if isinstance(value, str) else _cell(value)


def _cell(value: Cell) -> str:
    """Empty if unknown; true and false in lower case, as most programs expect."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def as_parquet(table: list[dict[str, Cell]]) -> bytes:
    """Through a CSV file, which DuckDB reads fast, with column types given so that none is guessed."""
    try:
        import duckdb
    except ImportError:
        raise Problem(
            'Parquet needs DuckDB. Run `pip install "supportagentbench[sql]"` or export to .csv.'
        ) from None
    with TemporaryDirectory(prefix="sab-export-") as scratch, duckdb.connect() as database:
        plain, made = Path(scratch) / "table.csv", Path(scratch) / "table.parquet"
        write_new(plain, _written([list(table[0]), *(map(_cell, row.values()) for row in table)]))
        kinds = {name: _kind(row[name] for row in table) for name in table[0]}
        read = database.read_csv(str(plain), header=True, columns=kinds, auto_detect=False)
        try:
            read.write_parquet(str(made))
        except duckdb.IOException as error:
            raise Problem(f"cannot be written ({error}); make room there.", place=scratch) from None
        return made.read_bytes()


def _kind(cells: Iterable[Cell]) -> str:
    """The type of a column: the widest of its cells, or text if all are empty."""
    found = {type(cell) for cell in cells if cell is not None} or {str}
    return KINDS[float if found == {int, float} else found.pop()]
