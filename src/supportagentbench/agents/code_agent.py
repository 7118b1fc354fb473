"""Code agent: anybody's Python code, as `file.py`, `file.py:Name` or `package.module:Name`."""

import asyncio
from typing import ClassVar, Self

from supportagentbench.agents import AgentFactory
from supportagentbench.agents.isolation.process import AgentProcesses, Isolation, check_loading
from supportagentbench.agents.load import load_agent
from supportagentbench.agents.source import source_of
from supportagentbench.agents.spec import AgentSpec, Surroundings
from supportagentbench.records.agent_version import AgentVersion


class CodeAgent(AgentSpec):
    """A class or function in a module."""

    runs_own_code: ClassVar[bool] = True
    has_turn_limit: ClassVar[bool] = True

    @classmethod
    def of(cls, name: str) -> Self | None:
        return cls(name) if name.endswith(".py") or name.rpartition(":")[0] else None

    def version(self) -> AgentVersion:
        return AgentVersion(source_of(self.name), given=self.title if self.given else "")

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        if isolation:
            asyncio.run(check_loading(self.name, isolation, seconds))
        else:
            load_agent(self.name)

    def _open(self, around: Surroundings) -> AgentFactory:
        if around.isolation:
            return AgentProcesses(self.name, around.isolation)
        return load_agent(self.name)
