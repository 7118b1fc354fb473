"""The sequential test: evidence grows only with regressions, and a bound on what may have been missed."""

import numpy as np
import pytest

from supportagentbench.stats.sequential import LEVEL, Evidence, ItemEvidence, most_worse


def evidence_of(differences: list[int], margin: float = 0.0) -> Evidence:
    found = Evidence(margin)
    for one in differences:
        found.add(one)
    return found


def test_evidence_begins_at_one_and_pairs_that_agree_do_not_move_it() -> None:
    assert evidence_of([]).value == evidence_of([0] * 50).value == 1


def test_six_flips_for_the_worse_are_enough_and_four_are_not() -> None:
    assert evidence_of([1] * 6).is_enough()
    assert not evidence_of([1] * 4).is_enough()


def test_flips_both_ways_cancel_out() -> None:
    assert not evidence_of([1, -1] * 40).is_enough()
    assert evidence_of([1, -1] * 40).value < 1


def test_no_order_of_the_same_trials_changes_the_evidence() -> None:
    assert evidence_of([1, 0, -1, 1, 1]).value == pytest.approx(evidence_of([-1, 1, 1, 1, 0]).value)


def test_within_the_margin_evidence_falls() -> None:
    """Two in a hundred got worse, and three points are allowed."""
    assert evidence_of([1, 1, *[0] * 98], margin=0.03).value < 1


def test_one_trial_never_gains_on_average_whatever_the_margin() -> None:
    """The law that bounds false alarms: where the mean is at the margin, that of the evidence is 1."""
    for margin in (0.0, 0.03, 0.5):
        worse = (1 + margin) / 2
        mean = worse * evidence_of([1], margin).value + (1 - worse) * evidence_of([-1], margin).value
        assert mean == pytest.approx(1)


def test_equal_agents_are_rarely_called_worse_however_often_one_looks() -> None:
    random, alarms = np.random.default_rng(3), 0
    for _ in range(300):
        evidence = Evidence()
        before, after = random.random((2, 120)) < 0.2
        for difference in after.astype(int) - before.astype(int):
            evidence.add(int(difference))
            if evidence.is_enough():
                alarms += 1
                break
    assert alarms / 300 <= LEVEL


def test_the_bound_shrinks_with_trials_and_is_above_what_was_seen() -> None:
    few, many = most_worse([0] * 20), most_worse([0] * 200)
    assert 0 < many < few < 0.3
    assert most_worse([1, 0, 0, 0] * 30) > 0.25
    assert most_worse([]) == pytest.approx(1)


def test_items_that_got_worse_are_found_though_as_many_got_better_before_them() -> None:
    """All trials together say nothing, in whatever order; each item by itself does."""
    pooled, by_item = Evidence(), ItemEvidence()
    for _ in range(10):
        for number in range(18):
            difference = 1 if number >= 9 else -1
            pooled.add(difference)
            by_item.add(f"trap-{number}", difference)
    assert pooled.value < 1e-3 and by_item.is_enough()


def test_one_trial_of_an_item_never_gains_on_average() -> None:
    """Worse and better are equally likely: the capital of today is the mean of that of tomorrow."""
    for before in ((), (1, 1, -1), (1, 1, 1)):
        outcomes = []
        for last in (1, -1):
            evidence = ItemEvidence()
            for number, difference in enumerate((*before, last)):
                evidence.add(f"trap-{number % 2}", difference)
            outcomes.append(evidence.value)
        held = ItemEvidence()
        for number, difference in enumerate(before):
            held.add(f"trap-{number % 2}", difference)
        assert sum(outcomes) / 2 == pytest.approx(held.value)
