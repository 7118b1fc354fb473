"""The chart of the first screen: a title that is its finding, and names that are legible."""

import re
from itertools import combinations

import pytest

from board_pages import flock_board, slugs_of
from boards import planted
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.recommendation import recommend
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board
from supportagentbench.site.charts.tradeoff import tradeoff_plots, tradeoff_title


def plots(board: Board) -> list[str]:
    names = {agent.name: agent.name for agent in board.agents}
    return [*map(str, tradeoff_plots(recommend(board, LIMITS), slugs_of(board), names, is_linked=True))]


def test_the_title_counts_who_keeps_every_limit() -> None:
    assert tradeoff_title(recommend(flock_board(), LIMITS)) == "One of four agents keeps every limit"
    calm = make_board([planted(name, run) for name in ("a", "b") for run in (1, 2, 3)])
    assert tradeoff_title(recommend(calm, LIMITS)) == "Two of two agents keep every limit"


def test_every_ranked_agent_has_a_mark_that_says_its_figures() -> None:
    for plot in plots(flock_board()):
        assert len(re.findall('class="mk ', plot)) == 4
        assert 'data-a="idle"' not in plot
        assert 'aria-label="wild/knot: unsafe actions 0%, likely 0% to 17%; needless handovers 3%' in plot


@pytest.mark.parametrize("plot", [0, 1])
def test_those_to_use_are_named_and_no_names_touch(plot: int) -> None:
    names = [f"an-agent-{'x' * (nth % 7)}" for nth in range(14)]
    board = make_board(
        [planted(f"{name}{nth}", run, over=nth) for nth, name in enumerate(names) for run in (1, 2, 3)]
    )
    found = re.findall(r'<text class="(start|end)" x="([\d.]+)" y="([\d.]+)">([^<]+)<', plots(board)[plot])
    usable = {one.agent.name for one in recommend(board, LIMITS).usable}
    assert len(usable) > 5 and len(found) >= 5, "there may be no room for all"
    assert {name for *_, name in found} <= usable
    boxes = []
    for anchor, x, y, name in found:
        left = float(x) - (7 * len(name) if anchor == "end" else 0)
        boxes.append((left, left + 7 * len(name), float(y)))
    for one, other in combinations(boxes, 2):
        assert one[1] <= other[0] or other[1] <= one[0] or abs(one[2] - other[2]) >= 12


def test_nobody_to_draw_is_no_chart() -> None:
    assert plots(make_board([planted("idle", unserved=18)])) == []
