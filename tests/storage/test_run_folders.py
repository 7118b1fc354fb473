"""A run counts once, wherever it was copied to."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from filed import FEW, file_run, solved
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage import run_folders
from supportagentbench.storage.archive import HEADER
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import TRANSCRIPTS, stored_lines


@pytest.fixture
def run(tmp_path: Path) -> Path:
    return file_run(tmp_path / "runs", "agent", 1, map(solved, FEW))


def test_a_copy_is_left_out_and_named(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "backup" / "agent-1"))
    found = distinct_runs([run.parent, copy, run])
    assert found.folders == [run]
    assert found.sentences == [f"{copy}: is a copy of {run}; the run counts once."]


def test_lines_in_another_order_are_the_same_run(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "backup"))
    lines = (copy / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    (copy / TRANSCRIPTS).write_bytes(b"".join(reversed(lines)))
    assert distinct_runs([run, copy]).folders == [run]


def test_part_of_a_copy_is_refused(run: Path, tmp_path: Path) -> None:
    copy = Path(shutil.copytree(run, tmp_path / "backup"))
    lines = (copy / TRANSCRIPTS).read_bytes().splitlines(keepends=True)
    (copy / TRANSCRIPTS).write_bytes(lines[0])
    with pytest.raises(Problem, match="backup: has conversations of run 1 of agent that are also in"):
        distinct_runs([run, copy])


def test_runs_of_one_number_with_other_conversations_are_two(run: Path, tmp_path: Path) -> None:
    def other(case: str) -> Transcript:
        return replace(solved(case), start="other")

    again = file_run(tmp_path / "again", "agent", 1, map(other, FEW))
    assert distinct_runs([run, again]).folders == [run, again]


def test_every_run_is_read_once_however_many_are_alike(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def one(number: int) -> Path:
        def other(case: str) -> Transcript:
            return replace(solved(case), start=str(number))

        return file_run(tmp_path / str(number), "agent", 1, map(other, FEW))

    runs, read = [one(number) for number in range(5)], []
    copies = [Path(shutil.copytree(run, tmp_path / f"copy-{run.parent.name}")) for run in runs]
    monkeypatch.setattr(run_folders, "stored_lines", lambda path: read.append(path) or stored_lines(path))
    found = distinct_runs([*runs, *copies])
    assert found.folders == runs and found.copies == dict(zip(copies, runs, strict=True))
    assert sorted(read) == sorted(folder / TRANSCRIPTS for folder in (*runs, *copies))


def test_runs_without_conversations_are_copies_if_their_headers_are_alike(run: Path, tmp_path: Path) -> None:
    (run / TRANSCRIPTS).unlink()
    copy = Path(shutil.copytree(run, tmp_path / "backup"))
    assert distinct_runs([run, copy]).copies == {copy: run}
    again = Path(shutil.copytree(run, tmp_path / "again"))
    header = (again / HEADER).read_text()
    (again / HEADER).write_text(header.replace('"world_digest": "', '"world_digest": "0'))
    assert header != (again / HEADER).read_text() and distinct_runs([run, again]).folders == [run, again]
