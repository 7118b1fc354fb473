"""Only folders with our mark are emptied or deleted."""

from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.storage.own_folder import delete_own, is_own, make_own, refuse_others

MARK = ".mark"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    make_own(tmp_path / "own", MARK)
    (tmp_path / "own" / "sub").mkdir()
    (tmp_path / "own" / "sub" / "file").touch()
    return tmp_path / "own"


def test_what_was_made_here_is_deleted(own: Path) -> None:
    refuse_others(own, MARK, "move it")
    delete_own(own, MARK)
    assert not own.exists()


def test_what_was_not_is_refused_and_stays(tmp_path: Path) -> None:
    (tmp_path / "letter.txt").touch()
    with pytest.raises(Problem, match="was not made by sab and is left as it is; move it"):
        refuse_others(tmp_path, MARK, "move it")
    delete_own(tmp_path, MARK)
    assert (tmp_path / "letter.txt").exists()


def test_a_link_to_a_folder_of_ours_is_not_ours(own: Path) -> None:
    link = own.with_name("link")
    link.symlink_to(own)
    with pytest.raises(Problem, match="was not made by sab"):
        refuse_others(link, MARK, "move it")
    delete_own(link, MARK)
    assert is_own(own, MARK) and (own / "sub" / "file").exists()


def test_links_in_it_are_deleted_and_not_followed(own: Path, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "letter.txt").touch()
    (own / "link").symlink_to(tmp_path / "mine")
    (own / "sub" / "link").symlink_to(tmp_path / "mine")
    delete_own(own, MARK)
    assert not own.exists() and (tmp_path / "mine" / "letter.txt").exists()


def test_an_empty_folder_is_free_for_use_and_never_deleted(tmp_path: Path) -> None:
    refuse_others(tmp_path, MARK, "move it")
    delete_own(tmp_path, MARK)
    assert tmp_path.exists()


def test_the_mark_goes_last(own: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def killed(path: Path) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("supportagentbench.storage.own_folder.shutil.rmtree", killed)
    with pytest.raises(KeyboardInterrupt):
        delete_own(own, MARK)
    assert is_own(own, MARK)
