"""Shipped agents: where the code of each agent is, and the names of their groups.

Their code is in `calibration/`, a higher layer, and is imported only on demand.
"""

from collections.abc import Iterable
from functools import partial
from importlib import import_module
from typing import Any, ClassVar, Self, TypeVar

from supportagentbench.agents import ShippedFactory
from supportagentbench.agents.spec import AgentSpec, AskedAgent, Surroundings
from supportagentbench.desk import Door
from supportagentbench.desk.doors.house import HouseDoor
from supportagentbench.desk.doors.process import Isolation

HOME = "supportagentbench.calibration"

DUMMIES = {
    "silent": "dummies:Silent",
    "hands-over": "dummies:HandsOver",
    "refuses": "dummies:Refuses",
    "complies": "dummies:Complies",
    "echoes": "dummies:Echoes",
    "dumps": "dummies:Dumps",
    "random-tool": "dummies:RandomTool",
    "keywords": "dummies:Keywords",
}

REFERENCE = {"oracle": "oracle:Oracle", **DUMMIES}

CAST = {
    "hasty": "cast.characters:HASTY",
    "trusting": "cast.characters:TRUSTING",
    "anxious": "cast.characters:ANXIOUS",
    "chatty": "cast.characters:CHATTY",
    "by-the-book": "cast.characters:BY_THE_BOOK",
    "stale": "cast.characters:STALE",
}

SHIPPED = {**REFERENCE, **CAST}
"""Module and attribute by name; agents of limited capacity have a dose in their name and are not listed."""

CAPACITY = "capacity"

GROUPS = {"cast": (*CAST,), "reference": (*REFERENCE,), "dummies": (*DUMMIES,)}
"""Names for several agents; one more group, `capacity`, is defined next to its limits."""


class ShippedAgent(AgentSpec):
    """An agent that comes with the package."""

    knows_world: ClassVar[bool] = True
    has_known_words: ClassVar[bool] = True
    is_name_reserved: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self | None:
        return cls(name) if name in SHIPPED or name.startswith(f"{CAPACITY}:") else None

    @property
    def is_known(self) -> bool:
        return True

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        shipped_agent(self.name)

    def _open(self, around: Surroundings) -> Door:
        assert around.world
        return HouseDoor(partial(shipped_agent(self.name), around.world))


Asked = TypeVar("Asked", str, AskedAgent)


def named(given: Iterable[Asked]) -> list[Asked]:
    """These agents with every name of a group expanded, without duplicates."""
    return list(dict.fromkeys(name for one in given for name in _members(one)))


def _members(name: Asked) -> tuple[Asked, ...]:
    if isinstance(name, AgentSpec):
        return (name,)
    if name == CAPACITY:
        members: tuple[str, ...] = _loaded("capacity:GROUP")
        return members
    return GROUPS.get(name, (name,))


def shipped_agent(name: str) -> ShippedFactory:
    """A shipped agent by its name."""
    found: ShippedFactory = (
        _loaded(SHIPPED[name]) if name in SHIPPED else _loaded("capacity:capacity_agent")(name)
    )
    return found


def _loaded(place: str) -> Any:
    module, _, attribute = place.partition(":")
    return getattr(import_module(f"{HOME}.{module}"), attribute)
