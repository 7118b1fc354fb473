"""Tool: a typed function over the store becomes something an agent can call.

The signature is the schema and the docstring is what the model reads, so neither can drift from the
code. A call always returns a text: a polite no is a result, not an exception.
"""

import inspect
from collections.abc import Callable
from functools import cached_property
from typing import Any, Literal, get_type_hints

import msgspec

from supportagentbench.records.record import Record
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import ToolResult
from supportagentbench.world.store import Store

Work = Callable[..., Any]


class ToolRefusal(Exception):
    """A polite no inside a tool: nothing was done, and the sentence says why."""


class ToolFault(Record):
    """What a write of the desk does wrong in one case."""

    tool: str
    does: Literal["queues", "times_out", "lies"]
    """`queues`: it says that the change is queued. `times_out`: it does not answer. `lies`: it answers as if
    it had worked. None of them changes anything."""
    times: int = 0
    """How often; then it works. 0: always."""

    def answer(self, result: ToolResult) -> ToolResult:
        """What the agent is sent in place of this result."""
        if not result.ok:
            return result
        if self.does == "times_out":
            result = ToolResult.refused(f"{self.tool} gave no answer in time.")
        elif self.does == "queues":
            result = ToolResult.of({"done": QUEUED})
        return msgspec.structs.replace(result, changes=(), pending=True)


QUEUED = "queued: it waits to be carried out, and nothing is changed yet"


class Tool:
    """One function of the desk, its schema, and how to call it with what a model wrote."""

    def __init__(self, work: Work, *, writes: bool) -> None:
        self.work = work
        self.writes = writes
        self.name = work.__name__
        self._arguments = _argument_struct(work)

    @cached_property
    def spec(self) -> ToolSpec:
        """The tool description given to the caller."""
        return ToolSpec(self.name, inspect.cleandoc(self.work.__doc__ or ""), self.schema)

    @cached_property
    def schema(self) -> dict[str, Any]:
        """JSON Schema of the arguments, as all wire dialects want it."""
        (found,) = msgspec.json.schema_components([self._arguments], ref_template="#/{name}")[1].values()
        return {key: found[key] for key in ("type", "properties", "required")} | {
            "additionalProperties": False
        }

    def look(self, store: Store, arguments: dict[str, Any]) -> Any:
        """What the tool finds in these books, as its own record; None where it says no."""
        try:
            return self.work(store, **arguments)
        except ToolRefusal:
            return None

    def run(self, store: Store, arguments: dict[str, Any]) -> ToolResult:
        """Do the work in these books. Never raises for anything the agent sent."""
        try:
            given = msgspec.convert(arguments, self._arguments, strict=False)
        except (msgspec.ValidationError, TypeError) as error:
            what = str(error).replace("`$.", "`").replace(" - at `$`", "")
            return ToolResult.refused(f"{self.name} was not run: {what}.")
        try:
            found = self.work(store, **msgspec.structs.asdict(given))
        except ToolRefusal as no:
            return ToolResult.refused(str(no))
        return ToolResult.of(found)


def _argument_struct(work: Work) -> type[msgspec.Struct]:
    """The parameters after the store, as a struct that refuses unknown names."""
    hints = get_type_hints(work, include_extras=True)
    _, *parameters = inspect.signature(work).parameters.values()
    fields: list[Any] = [
        (p.name, hints[p.name])
        if p.default is inspect.Parameter.empty
        else (p.name, hints[p.name], p.default)
        for p in parameters
    ]
    return msgspec.defstruct(work.__name__, fields, forbid_unknown_fields=True, frozen=True)
