"""Faults: thrown as often as was said, and read from the command line."""

import pytest

from supportagentbench.fake_provider.faults import FaultDice, Faults, faults_from
from supportagentbench.records.problem import Problem


def test_the_dice_keep_to_the_shares() -> None:
    dice = FaultDice(Faults(seed=5, dropped=0.3, slow=0.1))
    drawn = [dice.fault() for _ in range(10_000)]
    assert drawn.count("dropped") == pytest.approx(3000, abs=150)
    assert drawn.count("slow") == pytest.approx(1000, abs=100)
    assert drawn.count(None) == 10_000 - drawn.count("dropped") - drawn.count("slow")


def test_the_plan_comes_before_the_dice() -> None:
    dice = FaultDice(Faults(plan=("ok", "truncated"), empty=1))
    assert [dice.fault() for _ in range(4)] == [None, "truncated", "empty", "empty"]


def test_faults_from_the_command_line() -> None:
    found = faults_from("rate_limited=0.05, latency=0.2,retry_form=ms,plan=ok truncated,down_at=3")
    assert found == Faults(
        rate_limited=0.05, latency=0.2, retry_form="ms", plan=("ok", "truncated"), down_at=3
    )
    assert faults_from("") == Faults()


@pytest.mark.parametrize("text", ["rain=1", "latency=soon", "slow=0.6,empty=0.6", "slow=-0.1", "latency"])
def test_faults_that_cannot_be(text: str) -> None:
    with pytest.raises(Problem, match="The faults cannot be read"):
        faults_from(text)
