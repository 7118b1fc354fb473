"""Two versions of an agent: not resumed, not counted together, and never deleted."""

from pathlib import Path

import pytest
from msgspec.structs import replace

from boards import header
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.problem import Problem
from supportagentbench.storage.archive import RunWriter, find_runs, move_aside, refuse_other_run, runs_of
from supportagentbench.storage.run_folders import refuse_mixed_versions

OLD = replace(header("mine"), version=AgentVersion({"my_shop.py": "1"}))
NEW = replace(OLD, version=AgentVersion({"my_shop.py": "2"}))


def stored(root: Path, *headers: object) -> list[Path]:
    folders = []
    for one in headers:
        with RunWriter(root, one) as writer:  # type: ignore[arg-type]
            folders.append(writer.folder)
    return folders


def test_a_changed_agent_is_not_resumed_and_the_sentence_says_what_changed(tmp_path: Path) -> None:
    (folder,) = stored(tmp_path, OLD)
    with pytest.raises(Problem, match=r"another version of mine: my_shop\.py changed\..*--fresh.*--name v2"):
        refuse_other_run(folder, NEW)
    refuse_other_run(folder, OLD)


def test_two_versions_under_one_name_are_not_counted_together(tmp_path: Path) -> None:
    folders = stored(tmp_path / "a", OLD) + stored(tmp_path / "b", replace(NEW, run=2))
    with pytest.raises(Problem, match=r"another version of mine than .*my_shop\.py changed"):
        refuse_mixed_versions(folders)
    refuse_mixed_versions(stored(tmp_path / "c", replace(NEW, agent="v2")) + folders[:1])


def test_old_runs_are_moved_aside_where_nothing_counts_them(tmp_path: Path) -> None:
    stored(tmp_path, OLD, replace(OLD, run=2), replace(OLD, agent="other"))
    moved = move_aside(tmp_path, "mine")
    assert [place.relative_to(tmp_path).as_posix() for place in moved] == ["aside/mine-1.1", "aside/mine-2.1"]
    assert [folder.name for folder in find_runs([tmp_path])] == ["other-1"]
    stored(tmp_path, NEW)
    assert [place.name for place in move_aside(tmp_path, "mine")] == ["mine-1.2"]
    assert [folder.name for folder in find_runs([tmp_path / "aside"])] == ["mine-1.1", "mine-1.2", "mine-2.1"]


def test_a_run_that_is_being_written_stays(tmp_path: Path) -> None:
    with RunWriter(tmp_path, OLD) as writer:
        with pytest.raises(Problem, match="being written by another process"):
            move_aside(tmp_path, "mine")
        assert writer.folder.exists()


def test_a_header_that_cannot_be_read_belongs_to_whom_its_folder_is_named_after(tmp_path: Path) -> None:
    (folder,) = stored(tmp_path, OLD)
    (folder / "run.json").write_text("{")
    assert runs_of(tmp_path, "mine") == [folder]
    assert runs_of(tmp_path, "min") == []
