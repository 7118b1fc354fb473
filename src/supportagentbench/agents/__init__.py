"""Whoever is under test. An agent answers a customer from a desk; how it does so is its own affair."""

from typing import Protocol

from supportagentbench.desk import Agent
from supportagentbench.world.folder import World


class ShippedFactory(Protocol):
    """Makes an agent of our own, which may know the world: the oracle reads the policy as rules."""

    def __call__(self, world: World, seed: int) -> Agent: ...
