"""The hazard along several steps: what is left over after each of them, and how sure that is."""

import pytest

from supportagentbench.stats.hazard import total_hazard


def test_the_chances_of_the_steps_multiply() -> None:
    total, low, high = total_hazard([5, 5], [10, 10])
    assert total == pytest.approx(0.75)
    assert low < 0.75 < high


def test_one_certain_step_is_enough() -> None:
    total, low, high = total_hazard([0, 10], [10, 10])
    assert (total, high) == (1.0, 1.0)
    assert low > 0.6


def test_nothing_seen_on_more_steps_is_no_stronger_sign_of_danger() -> None:
    """Every step adds doubt, but not a hit that nobody saw."""
    one, four = total_hazard([0], [10]), total_hazard([0] * 4, [10] * 4)
    assert one[0] == four[0] == one[1] == 0.0
    assert four[1] < 0.01
    assert one[2] < four[2] < 2.5 * one[2]
