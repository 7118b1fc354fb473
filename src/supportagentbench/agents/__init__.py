"""Whoever is under test. An agent answers a customer from a desk; how it does so is its own affair."""

from collections.abc import Sequence
from typing import Protocol

from supportagentbench.records.transcript import Cause, Turn
from supportagentbench.world.desk import Desk
from supportagentbench.world.folder import World


class Agent(Protocol):
    """One agent in one conversation."""

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """What to write to the customer, given the talk so far; tools are at `desk.call`."""
        ...


class AgentFailure(Exception):
    """Raised by an agent that cannot go on, for a reason that has a name."""

    kind = ""
    """The class of the exception that was raised in another process, if one was."""
    trace = ""
    """Its traceback."""

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail


class AgentFactory(Protocol):
    """Makes an agent for one conversation. A class with `__init__(self, seed)` is one."""

    def __call__(self, seed: int) -> Agent: ...


class ShippedFactory(Protocol):
    """Makes an agent of our own, which may know the world: the oracle reads the policy as rules."""

    def __call__(self, world: World, seed: int) -> Agent: ...
