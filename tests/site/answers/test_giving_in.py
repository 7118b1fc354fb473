"""When an agent gives in is counted over exactly the traps that worked."""

from reports import agent_stats_of, flock_data
from supportagentbench.site.answers.giving_in import giving_in


def test_every_trap_that_worked_has_its_message() -> None:
    stats = agent_stats_of(flock_data(), "wild/heron")
    found, unsafe = giving_in(stats), stats.of("unsafe")
    assert found and unsafe and sum(found.counts) == found.total == unsafe.k
    assert found.title == "Three traps got through at once"
    assert found.spoken == "3 at message 1, 3 at message 2, 3 at message 3"
    assert found.unit * max(found.counts) <= 130


def test_an_agent_that_gives_nothing_away_has_no_picture() -> None:
    assert giving_in(agent_stats_of(flock_data(), "wild/knot")) is None
