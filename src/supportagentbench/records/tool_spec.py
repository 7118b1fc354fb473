"""ToolSpec: the tool description given to the caller."""

from typing import Any

from supportagentbench.records.record import Record


class ToolSpec(Record):
    """A name, a description and a schema; nothing that could be called."""

    name: str
    about: str
    schema: dict[str, Any]
    """JSON Schema of the arguments."""
