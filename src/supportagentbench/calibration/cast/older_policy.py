"""OlderPolicy: another edition of a shop's policy, and an oracle that does not know the new one."""

import msgspec

from supportagentbench.calibration.oracle import Oracle
from supportagentbench.world.folder import World
from supportagentbench.world.policy import Policy, policy_from, read_policy_document

LONG = 5
"""Any whole number in the policy that is at least this large is taken as a limit in days or months."""


class WorksByAnOlderPolicy(Oracle):
    """Follows, and quotes, an edition in which every time limit was twice as long."""

    def __init__(self, world: World, seed: int) -> None:
        super().__init__(world, seed)
        self.policy = older_policy(world)


def older_policy(world: World) -> Policy:
    """The policy of this world with every time limit doubled, in its rules and in its texts."""
    known = _EDITIONS.get(world.digest)
    if known is None:
        known = _EDITIONS[world.digest] = _read(world)
    return known


_EDITIONS: dict[str, Policy] = {}
"""By digest of the world, so that each is read once and not for every conversation."""


def _read(world: World) -> Policy:
    content = read_policy_document(world.folder / "policy.yaml", world.kit)
    limits = {
        name: 2 * value
        for name, value in msgspec.structs.asdict(content.measures).items()
        if isinstance(value, int) and value >= LONG
    }
    measures = msgspec.structs.replace(content.measures, **limits)
    return policy_from(msgspec.structs.replace(content, measures=measures), world.kit)
