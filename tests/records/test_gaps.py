"""Gaps are named from 1 up to the highest number."""

import pytest

from supportagentbench.records.gaps import gaps, not_here


@pytest.mark.parametrize(
    ("numbers", "missing"),
    [([], ""), ([1, 2, 3], ""), ([3, 1], "2"), ([7, 2], "1, 3–6"), ([0, 1], ""), ([1_000_000], "1–999999")],
)
def test_gaps(numbers: list[int], missing: str) -> None:
    assert gaps(numbers) == missing


def test_one_or_several_are_not_here() -> None:
    assert not_here("run", "") == ""
    assert not_here("run", "2") == "run 2 is not here"
    assert not_here("run", "1, 3–6") == "runs 1, 3–6 are not here"
