"""The top of a report: what it says beside its figures fits what they count."""

from reports import agent_stats_of, flock_data
from supportagentbench.board.limits import most_errors
from supportagentbench.site.answers.report_top import _same
from supportagentbench.site.number import percent


def test_the_bounds_that_decide_are_those_of_mistakes_as_the_figures_are() -> None:
    stats = agent_stats_of(flock_data(), "wild/knot")
    bound = most_errors(stats.results, "escalation")
    assert 0 < bound < 0.1
    assert f"missed escalations at most {percent(bound, 1)}" in _same(stats)
