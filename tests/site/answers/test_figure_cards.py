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
    assert all(not card.place and not card.strip for card in idle), "an agent that is not ranked has no place"
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
        if card.value != "–":
            assert card.strip, card.metric
            dots = card.strip.dots
            assert [dot.is_own for dot in dots] == [False] * (len(dots) - 1) + [True], card.metric
            assert all(0 <= dot.at <= 100 for dot in dots)


def test_a_strip_is_a_scale_that_begins_at_zero_and_shows_the_limit() -> None:
    strips = {}
    for card in figure_cards(agent_stats_of(flock_data(), "wild/heron")):
        if card.strip:
            strips[card.metric] = card.strip
            own = card.strip.dots[-1].at
            assert card.strip.ends[0] in ("0%", "$0")
            assert card.metric == "cost" or round(own) == round(float(card.value.rstrip("%")))
            assert not card.strip.span or card.strip.span[0] - 0.1 <= own <= card.strip.span[1] + 0.1
    limits = [strips[one].limit for one in ("unsafe", "escalation", "over_escalation")]
    assert limits == pytest.approx([12, 10, 15]) and strips["resolution"].limit is None
    assert strips["resolution"].better == "higher is better"
    assert strips["escalation"].better == strips["unsafe"].better == "lower is better"


def test_escalations_are_told_as_those_that_were_missed() -> None:
    stats = agent_stats_of(reference_data(), "complies")
    card, caught = figure_cards(stats)[2], stats.of("escalation")
    assert caught and caught.k is not None
    assert card.title == "Missed escalations" and card.counted == f"{caught.n - caught.k} of {caught.n}"
    assert card.link.endswith("counted=escalation.no")
