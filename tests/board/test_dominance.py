"""Who covers whom: at least as good on every headline figure, and better on one."""

from boards import entry_of, planted
from supportagentbench.board.dominance import covered_by, covers, error, error_range
from supportagentbench.board.standings import make_board


def test_an_agent_covers_one_that_is_nowhere_better() -> None:
    board = make_board(
        [
            planted("good", cost=0.01),
            planted("same", cost=0.01),
            planted("worse", cost=0.01, missed=1),
            planted("cheaper", cost=0.001, missed=1),
            planted("unpriced", missed=2),
        ]
    )
    agent = {one.name: one for one in board.agents}
    assert covers(agent["good"], agent["worse"])
    assert covers(agent["cheaper"], agent["worse"]), "the same mistakes at a smaller cost"
    assert not covers(agent["good"], agent["same"]), "none of two equals is left out"
    assert not covers(agent["good"], agent["cheaper"])
    assert covered_by(agent["unpriced"], board.agents) is None, "its cost may be anything"


def test_a_missed_escalation_is_an_error_like_the_others() -> None:
    agent = entry_of(make_board([planted("one", missed=6)]), "one")
    assert error(agent, "escalation") == 0.25
    span = error_range(agent, "escalation")
    assert span and span.low < 0.25 < span.high
    assert error(agent, "cost") is None
