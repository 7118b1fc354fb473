"""Whoever is under test. An agent answers a customer from a desk; how it does so is its own affair."""

import importlib
from collections.abc import Sequence
from functools import partial
from typing import Protocol

from supportagentbench.records.problem import Problem
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

    def __init__(self, cause: Cause, detail: str) -> None:
        super().__init__(detail)
        self.cause: Cause = cause
        self.detail = detail


class AgentFactory(Protocol):
    """Makes an agent for one conversation. A class with `__init__(self, seed)` is one."""

    def __call__(self, seed: int) -> Agent: ...


class EmbeddedFactory(Protocol):
    """Makes an agent of our own, which may know the world: the oracle reads the policy as rules."""

    def __call__(self, world: World, seed: int) -> Agent: ...


def find_agent(name: str, world: World) -> AgentFactory:
    """A reference agent by its name, or anybody's as `package.module:Name`."""
    from supportagentbench.agents.baselines import REFERENCE

    if name in REFERENCE:
        return partial(REFERENCE[name], world)
    module, colon, attribute = name.partition(":")
    if not colon:
        known = ", ".join(REFERENCE)
        raise Problem(f"no agent is called {name!r}; give package.module:Name, or one of: {known}.")
    try:
        found = getattr(importlib.import_module(module), attribute)
    except (ImportError, AttributeError) as error:
        raise Problem(f"the agent {name!r} cannot be loaded: {error}.") from None
    if not callable(found):
        raise Problem(f"the agent {name!r} is not a class or function that takes a seed.")
    factory: AgentFactory = found
    return factory
