"""HTTP agent: a service, given by its address or by a file that says how to talk to it.

The code that talks to services is imported only for them, because the import takes time.
"""

from collections.abc import Iterator
from pathlib import Path
from typing import ClassVar, Self

from supportagentbench.agents.spec import AgentSpec, Surroundings
from supportagentbench.desk import Door
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.models.address import recorded_address
from supportagentbench.models.prices import price_table
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.record import digest

UNSEEN = "version unknown: a change behind this address cannot be seen"
"""Said wherever it would otherwise look as if the agent were known to be the same."""


class HttpAgent(AgentSpec):
    """A service behind an address."""

    ADDRESSES: ClassVar[tuple[str, ...]] = ("http://", "https://")
    FILES: ClassVar[tuple[str, ...]] = (".yaml", ".yml")

    @classmethod
    def of(cls, name: str) -> Self | None:
        return cls(name) if name.startswith(cls.ADDRESSES) or name.endswith(cls.FILES) else None

    @property
    def title(self) -> str:
        return self.name.partition("://")[2].rpartition("@")[2].rstrip("/") if self._is_address else self.name

    @property
    def host(self) -> str:
        from supportagentbench.agents.service_file import read_plan

        return recorded_address(read_plan(self.name).url)

    @property
    def prices(self) -> str:
        return price_table()

    @property
    def hides_acts(self) -> bool:
        from supportagentbench.agents.service_file import read_plan

        return not read_plan(self.name).reaches_desk

    @property
    def here_only(self) -> str:
        from supportagentbench.agents.service_file import read_plan

        place = read_plan(self.name).desk
        is_fixed = place.fixed or place.port or place.url
        return "calls a desk with one fixed address, which only one process can serve" if is_fixed else ""

    @property
    def _is_address(self) -> bool:
        return self.name.startswith(self.ADDRESSES)

    def version(self) -> AgentVersion:
        from supportagentbench.agents.service_file import read_plan, written_plan
        from supportagentbench.agents.service_version import version_of

        file = Path(self.name)
        found = version_of(read_plan(self.name), Path.cwd() if self._is_address else file.resolve().parent)
        source = {} if self._is_address else {file.name: digest(written_plan(self.name))}
        given = self.title if self.given else ""
        return AgentVersion(source, given=given, service=found, unseen="" if found else UNSEEN)

    def doubts(self) -> Iterator[str]:
        yield from super().doubts()
        if self.hides_acts:
            yield (
                "its file gives it none of {mcp}, {rest}, {openapi} and no fixed desk, so its acts cannot be "
                "observed, and only its words are read"
            )

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        from supportagentbench.agents.service_file import read_plan

        read_plan(self.name)

    def _open(self, around: Surroundings) -> Door:
        from supportagentbench.agents.service_file import read_plan
        from supportagentbench.desk.doors.service import ServiceDoor

        return ServiceDoor(read_plan(self.name), self.version().service)
