"""The export: the same table as CSV and as Parquet, nothing guessed, and made anew byte for byte."""

import asyncio
import csv
import shutil
from pathlib import Path

import duckdb
import pytest

from boards import planted, reference_runs
from conversations import CASES, WORLD
from supportagentbench.agents.resolve import resolve
from supportagentbench.agents.spec import Surroundings
from supportagentbench.board.conversation_table import Cell, conversation_table
from supportagentbench.board.export import write_table
from supportagentbench.board.standings import make_board
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json
from supportagentbench.results.load import load_runs
from supportagentbench.runner.run import header_of, run_agent
from supportagentbench.storage.transcripts import TRANSCRIPTS

HOSTILE: list[dict[str, Cell]] = [
    {"agent": 'a"b,c\nd', "digest": "1234567890123456", "run": 1, "ok": True, "cost": 0.1, "never": None},
    {"agent": "=1+1", "digest": "0123", "run": 2, "ok": None, "cost": None, "never": None},
    {"agent": "NULL", "digest": "1e5", "run": None, "ok": False, "cost": 3e-7, "never": None},
    {"agent": "naïve — 名前", "digest": "true", "run": 0, "ok": False, "cost": 0, "never": None},
]


def from_csv(path: Path) -> list[dict[str, str]]:
    with path.open(newline="", encoding="utf-8") as file:
        return list(csv.DictReader(file))


def from_parquet(path: Path) -> list[dict[str, Cell]]:
    with duckdb.connect() as database:
        found = database.read_parquet(str(path))
        return [dict(zip(found.columns, row, strict=True)) for row in found.fetchall()]


def as_text(cell: Cell) -> str:
    return "" if cell is None else str(cell).lower() if isinstance(cell, bool) else str(cell)


def known(row: dict[str, Cell]) -> dict[str, Cell]:
    """In files nothing said and nothing known are the same."""
    return {name: None if cell == "" else cell for name, cell in row.items()}


def test_both_formats_hold_the_real_table(tmp_path: Path) -> None:
    rows = list(conversation_table(list(reference_runs())))
    for name in ("table.csv", "deep/down/table.parquet"):
        assert write_table(iter(rows), tmp_path / name) == len(rows) > 600
    assert from_csv(tmp_path / "table.csv") == [
        {name: as_text(cell) for name, cell in row.items()} for row in rows
    ]
    assert from_parquet(tmp_path / "deep/down/table.parquet") == [known(row) for row in rows]
    assert [path.name for path in (tmp_path / "deep/down").iterdir()] == ["table.parquet"]


def test_nothing_is_taken_for_what_it_looks_like(tmp_path: Path) -> None:
    for name in ("table.csv", "table.parquet"):
        write_table(HOSTILE, tmp_path / name)
    found = from_parquet(tmp_path / "table.parquet")
    assert found == HOSTILE
    assert [type(cell) for cell in found[0].values()] == [str, str, int, bool, float, type(None)]
    agents = [row["agent"] for row in from_csv(tmp_path / "table.csv")]
    assert agents == ["'=1+1" if row["agent"] == "=1+1" else row["agent"] for row in HOSTILE]


def test_an_older_file_is_replaced(tmp_path: Path) -> None:
    for name in ("table.csv", "table.parquet"):
        (tmp_path / name).write_text("something else entirely")
        write_table(HOSTILE, tmp_path / name)
    assert len(from_csv(tmp_path / "table.csv")) == len(from_parquet(tmp_path / "table.parquet")) == 4


@pytest.mark.parametrize("name", ["table.csv", "table.parquet"])
def test_what_cannot_be_written_is_told_in_one_sentence(tmp_path: Path, name: str) -> None:
    with pytest.raises(Problem, match="the runs have no conversation yet"):
        write_table([], tmp_path / name)
    (tmp_path / name).mkdir()
    with pytest.raises(Problem, match=f"{name}: is a folder"):
        write_table(HOSTILE, tmp_path / name)
    (tmp_path / "file").touch()
    with pytest.raises(Problem, match="cannot be written"):
        write_table(HOSTILE, tmp_path / "file" / name)


def test_other_endings_are_refused(tmp_path: Path) -> None:
    with pytest.raises(Problem, match=r"must end in \.csv or \.parquet"):
        write_table(HOSTILE, tmp_path / "table.xlsx")


# Everything is made anew from the record


def rebuilt(folder: Path) -> dict[str, bytes]:
    """Verdicts, board and export of the runs in a folder."""
    results = load_runs([folder])
    write_table(conversation_table(results), folder / "table.csv")
    write_table(conversation_table(results), folder / "table.parquet")
    tables = {path.name: path.read_bytes() for path in folder.glob("table.*")}
    return {
        **tables,
        "verdicts": to_json([run.verdicts for run in results]),
        "board": to_json(make_board(results)),
    }


def test_from_headers_and_transcripts_alone_everything_comes_out_the_same(tmp_path: Path) -> None:
    for agent in ("oracle", "keywords"):
        header = header_of(CASES, "damaged_no_proof", agent, ScriptedVoice(), 1, 0)
        asyncio.run(
            run_agent(
                CASES,
                header,
                resolve(agent).open(Surroundings(WORLD)),
                ScriptedVoice(),
                tmp_path / "runs",
                concurrency=2,
            )
        )
    first = rebuilt(tmp_path / "runs")
    assert len(first) == 4 and all(first.values())
    for path in (tmp_path / "runs").glob("*/*"):
        if path.name not in ("run.json", TRANSCRIPTS):
            path.unlink()
    shutil.copytree(tmp_path / "runs", tmp_path / "elsewhere", ignore=shutil.ignore_patterns("table.*"))
    assert rebuilt(tmp_path / "elsewhere") == first


def test_a_planted_table_keeps_its_money(tmp_path: Path) -> None:
    write_table(conversation_table([planted("a", cost=0.1 + 0.2)]), tmp_path / "table.parquet")
    assert {row["agent.cost"] for row in from_parquet(tmp_path / "table.parquet")} == {0.1 + 0.2}
