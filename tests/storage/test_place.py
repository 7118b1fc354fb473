"""Every writer asks where a name lies; no name and no link leads it out of its folder."""

import os
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.problem import Problem
from supportagentbench.storage.place import LONGEST, inside, refuse_links, safe_name


@given(st.text())
def test_any_words_make_one_short_name(words: str) -> None:
    name = safe_name(words)
    assert len(name) <= LONGEST
    assert "/" not in name and "\0" not in name and name.isascii()


def test_long_names_are_shortened_and_kept_apart() -> None:
    one, other = safe_name("x" * 500 + "a"), safe_name("x" * 500 + "b")
    assert one != other
    assert one[:100] == other[:100] == "x" * 100


@pytest.mark.parametrize("name", ["a", "a/b", "a/../b", "."])
def test_a_name_inside_is_given_its_place(tmp_path: Path, name: str) -> None:
    assert inside(tmp_path, name) == tmp_path / name


@pytest.mark.parametrize("name", ["..", "../a", "a/../../b", "/etc/passwd", "a\0b"])
def test_a_name_that_leads_out_is_refused(tmp_path: Path, name: str) -> None:
    (tmp_path / "in").mkdir()
    with pytest.raises(Problem, match="leads out of"):
        inside(tmp_path / "in", name)


@pytest.mark.parametrize("name", ["out", "out/a", "in", "in/a", "in/../b", "cycle/a", "gone"])
def test_no_part_of_a_name_is_a_link(tmp_path: Path, name: str) -> None:
    (tmp_path / "out").symlink_to(tmp_path.parent)
    (tmp_path / "in").symlink_to(".")
    (tmp_path / "cycle").symlink_to("cycle")
    (tmp_path / "gone").symlink_to("nowhere")
    with pytest.raises(Problem, match="is a link to somewhere else"):
        inside(tmp_path, name)


def test_a_folder_may_be_a_link_itself(tmp_path: Path) -> None:
    (tmp_path / "real").mkdir()
    (tmp_path / "link").symlink_to("real")
    assert inside(tmp_path / "link", "a") == tmp_path / "link" / "a"


def test_links_and_pipes_are_named(tmp_path: Path) -> None:
    (tmp_path / "sub").mkdir()
    (tmp_path / "sub" / "file").touch()
    refuse_links(tmp_path)
    os.mkfifo(tmp_path / "sub" / "pipe")
    with pytest.raises(Problem, match="sub/pipe: is neither a file nor a folder"):
        refuse_links(tmp_path)
    (tmp_path / "link").symlink_to("sub")
    with pytest.raises(Problem, match="link: is a link"):
        refuse_links(tmp_path)
