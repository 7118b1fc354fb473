"""The limit on open files is read, raised as far as it may be, and respected."""

import resource
from collections.abc import Iterator

import pytest

from supportagentbench.cli.in_flight import within_limits
from supportagentbench.concurrency.open_files import FileNeed, allow_open_files
from supportagentbench.records.problem import Problem


@pytest.fixture
def limits(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """A system's limits, soft and hard, without changing those of the tests."""
    found = [256, 1024]

    def set_limits(kind: int, wanted: tuple[int, int]) -> None:
        if wanted[0] > found[1]:
            raise ValueError("not allowed to raise maximum limit")
        found[:] = wanted

    monkeypatch.setattr(resource, "getrlimit", lambda kind: tuple(found))
    monkeypatch.setattr(resource, "setrlimit", set_limits)
    yield found


def test_the_soft_limit_is_raised_as_far_as_needed_and_no_further(limits: list[int]) -> None:
    assert allow_open_files(100) == 256
    assert limits == [256, 1024]
    assert allow_open_files(700) == 700
    assert limits == [700, 1024]
    assert allow_open_files(5000) == 1024
    assert limits == [1024, 1024]


def test_a_limit_that_cannot_be_raised_is_kept(limits: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda kind: (256, resource.RLIM_INFINITY))
    assert allow_open_files(5000) == 256


def test_what_fits_is_left_alone(limits: list[int]) -> None:
    assert within_limits(300, FileNeed(2, 1)) == (300, "")


def test_what_does_not_fit_is_lowered_with_a_sentence(limits: list[int]) -> None:
    need = FileNeed(2, 2)
    possible, words = within_limits(2000, need)
    assert need.files(possible) <= 1024 < need.files(possible + 1)
    assert f"-j is {possible} instead of 2,000" in words
    assert f"ulimit -n {need.files(2000)}" in words


def test_where_nothing_fits_it_is_refused(limits: list[int]) -> None:
    limits[:] = [20, 20]
    with pytest.raises(Problem, match=r"only 20 files may be open at once.*ulimit -n"):
        within_limits(8, FileNeed(1, 1))
