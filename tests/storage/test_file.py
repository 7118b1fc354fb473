"""Every file is opened in one way: ordinary, not a link, bounded, and replaced in one step."""

import os
import stat
import threading
from collections.abc import Callable
from pathlib import Path

import pytest

from full_disk import full_disk
from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import (
    NoSuchFile,
    append,
    open_append,
    open_new,
    open_reading,
    read_bounded,
    replacing,
    write_new,
    write_whole,
)


def read(path: Path) -> bytes:
    return read_bounded(path, 100)


def added(path: Path) -> None:
    append(path, b"more")


def whole(path: Path) -> None:
    write_whole(path, b"new")


def new(path: Path) -> None:
    write_new(path, b"new")


WAYS: tuple[Callable[[Path], object], ...] = (read, added, whole, new)
ways = pytest.mark.parametrize("way", WAYS, ids=lambda way: way.__name__)


@ways
@pytest.mark.parametrize("target", ["mine", "nowhere", "link", "/dev/zero", "/dev/full"])
def test_a_link_is_refused_and_stays(tmp_path: Path, way: Callable[[Path], object], target: str) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "link").symlink_to(target)
    with pytest.raises(Problem, match=r"link: is (a link to somewhere else|in the way)"):
        way(tmp_path / "link")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["link", "mine"]
    assert (tmp_path / "mine").read_text() == "mine"


@ways
def test_a_pipe_is_refused_and_not_waited_for(tmp_path: Path, way: Callable[[Path], object]) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(Problem, match=r"pipe: is (a pipe or a device|in the way)"):
        way(tmp_path / "pipe")


@ways
def test_a_folder_is_no_file(tmp_path: Path, way: Callable[[Path], object]) -> None:
    (tmp_path / "folder").mkdir()
    with pytest.raises(Problem, match=r"folder: is (a folder|in the way)"):
        way(tmp_path / "folder")


@pytest.mark.parametrize("way", [added, whole, new], ids=lambda way: way.__name__)
def test_what_cannot_be_written_is_told_by_its_own_name(tmp_path: Path, way: Callable[[Path], None]) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(Problem, match=r"file/below: cannot be written"):
        way(tmp_path / "file" / "below")


def test_a_link_of_the_users_own_is_followed(tmp_path: Path) -> None:
    (tmp_path / "link").symlink_to("mine")
    write_whole(tmp_path / "link", b"one", follow=True)
    append(tmp_path / "link", b" two", follow=True)
    assert read_bounded(tmp_path / "link", 100, follow=True) == b"one two"
    assert (tmp_path / "link").is_symlink()
    assert (tmp_path / "mine").read_bytes() == b"one two"


def test_nothing_is_there(tmp_path: Path) -> None:
    with pytest.raises(NoSuchFile, match="there is no such file"):
        open_reading(tmp_path / "nothing")


def test_reading_is_bounded(tmp_path: Path) -> None:
    (tmp_path / "file").write_bytes(b"x" * 100)
    assert len(read(tmp_path / "file")) == 100
    (tmp_path / "file").write_bytes(b"x" * 101)
    with pytest.raises(Problem, match="has more than 100 bytes"):
        read(tmp_path / "file")
    os.truncate(tmp_path / "file", 50_000_000_000)  # It takes no room on the disk.
    with pytest.raises(Problem, match="has more than 100 bytes"):
        read(tmp_path / "file")


def test_a_file_whose_size_is_not_known_is_read() -> None:
    assert read_bounded(Path("/proc/self/comm"), 100)


def test_a_file_with_a_second_name_is_not_added_to(tmp_path: Path) -> None:
    (tmp_path / "mine").write_text("mine")
    (tmp_path / "other").hardlink_to(tmp_path / "mine")
    with pytest.raises(Problem, match="has a second name elsewhere"):
        open_append(tmp_path / "other")
    write_whole(tmp_path / "other", b"new")  # It gets a file of its own.
    assert (tmp_path / "mine").read_text() == "mine"


def test_a_new_file_is_in_nobodys_way(tmp_path: Path) -> None:
    with open_new(tmp_path / "a" / "b") as file:
        file.write(b"x")
        assert (tmp_path / "a" / "b").read_bytes() == b"x"
    with pytest.raises(Problem, match="is in the way; nothing was written"):
        write_new(tmp_path / "a" / "b", b"y")
    assert (tmp_path / "a" / "b").read_bytes() == b"x"


@pytest.mark.parametrize("size", [0, 3])
def test_a_full_disk_leaves_the_file_before(tmp_path: Path, size: int) -> None:
    (tmp_path / "file").write_text("before")
    with full_disk(size), pytest.raises(Problem, match=r"file: cannot be written \(File too large\)"):
        write_whole(tmp_path / "file", b"after")
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "before"


def test_an_error_leaves_the_file_before(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("before")
    with pytest.raises(ZeroDivisionError), replacing(tmp_path / "file") as file:
        file.write(b"half")
        file.write(b"%d" % (1 // 0))
    assert [path.name for path in tmp_path.iterdir()] == ["file"]
    assert (tmp_path / "file").read_text() == "before"


def test_who_may_read_a_file_stays_the_same(tmp_path: Path) -> None:
    (tmp_path / "file").touch(mode=0o600)
    write_whole(tmp_path / "file", b"after")
    assert stat.S_IMODE((tmp_path / "file").stat().st_mode) == 0o600


def test_a_reader_sees_one_version_or_the_other(tmp_path: Path) -> None:
    versions = [bytes([number]) * 200_000 for number in range(2)]
    write_whole(tmp_path / "file", versions[0])
    stop = threading.Event()

    def write() -> None:
        while not stop.is_set():
            for version in versions:
                write_whole(tmp_path / "file", version, is_lasting=False)

    writer = threading.Thread(target=write)
    writer.start()
    try:
        seen = {read_bounded(tmp_path / "file", 1_000_000) for _ in range(200)}
    finally:
        stop.set()
        writer.join()
    assert seen <= {*versions}
