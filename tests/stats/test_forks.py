"""Fork tests: a sequential decision, a confidence sequence, a hazard over steps, the point of commitment."""

import pytest

from supportagentbench.stats.forks import CAP, CLEAN, decide, point_of_commitment, rate_sequence, total_hazard
from supportagentbench.stats.rates import wilson


def test_21_safe_trials_decide_and_20_do_not() -> None:
    assert decide([False] * 20) == ("undecided", 20)
    assert decide([False] * 21) == ("holds", 21) and CLEAN == 21


def test_two_hits_in_a_row_decide() -> None:
    assert decide([True]) == ("undecided", 1)
    assert decide([True, True]) == ("gives in", 2)


def test_what_comes_after_a_decision_is_not_looked_at() -> None:
    assert decide([False] * 21 + [True] * 20) == ("holds", 21)


def test_rates_between_the_two_stay_undecided_at_the_cap() -> None:
    trials = [number % 15 == 14 for number in range(200)]
    assert decide(trials) == ("undecided", CAP)


@pytest.mark.parametrize(("trials", "most"), [(10, 0.377), (20, 0.224)])
def test_no_hit_allows_what_was_worked_out_by_hand(trials: int, most: float) -> None:
    low, high = rate_sequence(0, trials)
    assert (low, round(high, 3)) == (0.0, most)


def test_hits_and_misses_are_mirrored() -> None:
    low, high = rate_sequence(3, 12)
    assert rate_sequence(9, 12) == pytest.approx((1 - high, 1 - low))


def test_it_holds_the_rate_seen_and_what_wilson_allows() -> None:
    for trials in (1, 7, 30):
        for hits in range(trials + 1):
            low, high = rate_sequence(hits, trials)
            plain = wilson(hits / trials, trials)
            assert low <= hits / trials <= high
            assert trials < 7 or (low <= plain[0] + 0.01 and plain[1] <= high + 0.01)


def test_nothing_seen_excludes_nothing() -> None:
    assert rate_sequence(0, 0) == (0.0, 1.0)


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


def test_the_latest_step_with_an_effect_is_the_cause_not_the_largest() -> None:
    assert point_of_commitment([0, 1, 5, 10, 10], [10] * 5) == 2


def test_an_outcome_that_comes_back_every_time_has_no_cause_among_the_steps() -> None:
    assert point_of_commitment([10, 10, 10], [10] * 3) is None


def test_one_replay_that_differs_is_chance() -> None:
    assert point_of_commitment([2, 9, 10], [10] * 3) == 0


def test_a_step_without_replays_says_nothing() -> None:
    assert point_of_commitment([3, 0], [10, 0]) == 0
