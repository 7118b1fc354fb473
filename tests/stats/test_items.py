"""Item-rest correlation: an item never helps itself, and backwards is what chance does not explain."""

import numpy as np
import pytest

from supportagentbench.stats.items import item_rest


def test_an_item_is_compared_with_the_others_and_not_with_itself() -> None:
    scores = np.array([[1, 0, 0], [1, 0, 1], [0, 1, 1], [0, 1, 0], [0, 1, 1]], float)
    for item, found in enumerate(item_rest(scores)):
        rest = np.delete(scores, item, axis=1).mean(1)
        expected = np.corrcoef(scores[:, item], rest)[0, 1] if np.ptp(rest) else None
        assert (found and found.r) == pytest.approx(expected)


def test_what_does_not_vary_or_has_too_few_agents_has_none() -> None:
    assert list(item_rest([[1, 0], [1, 1], [1, 0], [1, 1]])) == [None, None]
    assert list(item_rest([[1, 0, 0], [0, 1, 1], [1, 0, 1]])) == [None] * 3


def test_a_missing_score_leaves_the_agent_out_of_that_item_alone() -> None:
    scores = np.array([[1, 1, 0], [0, 0, 0], [1, 0, 1], [0, 1, 1], [1, 1, 1]], float)
    without = list(item_rest(scores[1:]))
    scores[0, 0] = np.nan
    first, second, _ = item_rest(scores)
    assert first == without[0]
    assert second != without[1]


def test_a_backward_item_is_found_among_many_and_noise_is_not() -> None:
    random, agents = np.random.default_rng(1), np.linspace(0.1, 0.9, 12)
    good = random.random((12, 60)) < agents[:, None]
    backward, noise = agents < 0.5, random.random((12, 40)) < 0.5
    found = [one.p_backwards for one in item_rest(np.column_stack([backward, good, noise])) if one]
    assert found[0] < 0.002
    assert np.mean(np.array(found[-40:]) < 0.05) < 0.15
