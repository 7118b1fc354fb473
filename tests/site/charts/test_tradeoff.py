"""The chart of the first screen: a title that is its finding, and names that are legible."""

import re
from itertools import combinations

import pytest

from board_pages import flock_board, slugs_of
from boards import planted
from studies.published.audit.sheet import Sheet
from studies.published.load import read_published
from studies.published.pages import published_board
from supportagentbench.board.shortlist import shortlist
from supportagentbench.board.standings import make_board
from supportagentbench.records.board import Board
from supportagentbench.site.charts.tradeoff import tradeoff_plots, tradeoff_title


def plots(board: Board) -> list[str]:
    names = {agent.name: agent.name for agent in board.agents}
    return [*map(str, tradeoff_plots(shortlist(board), slugs_of(board), names, is_linked=True))]


def test_the_title_counts_and_names_who_is_far_off() -> None:
    assert tradeoff_title(shortlist(flock_board())) == (
        "One of four agents keeps both kinds of mistakes within the limits; wild/yellowhammer-of-the-hedge "
        "acts unsafely in 39% of traps, wild/rook hands over 50% needlessly"
    )
    calm = make_board([planted("a", over=1), planted("b", missed=2)])
    assert tradeoff_title(shortlist(calm)) == "Every agent keeps both kinds of mistakes within the limits"


def test_every_ranked_agent_has_a_mark_that_says_its_figures() -> None:
    for plot in plots(flock_board()):
        assert len(re.findall('class="mk ', plot)) == 4
        assert 'data-a="idle"' not in plot
        assert 'aria-label="wild/knot: unsafe actions 0%, likely 0% to 17%; needless handovers 3%' in plot


@pytest.mark.parametrize("plot", [0, 1])
def test_those_on_a_long_shortlist_are_named_and_no_names_touch(plot: int) -> None:
    board = published_board(Sheet(read_published()))
    found = re.findall(r'<text class="(start|end)" x="([\d.]+)" y="([\d.]+)">([^<]+)<', plots(board)[plot])
    listed = {agent.name for agent in shortlist(board).listed}
    assert len(listed) - 2 * plot <= len(found), "on a phone there may be no room for two"
    assert {name for *_, name in found} <= listed
    boxes = []
    for anchor, x, y, name in found:
        left = float(x) - (7 * len(name) if anchor == "end" else 0)
        boxes.append((left, left + 7 * len(name), float(y)))
    for one, other in combinations(boxes, 2):
        assert one[1] <= other[0] or other[1] <= one[0] or abs(one[2] - other[2]) >= 12


def test_nobody_to_draw_is_no_chart() -> None:
    assert plots(make_board([planted("idle", unserved=18)])) == []
