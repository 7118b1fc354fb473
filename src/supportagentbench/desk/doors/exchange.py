"""Exchange: one request to a desk from outside and its answer, no matter which protocol it is in."""

from typing import Any, NamedTuple, Protocol

import msgspec
from multidict import CIMultiDictProxy

from supportagentbench.desk.arguments import DEEPEST, LARGEST, is_deep
from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.transcript import ToolResult

LARGEST_BODY = LARGEST + 2**16
"""Bytes of a request: the largest arguments that a desk takes, with room for the rest of the message."""


class ServedDesk(Protocol):
    """What a request is about: one conversation's desk, or the fixed address of all conversations."""

    @property
    def instructions(self) -> str: ...

    @property
    def tools(self) -> DeskTools: ...

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult: ...

    def spend(self, counts: dict[str, Any]) -> None: ...


class DeskRequest(NamedTuple):
    """A request as it came."""

    method: str
    headers: CIMultiDictProxy[str]
    body: bytes
    """At most one byte more than `LARGEST_BODY`."""


class DeskAnswer(NamedTuple):
    """What is sent back."""

    status: int
    body: bytes = b""
    kind: str = "application/json"
    allow: str = ""
    """The methods that would have been right."""


def call_arguments(given: Any) -> dict[str, Any] | str:
    """A call's arguments as a desk takes them; anything but an object becomes text, which it refuses."""
    if given is None:
        return {}
    if is_deep(given, DEEPEST):
        return "(nested too deeply)"
    return given if isinstance(given, dict | str) else msgspec.json.encode(given).decode()
