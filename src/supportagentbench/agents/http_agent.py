"""HTTP agent: a service, given by its address or by a file that says how to talk to it."""

import os
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Self

from msgspec import Struct, convert, to_builtins

from supportagentbench.agents.service_version import version_of
from supportagentbench.agents.spec import AgentSpec, Surroundings
from supportagentbench.desk import Door
from supportagentbench.desk.doors.process import Isolation
from supportagentbench.desk.doors.service import ServiceDoor
from supportagentbench.desk.doors.service_plan import ServicePlan, variables_in, with_variables
from supportagentbench.models.address import keep_credentials, recorded_address
from supportagentbench.models.prices import price_table
from supportagentbench.records.agent_version import AgentVersion
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest
from supportagentbench.records.secrets import keep_secret
from supportagentbench.storage.yaml_file import read_document, read_text

ADDRESSES = ("http://", "https://")
FILES = (".yaml", ".yml")

OWN = "sab"
"""The benchmark's own protocol."""

PRESETS = Path(__file__).parent / "presets"


class FileHead(Struct):
    """What decides how the rest of a file is read."""

    preset: str = ""
    body: Any = None


class HttpAgent(AgentSpec):
    """A service behind an address."""

    @classmethod
    def of(cls, name: str) -> Self | None:
        return cls(name) if name.startswith(ADDRESSES) or name.endswith(FILES) else None

    @property
    def title(self) -> str:
        return self.name.partition("://")[2].rpartition("@")[2].rstrip("/") if self._is_address else self.name

    @property
    def host(self) -> str:
        return recorded_address(read_plan(self.name).url)

    @property
    def prices(self) -> str:
        return price_table()

    @property
    def hides_acts(self) -> bool:
        return not read_plan(self.name).reaches_desk

    @property
    def _is_address(self) -> bool:
        return self.name.startswith(ADDRESSES)

    def version(self) -> AgentVersion:
        plan = read_plan(self.name)
        place = Path.cwd() if self._is_address else Path(self.name).resolve().parent
        found = version_of(plan, place)
        source = {} if self._is_address else {Path(self.name).name: digest(read_text(Path(self.name)))}
        given = self.title if self.given else ""
        return AgentVersion(source, given=given, service=found, unseen="" if found else UNSEEN)

    def doubts(self) -> Iterator[str]:
        if unseen := self.version().unseen:
            yield unseen
        if self.hides_acts:
            yield (
                "its file gives it none of {mcp}, {rest}, {openapi} and no fixed desk, so its acts cannot be "
                "observed, and only its words are read"
            )

    def check(self, isolation: Isolation | None = None, seconds: float = 0) -> None:
        read_plan(self.name)

    def _open(self, around: Surroundings) -> Door:
        return ServiceDoor(read_plan(self.name), self.version().service)


UNSEEN = "version unknown: a change behind this address cannot be seen"
"""Said wherever it would otherwise look as if the agent were known to be the same."""


def read_plan(name: str) -> ServicePlan:
    """How to talk to this service, with the keys that its file takes from the environment."""
    if name.startswith(ADDRESSES):
        keep_credentials(name)
        plan = read_document(PRESETS / f"{OWN}.yaml", ServicePlan)
        return _with_keys(convert(to_builtins(plan) | {"url": name}, ServicePlan), name)
    file = Path(name)
    if not file.is_file():
        raise Problem(f"there is no file {name}; write one, or give the service's address.")
    head = read_document(file, FileHead)
    below = _preset(head.preset or ("" if head.body is not None else OWN), file)
    return _with_keys(read_document(file, ServicePlan, over=below), name)


def _preset(name: str, file: Path) -> Path | None:
    known = {path.stem: path for path in sorted(PRESETS.glob("*.yaml"))}
    if name and name not in known:
        raise Problem(f"there is no preset {name!r}; there are {', '.join(known)}.", place=file)
    return known.get(name)


def _with_keys(plan: ServicePlan, place: str) -> ServicePlan:
    """The plan with `${NAME}` filled in; keys and whatever else comes from there are known as secrets."""
    try:
        plain = to_builtins(plan)
        for variable in variables_in(plain):
            keep_secret(os.environ.get(variable, ""))
        found = convert(with_variables(plain, os.environ), ServicePlan)
        start = found.start.headers if found.start else {}
        for value in (*found.headers.values(), *start.values(), found.desk.key):
            for word in value.split():
                keep_secret(word)
        keep_credentials(found.url)
        found.check()
    except Problem as problem:
        raise Problem(str(problem), place=place) from None
    return found
