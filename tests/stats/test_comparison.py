"""Comparison: agrees with full enumeration and with statsmodels, and calls nothing better without cause."""

from itertools import product

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import norm, permutation_test, ttest_1samp

from supportagentbench.stats.comparison import dominance, paired, pairwise, ranks
from supportagentbench.stats.rates import exact

NAN = float("nan")

RATES = st.sampled_from([0.0, 1 / 3, 2 / 3, 1.0])


@given(st.lists(st.tuples(RATES, RATES, st.sampled_from("abcd")), min_size=2, max_size=9))
def test_the_p_value_is_that_of_all_ways_to_swap_clusters(items: list[tuple[float, float, str]]) -> None:
    first, second, clusters = zip(*items, strict=True)
    names = sorted(set(clusters))
    seen = abs(sum(first) - sum(second))
    reached = 0
    for signs in product((1, -1), repeat=len(names)):
        sign = dict(zip(names, signs, strict=True))
        reached += abs(sum(sign[c] * (a - b) for a, b, c in items)) >= seen - 1e-9
    assert paired(first, second, clusters).p == pytest.approx(reached / 2 ** len(names))


def test_the_p_value_agrees_with_scipy() -> None:
    random = np.random.default_rng(1)
    for count in (9, 40):
        first, second = random.random((2, count))
        expected = permutation_test(
            (first - second + 0.1,), np.sum, permutation_type="samples", n_resamples=9_999, rng=random
        )
        assert paired(first + 0.1, second).p == pytest.approx(expected.pvalue, abs=0.02)


@given(
    st.lists(st.tuples(RATES, RATES, st.sampled_from("abcdefghijklmnop")), min_size=1, max_size=30),
    st.sampled_from([0.0, 1.0]),
)
def test_the_interval_is_without_zero_exactly_if_the_test_rejects(
    items: list[tuple[float, float, str]], largest: float
) -> None:
    first, second, clusters = zip(*items, strict=True)
    found = paired(first, second, clusters, largest)
    assert (found.low > 0 or found.high < 0) is (found.p <= 0.05)
    assert found.low <= found.difference <= found.high


@given(
    st.lists(st.tuples(RATES, RATES, st.sampled_from("abcdefgh")), min_size=8, max_size=20),
    st.floats(-1.0, 1.0),
)
def test_a_shift_is_in_the_interval_exactly_if_the_test_does_not_exclude_it(
    items: list[tuple[float, float, str]], shift: float
) -> None:
    first, second, clusters = zip(*items, strict=True)
    found = paired(first, second, clusters, largest=0.0)
    tested = paired(np.array(first) - shift, second, clusters, largest=0.0)
    if min(abs(found.low - shift), abs(found.high - shift)) > 1e-6:
        assert (found.low < shift < found.high) is (tested.p > 0.05)


def test_with_few_clusters_nothing_is_excluded() -> None:
    for largest, most in ((1.0, 1.0), (0.0, np.inf)):
        found = paired([1.0] * 5, [0.0] * 5, [*"abcde"], largest)
        assert (found.low, found.high, found.p) == (-most, most, 0.0625)


