"""Export: the trial table as a file that other programs read. CSV as it is, Parquet through DuckDB."""

import csv
import io
from collections.abc import Iterable
from pathlib import Path

from supportagentbench.board.conversation_table import Cell
from supportagentbench.records.problem import Problem

KINDS = {bool: "BOOLEAN", int: "BIGINT", float: "DOUBLE", str: "VARCHAR"}
"""What DuckDB calls a cell."""


def write_table(rows: Iterable[dict[str, Cell]], path: Path) -> int:
    """Write the rows in the format that the file's name ends in; how many there were."""
    if path.suffix not in (".csv", ".parquet"):
        raise Problem("ends neither in .csv nor in .parquet; choose one of them.", place=path)
    table = list(rows)
    if not table:
        raise Problem("there is no conversation to write yet; `sab run` holds some.", place=path)
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        if path.suffix == ".csv":
            path.write_bytes(as_csv(table))
        else:
            _write_parquet(table, path)
    except OSError as error:
        raise Problem(f"cannot be written ({error.strerror}).", place=path) from None
    return len(table)


def as_csv(table: list[dict[str, Cell]]) -> bytes:
    """The rows, all of the same columns, under a head."""
    made = io.StringIO(newline="")
    writer = csv.DictWriter(made, table[0], lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _cell(value) for name, value in row.items()} for row in table)
    return made.getvalue().encode()


def _cell(value: Cell) -> str:
    """Nothing for what is not known; true and false in small letters, as most readers want them."""
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)


def _write_parquet(table: list[dict[str, Cell]], path: Path) -> None:
    """By way of a CSV file, which DuckDB reads fast; told what a column is, it does not have to guess."""
    try:
        import duckdb
    except ImportError:
        raise Problem(
            'Parquet needs DuckDB; pip install "supportagentbench[sql]", or export to .csv.'
        ) from None
    draft, made = path.with_suffix(".csv.draft"), path.with_suffix(".parquet.draft")
    draft.write_bytes(as_csv(table))
    try:
        with duckdb.connect() as database:
            kinds = {name: _kind(row[name] for row in table) for name in table[0]}
            database.read_csv(str(draft), header=True, columns=kinds, auto_detect=False).write_parquet(
                str(made)
            )
        made.replace(path)
    finally:
        draft.unlink()
        made.unlink(missing_ok=True)


def _kind(cells: Iterable[Cell]) -> str:
    """What a column holds: the widest of its cells, and text where nothing is known."""
    found = {type(cell) for cell in cells if cell is not None} or {str}
    return KINDS[float if found == {int, float} else found.pop()]
