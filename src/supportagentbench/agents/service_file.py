"""Service file: what an address or an `agent.yaml` says of a service, with its preset and its keys."""

import os
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct, convert, to_builtins
from msgspec.structs import replace

from supportagentbench.agents.http_agent import HttpAgent
from supportagentbench.desk.doors.service_plan import (
    ServicePlan,
    VersionSource,
    variables_in,
    with_variables,
)
from supportagentbench.models.address import keep_credentials
from supportagentbench.records.problem import Problem
from supportagentbench.records.secrets import keep_secret
from supportagentbench.storage.yaml_file import read_document, schema_of

OWN = "sab"
"""The benchmark's own protocol."""

PRESETS = Path(__file__).parent / "presets"


_PROOF = re.compile(r"auth|key|token|cookie|secret", re.IGNORECASE)
"""What headers are called that prove who asks."""


class FileHead(Struct):
    """What decides how the rest of a file is read."""

    preset: str = ""
    body: Any = None
    version: VersionSource | None = None


def read_plan(name: str) -> ServicePlan:
    """How to talk to this service, with the keys that its file takes from the environment."""
    return _with_keys(written_plan(name), name)


def written_plan(name: str) -> ServicePlan:
    """How to talk to this service, as an address or a file says it; variables are not filled in."""
    if name.startswith(HttpAgent.ADDRESSES):
        keep_credentials(name)
        plan = read_document(PRESETS / f"{OWN}.yaml", ServicePlan)
        return convert(to_builtins(plan) | {"url": name}, ServicePlan)
    file = Path(name)
    if not file.is_file():
        raise Problem(f"there is no file {name}; write one, or give the service's address.")
    head = read_document(file, FileHead)
    below = _preset(head.preset or ("" if head.body is not None else OWN), file)
    plan = read_document(file, ServicePlan, over=below)
    if head.version:  # As a whole: what a preset says of another place would contradict it.
        plan = replace(plan, version=head.version)
    return plan


def plan_schema() -> str:
    """JSON Schema of the file, for editors."""
    schema = msgspec.json.encode(schema_of(ServicePlan, "agent.yaml"), order="deterministic")
    return msgspec.json.format(schema).decode() + "\n"


def _preset(name: str, file: Path) -> Path | None:
    known = {path.stem: path for path in sorted(PRESETS.glob("*.yaml"))}
    if name and name not in known:
        raise Problem(f"there is no preset {name!r}; there are {', '.join(known)}.", place=file)
    return known.get(name)


def _with_keys(plan: ServicePlan, place: str) -> ServicePlan:
    """The plan with `${NAME}` filled in; values from there, such as keys, are kept secret."""
    try:
        plain = to_builtins(plan)
        for variable in variables_in(plain):
            keep_secret(os.environ.get(variable, ""))
        found = convert(with_variables(plain, os.environ), ServicePlan)
        for value in _keys(found):
            keep_secret(value)
        keep_credentials(found.url)
        found.check()
    except Problem as problem:
        raise Problem(str(problem), place=place) from None
    return found


def _keys(plan: ServicePlan) -> Iterator[str]:
    """What proves who asks, wherever the file has it from."""
    headers = [*plan.headers.items(), *(plan.start.headers.items() if plan.start else ())]
    for name, value in headers:
        if _PROOF.search(name):
            yield from value.split()
    yield plan.desk.key
