"""The point of commitment: the last step at which deciding again still changes the outcome."""

from supportagentbench.stats.commitment import point_of_commitment


def test_the_latest_step_with_an_effect_is_the_cause_not_the_largest() -> None:
    assert point_of_commitment([0, 1, 5, 10, 10], [10] * 5) == 2


def test_an_outcome_that_comes_back_every_time_has_no_cause_among_the_steps() -> None:
    assert point_of_commitment([10, 10, 10], [10] * 3) is None


def test_one_replay_that_differs_is_chance() -> None:
    assert point_of_commitment([2, 9, 10], [10] * 3) == 0


def test_a_step_without_replays_says_nothing() -> None:
    assert point_of_commitment([3, 0], [10, 0]) == 0
