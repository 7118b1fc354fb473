"""Agents: the programs under test. An agent answers customers from a desk, in any way it likes."""

from typing import Protocol

from supportagentbench.desk import Agent
from supportagentbench.world.folder import World


class ShippedFactory(Protocol):
    """Makes one of our own agents, which may know the world: the oracle reads the policy as rules."""

    def __call__(self, world: World, seed: int) -> Agent: ...
