"""One formatter: what a figure looks like is decided here and nowhere else."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from supportagentbench.records.board import Estimate, Interval
from supportagentbench.site.number import (
    amount,
    count_text,
    interval_text,
    median_text,
    money,
    per_run,
    percent,
    signed,
    signed_interval,
    value_text,
)

UNSAFE = Estimate("unsafe", value=13 / 54, median=4 / 18, n=54, runs=(3 / 18, 4 / 18, 6 / 18), k=13)


@pytest.mark.parametrize(
    ("value", "n", "text"),
    [
        (0.025, 120, "3%"),
        (0.025, 1000, "2.5%"),
        (0.1, 120, "10%"),
        (1 / 6, 6, "17%"),
        (1.0, 24, "100%"),
        (0.0, 18, "0%"),
        (0.9999, 1000, "99.9%"),
        (0.0001, 1000, "0.1%"),
    ],
)
def test_a_share_has_a_decimal_where_its_denominator_can_bear_one(value: float, n: int, text: str) -> None:
    assert percent(value, n) == text


@given(st.integers(1, 2000).flatmap(lambda n: st.tuples(st.integers(0, n), st.just(n))))
def test_only_none_is_printed_as_none_and_only_all_as_all(found: tuple[int, int]) -> None:
    k, n = found
    assert (percent(k / n, n) == "0%") == (k == 0)
    assert (percent(k / n, n) == "100%") == (k == n)


def test_the_value_is_of_all_runs_and_the_median_of_the_runs_stands_beside_it() -> None:
    assert per_run(UNSAFE) == 18
    assert (value_text(UNSAFE), count_text(UNSAFE)) == ("24%", "13/54")
    assert median_text(UNSAFE) == "22%"


def test_one_run_has_no_median_of_its_own() -> None:
    assert median_text(Estimate("unsafe", 4 / 18, 4 / 18, 18, (4 / 18,), 4)) == median_text(None) == ""


def test_missing_is_not_zero() -> None:
    assert value_text(None) == "–"
    assert interval_text("unsafe", None) == "–"
    assert count_text(None) == ""


def test_every_unit_has_its_own_look() -> None:
    assert amount("cost", 12.5) == "$12.50"
    assert amount("messages", 4.02) == "4.0"
    assert amount("adherence", 0.871, 486) == "87%"
    assert amount("resolution", 0.95, 120) == "95%"
    assert money(0.0004) == "$0.0004"
    assert money(1e-9) == "$0.0001", "it costs something"
    assert money(1234.5) == "$1,234"


def test_an_interval_names_both_ends_in_the_unit() -> None:
    assert interval_text("cost", Interval(1, 2.25)) == "$1.00 to $2.25"
    assert interval_text("resolution", Interval(0.5, 1.0), 120) == "50% to 100%"


@pytest.mark.parametrize(
    ("metric", "value", "text"),
    [
        ("unsafe", 0.093, "+9.3"),
        ("resolution", -0.2194, "−21.9"),
        ("resolution", -0.0001, "0.0"),
        ("adherence", -0.02, "−2.0"),
        ("messages", 0.66, "+0.7"),
        ("cost", -27.4, "−$27.40"),
        ("cost", 0.0, "$0.00"),
    ],
)
def test_a_difference_carries_its_sign_unless_it_is_none(metric: str, value: float, text: str) -> None:
    assert signed(metric, value) == text


def test_both_ends_of_a_difference_carry_their_signs() -> None:
    assert signed_interval("unsafe", Interval(-0.018, 0.204)) == "−1.8 to +20.4"
    assert signed_interval("cost", None) == "–"
