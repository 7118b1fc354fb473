"""Code agent: the user's Python code, as `file.py`, `file.py:Name` or `package.module:Name`."""

import asyncio
from typing import ClassVar, Self

from supportagentbench.agents.load import load_agent
from supportagentbench.agents.source import source_of
from supportagentbench.agents.spec import AgentSpec, Surroundings
from supportagentbench.concurrency.shared_process import kept_alive
from supportagentbench.desk import Door
from supportagentbench.desk.doors.process import Isolation, ProcessDoor, check_loading
from supportagentbench.models.prices import price_table
from supportagentbench.records.agent_version import AgentVersion


class CodeAgent(AgentSpec):
    """A class or function in a module."""

    runs_own_code: ClassVar[bool] = True
    has_turn_limit: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self | None:
        return cls(name) if name.endswith(".py") or name.rpartition(":")[0] else None

    @property
    def prices(self) -> str:
        """Tokens that it reports without their cost are priced."""
        return price_table()

    def version(self) -> AgentVersion:
        return AgentVersion(source_of(self.name), given=self.title if self.given else "")

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        if isolation:
            asyncio.run(check_loading(self.name, isolation, seconds))
        else:
            with kept_alive():
                load_agent(self.name)

    def _open(self, around: Surroundings) -> Door:
        if around.isolation:
            return ProcessDoor(self.name, around.isolation)
        return load_agent(self.name)