def test_with_many_items_the_interval_is_about_students() -> None:
    random = np.random.default_rng(2)
    first, second = random.random((2, 30))
    expected = ttest_1samp(first - second, 0).confidence_interval()
    found = paired(first, second)
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.003)
    gap = np.repeat(random.normal(size=14), 4) + 0.1 * random.normal(size=56)
    expected = ttest_1samp(gap.reshape(14, 4).mean(1), 0).confidence_interval()
    found = paired(gap, np.zeros(56), [str(index // 4) for index in range(56)])
    assert (found.low, found.high) == pytest.approx((expected.low, expected.high), abs=0.05)


def test_where_nothing_differs_others_like_these_still_may() -> None:
    same = [str(number) for number in range(18)]
    for clusters, trials in ((same, 18), ([str(number // 2) for number in range(18)], 12)):
        found = paired([0.0] * 18, [0.0] * 18, clusters)
        assert (found.low, found.high) == (-exact(0, trials)[1], exact(0, trials)[1])
    one = paired([1.0] + [0.0] * 17, [0.0] * 18, same)
    assert one.low < 0 < one.high, "and where one item does, it may be the other way around"


def test_items_that_one_side_lacks_are_left_out() -> None:
    whole = paired([0.1, 0.9, 0.4], [0.2, 0.3, 0.8], [*"abc"])
    assert paired([0.1, 0.9, 0.4, NAN, 1], [0.2, 0.3, 0.8, 0, NAN], [*"abcab"]) == whole


def test_rows_without_a_common_item_are_no_pair() -> None:
    with pytest.raises(ValueError, match="no item in common"):
        paired([1.0, NAN], [NAN, 1.0])


def test_no_difference_seen_is_not_no_difference() -> None:
    found = paired([0.0] * 18, [0.0] * 18)
    assert (found.difference, found.p) == (0.0, 1.0)
    assert found.high == -found.low == pytest.approx(0.185, abs=0.001)


def test_four_clusters_can_show_nothing_and_one_less_than_that() -> None:
    found = paired([1.0] * 24, [0.0] * 24, [*"abcd"] * 6)
    assert found.p == 0.125
    assert paired([1.0, 1.0], [0.0, 0.0], ["a", "a"])[1:4] == (-1.0, 1.0, 1.0)


# Many at once


def board(rates: list[float], items: int = 60, seed: int = 3) -> np.ndarray:
    """Rows with these true rates, three runs an item, items of unlike difficulty that all rows share."""
    random = np.random.default_rng(seed)
    ease = random.beta(2, 2, items)
    odds = np.log(ease / (1 - ease)) + np.log(np.array(rates) / (1 - np.array(rates)))[:, None]
    return np.asarray(random.binomial(3, 1 / (1 + np.exp(-odds))) / 3)


def test_every_pair_is_what_the_pair_alone_would_be() -> None:
    values = board([0.3, 0.5, 0.9], items=12)
    values[0, 0] = values[2, 5] = NAN
    clusters = [str(index // 2) for index in range(12)]
    found = pairwise(values, clusters)
    for a, b in product(range(3), repeat=2):
        alone = paired(values[a], values[b], clusters)
        assert found.difference[a, b] == pytest.approx(alone.difference)
        assert found.p[a, b] == pytest.approx(alone.p)


def test_adjusting_costs_something_but_less_than_bonferroni() -> None:
    found = pairwise(board([0.3, 0.4, 0.5, 0.6, 0.7]), [str(index) for index in range(60)])
    upper = np.triu_indices(5, 1)
    p, adjusted = found.p[upper], found.adjusted[upper]
    assert (adjusted >= p).all()
    assert (adjusted <= np.minimum(10 * p, 1) + 0.02).all()
    assert (found.adjusted == found.adjusted.T).all() and (np.diag(found.adjusted) == 1).all()


def test_adjusted_values_are_westfall_and_youngs_worked_out_pattern_by_pattern() -> None:
    """The largest of the remaining gaps, over every pattern of signs, down from the clearest."""
    values = board([0.3, 0.5, 0.8], items=8)
    gaps = [values[a] - values[b] for a, b in ((0, 1), (0, 2), (1, 2))]
    scaled = [gap / np.sqrt((gap**2).sum()) for gap in gaps]
    seen = [abs(gap.sum()) for gap in scaled]
    order, found, last = sorted(range(3), key=lambda pair: -seen[pair]), [0.0] * 3, 0.0
    for step, pair in enumerate(order):
        rest = [scaled[other] for other in order[step:]]
        hits = [
            max(abs(float(np.array(signs) @ gap)) for gap in rest) >= seen[pair] - 1e-4
            for signs in product((1, -1), repeat=8)
        ]
        last = max(last, sum(hits) / len(hits))
        found[pair] = last
    adjusted = pairwise(values, [str(index) for index in range(8)]).adjusted
    assert [adjusted[0, 1], adjusted[0, 2], adjusted[1, 2]] == pytest.approx(found)


def test_ranks_part_the_clear_and_leave_the_unclear_together() -> None:
    found = pairwise(board([0.2, 0.5, 0.5, 0.95]), [str(index) for index in range(60)])
    assert [tuple(rank) for rank in ranks(found)] == [(4, 4), (2, 3), (2, 3), (1, 1)]


def test_rows_with_nothing_in_common_are_not_told_apart() -> None:
    values = np.array([[1.0] * 10 + [NAN] * 10, [NAN] * 10 + [0.0] * 10])
    found = pairwise(values, [str(index) for index in range(20)])
    assert found.adjusted[0, 1] == 1.0
    assert [tuple(rank) for rank in ranks(found)] == [(1, 2), (1, 2)]


# Dominance


def test_clear_dominance_is_recovered_whichever_way_is_better() -> None:
    random = np.random.default_rng(5)
    clusters = [str(index // 3) for index in range(60)]
    good = np.stack([random.random(60) * 0.2, 0.8 + random.random(60) * 0.2])
    poor = np.stack([random.random(60), random.random(60)])
    assert dominance(good, poor, [-1, 1], clusters) > 0.99
    assert dominance(poor, good, [-1, 1], clusters) == 0.0
    assert dominance(good, poor, [-1, -1], clusters) == 0.0


def test_on_one_measure_dominance_is_as_sure_as_a_one_sided_test() -> None:
    drawn = np.random.default_rng(8).normal(size=12)
    gap = 0.35 + (drawn - drawn.mean()) / drawn.std(ddof=1)
    found = dominance([gap], [np.zeros(12)], [1], [str(index) for index in range(12)])
    assert found == pytest.approx(norm.cdf(0.35 * np.sqrt(12)), abs=0.02)


def test_resamples_have_one_cluster_fewer_than_there_are() -> None:
    """Of two clusters one is drawn: the lead of the first decides half of the resamples."""
    assert dominance([[1.0, -0.5]], [[0.0, 0.0]], [1], ["a", "b"]) == pytest.approx(0.5, abs=0.03)


def test_an_entry_does_not_dominate_its_double() -> None:
    values = np.random.default_rng(6).random((3, 30))
    assert dominance(values, values, [1, 1, 1], [str(index) for index in range(30)]) == 0.0


def test_a_measure_may_apply_to_some_items_only() -> None:
    first = [[1.0] * 8 + [NAN] * 8, [NAN] * 8 + [0.5] * 8]
    second = [[0.0] * 8 + [NAN] * 8, [NAN] * 8 + [0.5] * 8]
    clusters = [str(index) for index in range(16)]
    assert dominance(first, second, [1, 1], clusters) > 0.99
    unknown = [[0.0] * 8 + [NAN] * 8, [NAN] * 16]
    assert dominance(first, unknown, [1, 1], clusters) == 0.0
