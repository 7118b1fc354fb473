"""Redraw: the cases of what was recorded, drawn again, if they are still the same."""

from collections.abc import Iterable
from typing import Protocol

from supportagentbench.records.origin import UNSAVED, FileOrigin
from supportagentbench.records.problem import Problem
from supportagentbench.records.run import DeskKind
from supportagentbench.world.drawn_cases import DrawnCases, generate
from supportagentbench.world.folder import is_shipped_world, read_world
from supportagentbench.world.seed import Seed, is_name_of, numbered, private


class Recorded(Protocol):
    """A run's header or a gate's baseline, as far as its cases depend on it."""

    @property
    def world(self) -> str: ...
    @property
    def world_digest(self) -> str: ...
    @property
    def policy_digest(self) -> str: ...
    @property
    def desk(self) -> DeskKind: ...


def redrawn(
    recorded: Recorded,
    seeds: Iterable[str],
    world: str = "",
    secret: str = "",
    *,
    remedy: str,
    origin: FileOrigin = UNSAVED,
) -> list[DrawnCases]:
    """The cases of these draws, by the names of their seeds; a Problem with the remedy if any changed.

    `world` is the one that was typed; without it, the recorded one is opened if it is shipped.
    """
    where = world or origin.accept("world", recorded.world, is_shipped_world(recorded.world))
    names = list(dict.fromkeys(seeds))
    chosen = [_seed(name, secret) for name in names]
    opened = read_world(where)
    now = {
        "world": (recorded.world_digest, opened.digest),
        "policy": (recorded.policy_digest, opened.policy_digest(recorded.desk)),
        "draw": (True, all(map(is_name_of, chosen, names))),
    }
    if changed := [what for what, (before, after) in now.items() if before != after]:
        raise Problem(f"this was recorded with another {' and '.join(changed)} than there is now; {remedy}")
    return [generate(opened, seed) for seed in chosen]


def _seed(name: str, secret: str) -> Seed:
    if name.isdecimal():
        return numbered(int(name))
    if not secret:
        raise Problem(
            "these cases were drawn from a secret; give it in SAB_PRIVATE_SEED or with --private-seed."
        )
    return private(secret)
