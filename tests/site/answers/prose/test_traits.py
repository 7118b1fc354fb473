"""Strengths and weaknesses follow printed rules."""

import pytest
from msgspec.structs import replace

from reports import flock_data, rendered, share, with_estimates
from supportagentbench.site.answers.prose.traits import traits, traits_rule


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
    assert traits(with_estimates(often, seldom)).strong == ["Never found: claimed actions never done"]


def test_an_issue_that_is_still_to_check_is_no_strength() -> None:
    doubtful = replace(share(0, 486, 0.0, 0.008), metric="ungrounded_date", undecided=40)
    assert traits(with_estimates(doubtful)).strong == []


def test_the_rule_is_printed() -> None:
    assert traits_rule() in rendered(flock_data())["agents/idle.html"]
    assert "escalations caught 95% / 90%, needless handovers 5% / 10%" in traits_rule()
