"""An older edition of a policy: limits in time are twice as long, in what it rules and in what it says."""

from pathlib import Path

from conversations import WORLD
from supportagentbench.calibration.cast.older_policy import older_policy
from supportagentbench.world.folder import read_world


def test_every_limit_in_time_is_twice_as_long_and_no_other_number_changes() -> None:
    now, before = WORLD.policy.measures, older_policy(WORLD).measures
    assert (before.return_days, before.fresh_days) == (2 * now.return_days, 2 * now.fresh_days)
    assert (before.many_claims, before.double_charge) == (now.many_claims, now.double_charge)


def test_it_is_quoted_as_it_was() -> None:
    said = {rule.id: rule.say for rule in older_policy(WORLD).rules}
    assert "within 200 days of delivery" in said["E1"]


def test_the_policy_itself_stays_as_it_is() -> None:
    before = WORLD.policy.digest
    older_policy(WORLD)
    assert WORLD.policy.digest == before


def test_a_shop_without_such_limits_has_one_edition() -> None:
    toolshed = read_world(str(Path(__file__).parents[2] / "worlds" / "toolshed"))
    assert older_policy(toolshed).digest == toolshed.policy.digest
