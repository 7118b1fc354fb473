"""Runs become a folder of pages that needs nothing else."""

from pathlib import Path

import pytest

from supportagentbench.problem import Problem
from supportagentbench.site.build import build


def files(folder: Path) -> dict[str, bytes]:
    return {str(path.relative_to(folder)): path.read_bytes() for path in folder.rglob("*") if path.is_file()}


def test_the_same_runs_make_the_same_bytes(small_runs: Path, small_site: Path, tmp_path: Path) -> None:
    build([small_runs], tmp_path / "again")
    assert files(tmp_path / "again") == files(small_site)


def test_a_folder_that_holds_something_else_is_left_alone(small_runs: Path, tmp_path: Path) -> None:
    (tmp_path / "letter.txt").write_text("Dear Sir")
    with pytest.raises(Problem, match="is not empty and holds no site"):
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


def test_one_run_named_twice_counts_once_and_two_alike_are_refused(small_runs: Path, tmp_path: Path) -> None:
    import shutil

    build([small_runs / "oracle-1", small_runs / "oracle-1"], tmp_path / "site", "none")
    shutil.copytree(small_runs / "oracle-1", tmp_path / "copy")
    with pytest.raises(Problem, match="holds run 1 of oracle, and so does"):
        build([small_runs / "oracle-1", tmp_path / "copy"], tmp_path / "other", "none")
