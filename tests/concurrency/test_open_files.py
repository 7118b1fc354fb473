"""The limit on open files is read, and raised as far as it may be."""

import resource
from collections.abc import Iterator

import pytest

from supportagentbench.concurrency.open_files import FileNeed, allow_open_files


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


def test_as_much_is_in_flight_as_the_limit_allows() -> None:
    need = FileNeed(groups=2, each=2)
    possible = need.affordable(2000, 1024)
    assert need.files(possible) <= 1024 < need.files(possible + 1)
    assert need.affordable(10, 1024) == 10
    assert need.affordable(10, 20) == 0
