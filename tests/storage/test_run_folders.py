"""A run counts once, wherever it was copied to."""

import shutil
from pathlib import Path

import pytest
from msgspec.structs import replace

from filed import FEW, file_run, solved
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.run_folders import distinct_runs
from supportagentbench.storage.transcripts import TRANSCRIPTS


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
