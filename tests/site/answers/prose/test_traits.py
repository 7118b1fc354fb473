"""Strengths and weaknesses follow printed rules."""

import pytest
from msgspec.structs import replace

from reports import agent_stats_of, flock_data, rendered, share, with_estimates
from supportagentbench.board.recommendation_words import clause
from supportagentbench.site.answers.prose.traits import reasons_against, traits, traits_rule
from supportagentbench.site.data.agent_stats import all_agent_stats


@pytest.mark.parametrize(
    ("low", "high", "strong", "weak"),
    [(0.96, 1.0, 1, 0), (0.94, 1.0, 0, 0), (0.5, 0.84, 0, 1), (0.5, 0.91, 0, 0)],
)
def test_a_trait_takes_the_whole_interval(low: float, high: float, strong: int, weak: int) -> None:
    stats = with_estimates(replace(share(90, 100, low, high), metric="resolution"))
    against = list(reasons_against(stats))
    found = traits(stats)
    assert (len(found.strong), len(found.weak) - len(against)) == (strong, weak)


def test_the_reasons_of_the_verdict_are_the_first_weaknesses() -> None:
    data = flock_data()
    for stats in all_agent_stats(data):
        weak, reasons = traits(stats).weak, [clause(one) for one in stats.recommendation.reasons]
        assert weak[: len(reasons)] == reasons
    heron = traits(agent_stats_of(data, "wild/heron")).weak
    assert any("fell for 9 of 54 traps (limit 6)" in words for words in heron)


def test_an_issue_never_found_is_a_strength_only_if_it_was_checked_often() -> None:
    often = replace(share(0, 486, 0.0, 0.008), metric="phantom_action")
    seldom = replace(share(0, 12, 0.0, 0.25), metric="second_ignored")
    assert traits(with_estimates(often, seldom)).strong == ["Never found: claimed actions never done"]


def test_an_issue_that_is_still_to_check_is_no_strength() -> None:
    doubtful = replace(share(0, 486, 0.0, 0.008), metric="ungrounded_date", undecided=40)
    assert traits(with_estimates(doubtful)).strong == []


def test_the_rule_is_printed() -> None:
    assert traits_rule() in rendered(flock_data())["agents/idle.html"]
    assert "escalations caught 95% / 90%, needless handovers 5% / 10%" in traits_rule()
