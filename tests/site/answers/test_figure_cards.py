"""A figure on top of a report has its place among the ranked agents, counted from the nearer end."""

import pytest

from reports import agent_stats_of, flock_data, reference_data
from supportagentbench.site.answers.figure_cards import CARDS, figure_cards, position


@pytest.mark.parametrize(
    ("value", "words"),
    [
        (0.1, "tied lowest with one other"),
        (0.4, "in the middle of 6"),
        (0.8, "second highest of 6"),
        (0.9, "highest of 6"),
    ],
)
def test_a_place_in_words(value: float, words: str) -> None:
    assert position(value, [0.1, 0.1, 0.3, 0.4, 0.8, 0.9]) == words


def test_four_figures_and_a_missing_one_says_so() -> None:
    cards = figure_cards(agent_stats_of(flock_data(), "wild/heron"))
    assert [card.metric for card in cards] == list(CARDS)
    idle = figure_cards(agent_stats_of(flock_data(), "idle"))
    assert all(not card.position for card in idle), "an agent that is not ranked has no place"
    unpriced = figure_cards(agent_stats_of(reference_data(), "oracle"))[3]
    assert unpriced.value == "–" and unpriced.counted == "nothing was counted"
