"""Agreement: against statsmodels and worked examples; a shuffled reader is exposed."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from statsmodels.stats.inter_rater import cohens_kappa  # type: ignore[import-untyped]

from supportagentbench.stats.agreement import (
    Confusion,
    ac1,
    alpha,
    confusion,
    kappa,
    like_items,
    recall_of_no,
    same_items,
)
from supportagentbench.stats.rates import wilson

NAN = float("nan")


def test_confusion_counts_what_it_says() -> None:
    found = confusion([True, True, False, False, False], [True, False, True, False, False])
    assert found == Confusion(both=1, first_only=1, second_only=1, neither=2)
    assert found.items == 5


@given(st.tuples(*[st.integers(1, 40)] * 4))
def test_kappa_agrees_with_statsmodels(cells: tuple[int, int, int, int]) -> None:
    both, first_only, second_only, neither = cells
    expected = cohens_kappa([[both, first_only], [second_only, neither]]).kappa
    assert kappa(Confusion(*cells)) == pytest.approx(expected)


def test_kappa_is_unknown_where_nothing_varies() -> None:
    assert kappa(Confusion(9, 0, 0, 0)) is None


def test_ac1_on_gwets_example() -> None:
    """Gwet 2008: 118 and 0 agreed, 5 and 2 not; kappa is below nought and AC1 is 0.94."""
    found = Confusion(118, 5, 2, 0)
    assert kappa(found) == pytest.approx(-0.0234, abs=1e-3)
    assert ac1(found) == pytest.approx(0.9407, abs=1e-3)


def test_a_shuffled_reader_with_the_right_mean_is_exposed() -> None:
    random = np.random.default_rng(1)
    truth = np.arange(486) < 462
    found = confusion(truth.tolist(), random.permutation(truth).tolist())
    agreed = kappa(found)
    noticed = recall_of_no(found)
    assert agreed is not None and abs(agreed) < 0.1
    assert noticed is not None and noticed[0] < 0.3
    assert ac1(found) > 0.85


def test_recall_of_the_noes_has_its_interval() -> None:
    assert recall_of_no(Confusion(90, 1, 3, 6)) == pytest.approx((6 / 9, *wilson(6 / 9, 9)))
    assert recall_of_no(Confusion(90, 1, 0, 0)) is None


def test_alpha_on_krippendorffs_example() -> None:
    """Four readers, twelve units, some unread: nominal alpha is 0.743 (Krippendorff 2011, C)."""
    readings = [
        [1, 2, 3, 3, 2, 1, 4, 1, 2, NAN, NAN, NAN],
        [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, NAN, 3],
        [NAN, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, NAN],
        [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, NAN],
    ]
    assert alpha(readings) == pytest.approx(0.743, abs=5e-4)


@given(st.lists(st.tuples(st.booleans(), st.booleans()), min_size=2, max_size=40))
def test_alpha_of_two_readers_is_kappa_with_one_shared_rate(pairs: list[tuple[bool, bool]]) -> None:
    """Scott's pi, with Krippendorff's correction for small samples."""
    first, second = zip(*pairs, strict=True)
    found, n = confusion(first, second), len(pairs)
    yes = (2 * found.both + found.first_only + found.second_only) / (2 * n)
    chance = 1 - 2 * yes * (1 - yes) * 2 * n / (2 * n - 1)
    agreed = (found.both + found.neither) / n
    expected = None if yes in (0, 1) else pytest.approx((agreed - chance) / (1 - chance))
    assert alpha([first, second]) == expected


@given(st.lists(st.tuples(st.sampled_from("abc"), st.sampled_from("abc")), min_size=2, max_size=60))
def test_kappa_of_categories_agrees_with_statsmodels(pairs: list[tuple[str, str]]) -> None:
    first, second = zip(*pairs, strict=True)
    found = same_items(first, second)
    table = [[pairs.count((x, y)) for y in "abc"] for x in "abc"]
    if len({*first, *second}) == 1:
        assert found.kappa is None
    else:
        assert found.kappa == pytest.approx(cohens_kappa(table, return_results=False))


def test_an_item_counts_once_however_many_it_is_compared_with() -> None:
    """The first answers like one of two others, the second like its only one."""
    found = like_items(["a", "b"], ["a", "b"], [[0, 1], [1]])
    assert found.shares == (0.5, 1.0) and found.same == 0.75 and found.chance == 0.5


def test_people_who_answer_by_lot_agree_by_chance() -> None:
    random = np.random.default_rng(3)
    answers = [str(one) for one in random.integers(0, 3, 400)]
    others = [[(place + step) % 400 for step in (1, 7, 30)] for place in range(400)]
    found = like_items(answers, answers, others)
    assert found.kappa == pytest.approx(0, abs=0.06)
