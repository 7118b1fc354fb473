"""The alt-test: who may take an annotator's place, by the authors' own procedure worked out by hand."""

from random import Random

import pytest
from scipy.stats import false_discovery_control, ttest_1samp

from supportagentbench.stats.alt_test import ALLOWANCE, AltTest, alt_test, discoveries

ITEMS = range(90)


def noisy(seed: int, rate: float, items: range = ITEMS) -> dict[int, bool]:
    """Somebody who is wrong so often; every other item is truly met."""
    random = Random(seed)
    return {item: (item % 2 == 0) ^ (random.random() < rate) for item in items}


def test_a_judge_as_good_as_the_annotators_passes_and_a_coin_does_not() -> None:
    people = {name: noisy(seed, 0.1) for seed, name in enumerate(("anna", "bert", "carl"))}
    good, coin = alt_test(noisy(9, 0.05), people), alt_test(noisy(9, 0.5), people)
    assert good is not None and coin is not None
    assert (good.annotators, good.items, good.wins, good.passes) == (3, 90, 3, True)
    assert (coin.wins, coin.passes) == (0, False)
    assert good.advantage > 0.9 > 0.6 > coin.advantage


def test_it_is_the_authors_procedure() -> None:
    """Who is nearer to the others, item by item; a t-test against the allowance; Benjamini–Yekutieli."""
    judge = noisy(103, 0.2)
    people = {name: noisy(seed, 0.2) for seed, name in enumerate(("anna", "bert", "carl"))}
    p_values, advantages = [], []
    for name, own in people.items():
        judge_wins, person_wins = [], []
        for item in ITEMS:
            rest = [said[item] for other, said in people.items() if other != name]
            for_judge = sum(judge[item] == one for one in rest) / len(rest)
            for_person = sum(own[item] == one for one in rest) / len(rest)
            judge_wins.append(float(for_judge >= for_person))
            person_wins.append(float(for_person >= for_judge))
        gaps = [person - ours for person, ours in zip(person_wins, judge_wins, strict=True)]
        p_values.append(float(ttest_1samp(gaps, ALLOWANCE, alternative="less").pvalue))
        advantages.append(sum(judge_wins) / len(judge_wins))
    ranked = sorted(p_values)
    allowed = [0.05 * rank / 3 / (1 + 1 / 2 + 1 / 3) for rank in (1, 2, 3)]
    wins = max((rank for rank in (1, 2, 3) if ranked[rank - 1] <= allowed[rank - 1]), default=0)
    found = alt_test(judge, people)
    assert found is not None
    assert found.wins == wins and found.advantage == pytest.approx(sum(advantages) / 3)
    assert max(p_values) < 0.05 and wins < 3, "without a correction it would replace all three"


def test_it_needs_three_annotators_who_read_enough_of_the_same() -> None:
    judge = noisy(7, 0.1, range(300))
    two = {name: noisy(seed, 0.1) for seed, name in enumerate(("anna", "bert"))}
    assert alt_test(judge, two) is None
    assert alt_test(judge, two | {"carl": noisy(3, 0.1, range(29))}) is None
    assert alt_test(judge, two | {"carl": noisy(3, 0.1, range(200, 290))}) is None
    assert alt_test({}, two | {"carl": noisy(3, 0.1)}) is None
    assert alt_test(judge, two | {"carl": noisy(3, 0.1, range(30))}) is not None


def test_where_nobody_ever_differs_the_judge_is_as_good_as_anyone() -> None:
    found = alt_test(noisy(0, 0), {name: noisy(0, 0) for name in ("anna", "bert", "carl")})
    assert found is not None and (found.wins, found.advantage) == (3, 1)


def test_discoveries_are_those_below_the_level_after_the_textbook_adjustment() -> None:
    random = Random(5)
    for count in (1, 3, 10):
        for _ in range(20):
            p_values = [random.random() ** 4 for _ in range(count)]
            adjusted = false_discovery_control(p_values, method="by")
            assert discoveries(p_values) == int((adjusted <= 0.05).sum())


def test_half_of_the_annotators_are_enough() -> None:
    assert AltTest(annotators=4, items=30, wins=2, advantage=0.5).passes
    assert not AltTest(annotators=5, items=30, wins=2, advantage=0.5).passes
