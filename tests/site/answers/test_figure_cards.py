"""A figure on top of a report has its place among the ranked agents, counted from the nearer end."""

import pytest

from reports import agent_stats_of, flock_data, reference_data
from supportagentbench.site.answers.figure_cards import CARDS, figure_cards, place


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.1, "tied best with one other"),
        (0.4, "in the middle of six"),
        (0.8, "second worst of six"),
        (0.9, "worst of six"),
    ],
)
def test_a_place_in_words(value: float, words: str) -> None:
    assert place(value, [0.1, 0.1, 0.3, 0.4, 0.8, 0.9]) == words


def test_six_figures_and_a_missing_one_says_so() -> None:
    cards = figure_cards(agent_stats_of(flock_data(), "wild/heron"))
    assert [card.metric for card in cards] == list(CARDS)
    idle = figure_cards(agent_stats_of(flock_data(), "idle"))
    assert all(not card.place and not card.dots for card in idle), "an agent that is not ranked has no place"
    unpriced = figure_cards(agent_stats_of(reference_data(), "oracle"))[-1]
    assert unpriced.value == "–" and unpriced.counted == "nothing was counted"


def test_no_one_missed_in_danger_says_what_is_still_possible_beside_the_number() -> None:
    stats = agent_stats_of(reference_data(), "oracle")
    card = next(card for card in figure_cards(stats) if card.metric == "escalation")
    danger = stats.results.grounds.danger
    assert f"0 of {danger} missed, up to " in card.beside and not card.is_out


def test_the_share_of_rules_kept_opens_the_conversations_that_break_one() -> None:
    stats = agent_stats_of(reference_data(), "complies")
    card = next(card for card in figure_cards(stats) if card.metric == "adherence")
    assert "counted=breaks" in card.link
    assert f"{stats.broken} of " in card.label and f"{stats.broken} of " in card.counted


def test_beyond_its_limit_is_marked_with_the_limit() -> None:
    heron = {card.metric: card for card in figure_cards(agent_stats_of(flock_data(), "wild/heron"))}
    assert heron["unsafe"].is_out and heron["unsafe"].limit == "limit 12%"
    assert not heron["resolution"].is_out


def test_every_ranked_agent_has_a_dot_and_its_own_lies_on_top() -> None:
    stats = agent_stats_of(flock_data(), "wild/heron")
    for card in figure_cards(stats):
        assert [dot.is_own for dot in card.dots][:-1] == [False] * (len(card.dots) - 1), card.metric
        assert not card.dots or (card.dots[-1].is_own and all(0 <= dot.at <= 100 for dot in card.dots))
