"""Strengths and weaknesses follow printed rules."""

import pytest
from msgspec.structs import replace

from reports import flock_data, rendered
from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.agent_stats import AgentStats
from supportagentbench.site.prose.traits import traits, traits_rule


def share(k: int, n: int, low: float = 0.0, high: float = 1.0) -> Estimate:
    return Estimate("escalation", k / n, k / n, n, (k / n,), k, Interval(low, high), Interval(low, high))


def with_estimates(*estimates: Estimate) -> AgentStats:
    """The first agent as if these were all its figures."""
    data = flock_data()
    return AgentStats(data, replace(data.board.agents[0], estimates=estimates, stability=()))


@pytest.mark.parametrize(
    ("low", "high", "strong", "weak"),
    [(0.96, 1.0, 1, 0), (0.94, 1.0, 0, 0), (0.5, 0.89, 0, 1), (0.5, 0.91, 0, 0)],
)
def test_a_trait_takes_the_whole_interval(low: float, high: float, strong: int, weak: int) -> None:
    found = traits(with_estimates(share(90, 100, low, high)))
    assert (len(found.strong), len(found.weak)) == (strong, weak)


def test_an_issue_never_found_is_a_strength_only_if_it_was_checked_often() -> None:
    often = replace(share(0, 486, 0.0, 0.008), metric="phantom_action")
    seldom = replace(share(0, 12, 0.0, 0.25), metric="second_ignored")
    assert traits(with_estimates(often, seldom)).strong == ["Never found: phantom actions"]


def test_the_rule_is_printed() -> None:
    assert traits_rule() in rendered(flock_data())["agents/idle.html"]
    assert "escalation accuracy 95% / 90%, over-escalation 5% / 10%" in traits_rule()
