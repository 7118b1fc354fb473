"""While a job runs Python looks for forgotten objects seldom; afterwards as it did before."""

import gc

import pytest

from supportagentbench.litter import EVERY, swept_seldom


def test_what_stands_is_left_alone_and_the_rest_is_looked_at_seldom() -> None:
    before = gc.get_threshold()
    with swept_seldom():
        assert gc.get_threshold()[0] == EVERY > before[0]
        assert gc.get_freeze_count() > 1000
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_a_job_that_fails_leaves_it_as_it_was() -> None:
    before = gc.get_threshold()
    with pytest.raises(KeyError), swept_seldom():
        raise KeyError
    assert gc.get_threshold() == before
    assert gc.get_freeze_count() == 0


def test_circles_are_still_swept_up() -> None:
    before = gc.get_stats()[0]["collected"]
    with swept_seldom():
        for _ in range(3 * EVERY):
            circle: list[object] = []
            circle.append(circle)
        assert gc.get_stats()[0]["collected"] - before > EVERY
