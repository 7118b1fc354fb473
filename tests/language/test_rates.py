"""Rates as they are typed."""

import pytest

from supportagentbench.language.rates import two_rates
from supportagentbench.records.problem import Problem


@pytest.mark.parametrize("words", ["5%,15%", "0.05,0.15", " 5 % , 0.15 "])
def test_two_rates_are_read_with_and_without_a_percent_sign(words: str) -> None:
    assert two_rates(words) == pytest.approx((0.05, 0.15))


@pytest.mark.parametrize("words", ["5", "5%", "5%,15%,20%", "5,15", "0%,5%", "x,y", "nan,0.5", "-1%,5%"])
def test_anything_else_is_refused(words: str) -> None:
    with pytest.raises(Problem, match="are not two rates"):
        two_rates(words)
