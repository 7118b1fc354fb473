"""Pages take the place of older ones in one step, and only of pages."""

from pathlib import Path

import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.site.draft_folder import MARK, draft_of


def write(site: Path, words: str) -> None:
    with draft_of(site) as draft:
        (draft / "index.html").write_text(words)


def names(folder: Path) -> set[str]:
    return {path.name for path in folder.iterdir()}


def test_new_pages_replace_the_old_and_leave_nothing_beside_them(tmp_path: Path) -> None:
    for words in ("old", "new"):
        write(tmp_path / "site", words)
        assert (tmp_path / "site" / "index.html").read_text() == words
        assert names(tmp_path) == {"site"}
        assert names(tmp_path / "site") == {"index.html", MARK}


def test_a_build_that_fails_leaves_the_old(tmp_path: Path) -> None:
    write(tmp_path / "site", "old")
    with pytest.raises(ZeroDivisionError), draft_of(tmp_path / "site"):
        _ = 1 / 0
    assert (tmp_path / "site" / "index.html").read_text() == "old"
    assert names(tmp_path) == {"site"}


def test_a_swap_that_was_cut_short_is_put_right(tmp_path: Path) -> None:
    write(tmp_path / "site", "old")
    (tmp_path / "site").rename(tmp_path / "site.old")
    with pytest.raises(ZeroDivisionError), draft_of(tmp_path / "site"):
        _ = 1 / 0
    assert (tmp_path / "site" / "index.html").read_text() == "old"
    write(tmp_path / "site.old", "older")
    write(tmp_path / "site", "new")
    assert names(tmp_path) == {"site"}


def test_a_rename_that_fails_puts_the_old_pages_back(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write(tmp_path / "site", "old")
    real = Path.rename

    def rename(self: Path, target: Path) -> Path:
        if self.name == "site.draft":
            raise OSError(28, "No space left on device")
        return real(self, target)

    monkeypatch.setattr(Path, "rename", rename)
    with pytest.raises(Problem, match="No space left on device"):
        write(tmp_path / "site", "new")
    assert (tmp_path / "site" / "index.html").read_text() == "old"


def test_two_builds_at_once_do_not_share_a_draft(tmp_path: Path) -> None:
    with draft_of(tmp_path / "site") as draft:
        with pytest.raises(Problem, match="is being written by another process"):
            write(tmp_path / "site", "second")
        (draft / "index.html").write_text("first")
    assert (tmp_path / "site" / "index.html").read_text() == "first"


def test_a_site_behind_a_link_is_replaced_where_it_is(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "site").symlink_to("real")
    for words in ("old", "new"):
        write(tmp_path / "site", words)
    assert (tmp_path / "site").is_symlink()
    assert (tmp_path / "real" / "index.html").read_text() == "new"
