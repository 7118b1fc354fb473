"""Danger rules: named by no code, found by the case types that a world calls dangerous."""

import pytest

from supportagentbench.shadow.danger_rules import danger_rules
from supportagentbench.world.folder import read_world


@pytest.mark.parametrize(("world", "rules"), [("northline", {"J2"}), ("northline_ladder", {"J2"})])
def test_the_rule_for_people_in_danger_is_found(world: str, rules: set[str]) -> None:
    assert danger_rules(read_world(world)) <= rules


def test_northline_has_one() -> None:
    assert danger_rules(read_world("northline")) == {"J2"}
