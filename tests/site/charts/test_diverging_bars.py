"""Both errors of handing over share a scale that every likely range and both limits fit on."""

import pytest

from board_pages import flock_board, slugs_of
from boards import planted
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board
from supportagentbench.site.charts.diverging_bars import DivergingBars, diverging_bars


def chart_of(board: Board) -> DivergingBars:
    found = diverging_bars(board, slugs_of(board))
    assert found is not None
    return found


@pytest.fixture(scope="module")
def chart() -> DivergingBars:
    return chart_of(flock_board())


def test_a_missed_case_is_what_accuracy_leaves(chart: DivergingBars) -> None:
    missed = next(bar.missed for bar in chart.bars if bar.slug == "wild-heron")
    assert (missed.estimate.k, missed.estimate.n) == (6, 72)
    assert missed.text == "8%"
    assert missed.likely.startswith("6 of 72, likely ")
    assert missed.href.endswith("counted=escalation.no")


def test_everything_fits_on_one_scale(chart: DivergingBars) -> None:
    sides = [side for bar in chart.bars for side in (bar.missed, bar.over)]
    assert all(0 <= side.low <= side.length <= side.high <= 100 for side in sides)
    assert max(side.high for side in sides) == chart.reach == chart.edge
    assert chart.over.place / chart.missed.place == pytest.approx(1.5)
    for side in sides:
        limit = chart.missed.place if side.estimate.metric == "escalation" else chart.over.place
        assert side.is_beyond is (side.length > limit + 1e-9)


def test_only_ranked_agents_are_drawn_by_the_sum_of_their_errors(chart: DivergingBars) -> None:
    assert [bar.agent.name for bar in chart.bars] == [
        "wild/knot",
        "wild/heron",
        "wild/yellowhammer-of-the-hedge",
        "wild/rook",
    ]


def test_its_title_is_what_was_found(chart: DivergingBars) -> None:
    assert chart.title == (
        "One agent missed no case that needed a person, every agent handed over some that it could solve"
    )
    clean = [planted(agent, run, missed=at) for run in (1, 2) for at, agent in enumerate(("a", "b"))]
    assert chart_of(make_board(clean)).title == "One of two agents made no handover mistakes"
    both = chart_of(make_board([planted("a", missed=3, over=3)]))
    assert both.title == "Every agent keeps some cases that need a person and passes on some that do not"
