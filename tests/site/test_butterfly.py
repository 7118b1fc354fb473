"""Both errors of handing over share a scale: the furthest interval reaches its edge."""

import re

import pytest

from fronts import flock_board, slugs_of
from supportagentbench.site.butterfly import Wing, wings, wings_title


@pytest.fixture(scope="module")
def found() -> dict[str, Wing]:
    return {wing.entry.agent: wing for wing in wings(flock_board(), slugs_of(flock_board()))}


def places(wing: Wing) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"--(\w+):([\d.]+)", wing.style)}


def test_a_missed_case_is_what_accuracy_leaves(found: dict[str, Wing]) -> None:
    missed = found["wild/heron"].missed
    assert missed.value == pytest.approx(2 / 24)
    assert (missed.k, missed.n) == (6, 72)
    assert missed.like is not None
    assert missed.like.low <= missed.value <= missed.like.high


def test_both_sides_share_a_scale_that_everything_fits_on(found: dict[str, Wing]) -> None:
    drawn = {agent: places(wing) for agent, wing in found.items()}
    assert max(value for place in drawn.values() for value in place.values()) == 100
    heron = drawn["wild/heron"]
    assert heron["lv"] / heron["rv"] == pytest.approx((2 / 24) / (2 / 120), rel=0.01)
    assert heron["la"] <= heron["lv"] <= heron["lb"]


def test_the_order_is_that_of_the_sum_and_those_under_the_line_come_last(found: dict[str, Wing]) -> None:
    assert list(found) == ["wild/knot", "wild/heron", "wild/yellowhammer-of-the-hedge", "wild/rook", "idle"]
    assert [wing.is_up for wing in found.values()] == [True, True, True, True, False]


def test_its_title_counts_who_made_neither_error() -> None:
    assert wings_title(flock_board()) == (
        "One of 5 agents missed no human case, one handed over no solvable one"
    )
