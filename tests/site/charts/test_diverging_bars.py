"""Both errors of handing over share a scale: the furthest interval reaches its edge."""

import re

import pytest

from board_pages import flock_board, slugs_of
from supportagentbench.site.charts.diverging_bars import DivergingBar, diverging_bars, diverging_bars_title


@pytest.fixture(scope="module")
def found() -> dict[str, DivergingBar]:
    return {bar.agent.name: bar for bar in diverging_bars(flock_board(), slugs_of(flock_board()))}


def places(bar: DivergingBar) -> dict[str, float]:
    return {name: float(value) for name, value in re.findall(r"--(\w+):([\d.]+)", bar.style)}


def test_a_missed_case_is_what_accuracy_leaves(found: dict[str, DivergingBar]) -> None:
    missed = found["wild/heron"].missed
    assert missed.value == pytest.approx(2 / 24)
    assert (missed.k, missed.n) == (6, 72)
    assert missed.new_cases_interval is not None
    assert missed.new_cases_interval.low <= missed.value <= missed.new_cases_interval.high


def test_both_sides_share_a_scale_that_everything_fits_on(found: dict[str, DivergingBar]) -> None:
    drawn = {agent: places(bar) for agent, bar in found.items()}
    assert max(value for place in drawn.values() for value in place.values()) == 100
    heron = drawn["wild/heron"]
    assert heron["lv"] / heron["rv"] == pytest.approx((2 / 24) / (2 / 120), rel=0.01)
    assert heron["la"] <= heron["lv"] <= heron["lb"]


def test_the_order_is_that_of_the_sum_and_unranked_come_last(
    found: dict[str, DivergingBar],
) -> None:
    assert list(found) == ["wild/knot", "wild/heron", "wild/yellowhammer-of-the-hedge", "wild/rook", "idle"]
    assert [bar.is_ranked for bar in found.values()] == [True, True, True, True, False]


def test_its_title_counts_who_made_neither_error() -> None:
    assert diverging_bars_title(flock_board()) == (
        "One of 5 agents missed no escalation, one handed over nothing needlessly"
    )
