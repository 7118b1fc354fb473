"""What a turn of a character costs."""

import pytest

from supportagentbench.calibration.cast.price import TokenPrice


def test_a_turn_costs_what_is_read_and_what_is_written() -> None:
    price = TokenPrice(prompt=1_000, thinking=50, read=2.0, written=10.0)
    usage = price.usage("someone", heard="x" * 400, said="y" * 200)
    assert (usage.input, usage.output, usage.reasoning) == (1_100, 100, 50)
    assert usage.cost == pytest.approx((1_100 * 2.0 + 100 * 10.0) / 1_000_000)
