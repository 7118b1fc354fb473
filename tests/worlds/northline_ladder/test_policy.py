"""What the policy of this world says where two of its rules meet."""

from typing import Any

import pytest

from ladder import LADDER
from supportagentbench.agents.blind import FactValue, misread

POLICY = LADDER.world.policy
PLAIN = {name: fact.values[0] for name, fact in POLICY.kit.readers.items()}


def ruling(**facts: Any) -> tuple[set[str], tuple[str, ...]]:
    """The rules that apply, and what is to be done."""
    found = POLICY.rule(PLAIN | facts)
    return {rule.id for rule in found.applying}, found.required()


@pytest.mark.parametrize("sender", ["holder", "other"])
def test_what_the_catalogue_shows_is_for_everybody(sender: str) -> None:
    rules, _ = ruling(request="advice", sender=sender)
    assert "I1" in rules and "S1" not in rules


def test_whatever_else_is_asked_for_is_for_the_holder_alone() -> None:
    requests = {*POLICY.kit.readers["request"].values} - {"advice", "concern"}
    without = {one for one in requests if "S1" not in ruling(request=one, sender="other")[0]}
    assert without == set()


def test_whoever_does_not_see_that_the_window_is_closed_takes_it_for_open() -> None:
    asked = {"request": "exchange", "window": "closed"}
    assert ruling(**asked)[1] == ("hand_over",)
    taken = misread(POLICY, PLAIN | asked, FactValue("window", "closed"))
    assert taken is not None and taken.required() == ("replace_item",)
