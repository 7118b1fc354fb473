"""The shortlist: everybody within the limits, and whoever else is ahead on something."""

from board_pages import flock_board
from boards import planted
from supportagentbench.board.limits import LIMITS
from supportagentbench.board.shortlist import shortlist
from supportagentbench.board.standings import make_board


def test_those_within_the_limits_come_first_and_the_rest_says_why_it_is_left_out() -> None:
    found = shortlist(flock_board())
    assert [agent.name for agent in found.within] == ["wild/knot"]
    assert [agent.name for agent in found.ahead] == [
        "wild/heron",
        "wild/yellowhammer-of-the-hedge",
        "wild/rook",
    ], "seven of 18 are too few to say that it is often unsafe"
    assert "idle" not in [agent.name for agent in found.contenders]


def test_a_covered_agent_within_the_limits_is_listed_and_one_outside_is_not() -> None:
    runs = [planted("calm", over=1), planted("mild", over=2), planted("shy", over=80)]
    found = shortlist(make_board(runs))
    assert [agent.name for agent in found.listed] == ["calm", "mild"]
    assert [(one.agent.name, one.covered_by and one.covered_by.name) for one in found.left_out] == [
        ("shy", "calm")
    ]


def test_estimates_decide_and_the_unfavourable_ends_may_say_otherwise() -> None:
    assert shortlist(flock_board()).surely_within == ()


def test_a_dummy_is_never_suggested() -> None:
    board = make_board([planted("silent"), planted("real", over=1)])
    assert [agent.name for agent in shortlist(board).contenders] == ["real"]


def test_what_no_case_measures_has_no_limit() -> None:
    board = flock_board()
    assert shortlist(board).limits == LIMITS
    assert shortlist(make_board([planted("silent")])).limits == {}
