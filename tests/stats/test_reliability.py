"""Reliability: pass^k by brute force, and no talk of instability where chance does as much."""

from itertools import combinations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from scipy.stats import f_oneway
from statsmodels.stats.contingency_tables import cochrans_q  # type: ignore[import-untyped]

from supportagentbench.stats.reliability import all_of, flip_rate, icc, spread_p

TABLES = st.integers(2, 6).flatmap(
    lambda runs: st.lists(
        st.lists(st.integers(0, 1), min_size=runs, max_size=runs), min_size=1, max_size=12
    ).map(np.array)
)


def counts(table: np.ndarray) -> tuple[list[int], list[int]]:
    return table.sum(1).tolist(), [table.shape[1]] * len(table)


@given(TABLES, st.data())
def test_k_in_a_row_is_the_share_of_all_choices_of_k_runs(table: np.ndarray, data: st.DataObject) -> None:
    runs = table.shape[1]
    k = data.draw(st.integers(1, runs))
    choices = list(combinations(range(runs), k))
    expected = np.mean([[row[list(chosen)].all() for chosen in choices] for row in table])
    assert all_of(*counts(table), k) == pytest.approx(float(expected))


def test_k_in_a_row_is_unbiased_where_the_power_of_the_rate_is_not() -> None:
    assert all_of([2], [3], 3) == 0.0
    hits = np.random.default_rng(1).binomial(4, 0.7, 4_000)
    assert all_of(hits.tolist(), [4] * 4_000, 3) == pytest.approx(0.7**3, abs=0.02)
    assert np.mean((hits / 4) ** 3) > 0.7**3 + 0.05


def test_k_cannot_exceed_the_trials() -> None:
    with pytest.raises(ValueError, match="4 successes in a row"):
        all_of([3, 3], [3, 5], 4)


@given(TABLES)
def test_the_flip_rate_is_the_share_of_pairs_of_runs_that_differ(table: np.ndarray) -> None:
    pairs = combinations(range(table.shape[1]), 2)
    expected = np.mean([table[:, a] != table[:, b] for a, b in pairs])
    assert flip_rate(*counts(table)) == pytest.approx(float(expected))


def test_nothing_is_known_of_flips_from_single_tries() -> None:
    assert flip_rate([1, 0], [1, 1]) is None
    assert icc([1, 0], [1, 1]) is None
    assert icc([0, 0], [3, 3]) is None
    assert flip_rate([1, 1], [1, 2]) == 1.0


def test_icc_comes_from_the_one_way_analysis_of_variance() -> None:
    table = np.random.default_rng(2).binomial(1, np.linspace(0.05, 0.95, 30)[:, None], (30, 5))
    f = f_oneway(*table).statistic
    assert icc(*counts(table)) == pytest.approx((f - 1) / (f + 4))


def test_icc_finds_the_planted_share() -> None:
    random = np.random.default_rng(3)
    trials = random.integers(2, 12, 3_000)
    hits = random.binomial(trials, random.beta(0.25, 0.95, 3_000))
    assert icc(hits, trials) == pytest.approx(1 / (1 + 0.25 + 0.95), abs=0.03)


# Is it unstable?


def test_the_spread_is_cochrans() -> None:
    random = np.random.default_rng(4)
    for shift in (0.0, 0.1, 0.15):
        rates = np.clip(random.beta(2, 2, (150, 1)) + shift * np.array([0, 0, 1]), 0, 1)
        table = random.binomial(1, rates)
        assert spread_p(table) == pytest.approx(cochrans_q(table).pvalue, abs=0.03)


def test_three_four_and_five_of_eighteen_are_no_instability() -> None:
    """Whether two items always hit and the rest waver, or all waver, or most never do."""
    random = np.random.default_rng(5)
    for fixed in (0, 2):
        for _ in range(20):
            table = np.zeros((18, 3), int)
            table[:fixed] = 1
            for run, total in enumerate((3, 4, 5)):
                table[random.choice(np.arange(fixed, 18), total - fixed, replace=False), run] = 1
            assert spread_p(table) > 0.05


def test_a_bad_day_is_found() -> None:
    random = np.random.default_rng(6)
    days = [random.binomial(1, np.array([0.1, 0.1, 0.6]), (18, 3)) for _ in range(25)]
    assert np.mean([spread_p(table) <= 0.05 for table in days]) > 0.9


def test_steady_runs_are_called_unsteady_one_time_in_twenty() -> None:
    random = np.random.default_rng(7)
    called = [
        spread_p(random.binomial(1, random.beta(0.6, 2.3, (18, 1)), (18, 3))) <= 0.05 for _ in range(100)
    ]
    assert np.mean(called) <= 0.08


def test_nothing_that_varies_is_nothing_unsteady() -> None:
    assert spread_p(np.ones((5, 3))) == 1.0
    assert spread_p([[1], [0]]) == 1.0


def test_no_spread_is_impossible_by_chance() -> None:
    """The observed runs are one arrangement among all, so p is never zero."""
    table = np.zeros((60, 4))
    table[:, 0] = 1
    assert spread_p(table) == pytest.approx(1 / 5_000)
