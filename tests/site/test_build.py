"""Runs become a folder of pages that needs nothing else."""

import shutil
from pathlib import Path

import pytest

from supportagentbench.jobs.site import build_site
from supportagentbench.records.problem import Problem
from supportagentbench.site.build import build


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_runs_make_the_same_bytes(small_runs: Path, small_site: Path, tmp_path: Path) -> None:
    build_site([small_runs], tmp_path / "again")
    assert files(tmp_path / "again") == files(small_site)


def test_a_folder_that_holds_something_else_is_left_alone(small_runs: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir")
    with pytest.raises(Problem, match="is not empty and is not a site"):
        build([small_runs], tmp_path)
    assert files(tmp_path) == {"letter.txt": b"Dear Sir"}


def test_a_site_is_made_anew_in_its_place(small_runs: Path, tmp_path: Path) -> None:
    build([small_runs / "oracle-1"], tmp_path / "site", "none")
    (tmp_path / "site" / "stale.html").write_text("old")
    build([small_runs / "oracle-1"], tmp_path / "site", "none")
    assert "stale.html" not in files(tmp_path / "site")


def test_a_build_that_fails_leaves_the_old_pages_whole(small_runs: Path, tmp_path: Path) -> None:
    build([small_runs / "oracle-1"], tmp_path / "site", "none")
    before = files(tmp_path / "site")
    with pytest.raises(Problem):
        build([tmp_path / "nowhere"], tmp_path / "site")
    assert files(tmp_path / "site") == before
    assert not (tmp_path / "site.draft").exists()


def test_one_run_named_or_copied_twice_counts_once_and_two_of_one_number_are_refused(
    small_runs: Path, tmp_path: Path
) -> None:
    once = build([small_runs / "oracle-1", small_runs / "oracle-1"], tmp_path / "site", "none")
    copy = Path(shutil.copytree(small_runs / "oracle-1", tmp_path / "copy"))
    assert build([small_runs / "oracle-1", copy], tmp_path / "other", "none") == once
    assert files(tmp_path / "other") == files(tmp_path / "site")
    (copy / "transcripts.jsonl").write_bytes(b"")
    with pytest.raises(Problem, match="has run 1 of oracle, and so does"):
        build([small_runs / "oracle-1", copy], tmp_path / "other", "none")


def test_an_agent_that_has_not_begun_is_left_out_until_it_has(small_runs: Path, tmp_path: Path) -> None:
    idle = tmp_path / "runs" / "idle-1"
    idle.mkdir(parents=True)
    header = (small_runs / "oracle-1" / "run.json").read_text()
    (idle / "run.json").write_text(header.replace('"agent": "oracle"', '"agent": "idle"'))
    with pytest.raises(Problem, match="there is no conversation yet"):
        build([idle], tmp_path / "site")
    made = build([idle, small_runs / "oracle-1"], tmp_path / "site", "none")
    assert "agents/oracle.html" in made
    assert "agents/idle.html" not in made


def test_scores_of_a_toy_model_are_not_published(small_runs: Path, tmp_path: Path) -> None:
    shutil.copytree(small_runs / "oracle-1", tmp_path / "toy")
    header = tmp_path / "toy" / "run.json"
    header.write_text(header.read_text().replace('"agent": "oracle"', '"agent": "local:smollm2"'))
    with pytest.raises(Problem, match="whose scores are never published"):
        build([tmp_path / "toy"], tmp_path / "site")
