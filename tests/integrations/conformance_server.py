"""Conformance server: the desk server with the test tools of the protocol's own conformance suite.

`python conformance_server.py [PORT]` prints the address and serves it until standard input ends. It has those
of the suite's tools that answer with text, as a desk's tools do; `conformance.yaml` says how to run it, and
what of it does not apply.
"""

import asyncio
import sys
from typing import Any

from supportagentbench.desk import Desk
from supportagentbench.desk.doors.desk_server import DeskServer
from supportagentbench.desk.doors.reception import Reception
from supportagentbench.desk.tools import DeskTools
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import ToolResult
from supportagentbench.records.usage import Usage

NOTHING: dict[str, Any] = {"type": "object", "properties": {}}

WIDE = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "type": "object",
    "$defs": {
        "address": {
            "$anchor": "addressDef",
            "type": "object",
            "properties": {"street": {"type": "string"}, "city": {"type": "string"}},
        }
    },
    "properties": {
        "name": {"type": "string"},
        "address": {"$ref": "#/$defs/address"},
        "contactMethod": {"type": "string", "enum": ["phone", "email"]},
        "phone": {"type": "string"},
        "email": {"type": "string"},
    },
    "allOf": [{"anyOf": [{"required": ["phone"]}, {"required": ["email"]}]}],
    "if": {"properties": {"contactMethod": {"const": "phone"}}, "required": ["contactMethod"]},
    "then": {"required": ["phone"]},
    "else": {"required": ["email"]},
    "additionalProperties": False,
}

TEXTS = {
    "test_simple_text": "This is a simple text response for testing.",
    "test_streaming_elicitation": "Answered without asking for anything.",
    "test_logging_tool": "Answered without a log.",
    "json_schema_2020_12_tool": "Received.",
}

FAILS = "test_error_handling"


class TestTools:
    """The suite's tools, in the place of a desk's."""

    def call(self, tool: str, arguments: dict[str, Any] | str) -> ToolResult:
        """What the suite expects of a tool."""
        if tool in TEXTS:
            return ToolResult.of(TEXTS[tool])
        return ToolResult.refused("This tool intentionally returns an error for testing")

    def spend(self, usage: Usage) -> None:
        """Nothing is counted."""


async def serve(port: int) -> None:
    """Serve one conversation that never ends."""
    reception = Reception()
    server = DeskServer(reception, port=port)
    base, visit = await server.start(), reception.admit()
    schemas = dict.fromkeys([*TEXTS, FAILS], NOTHING) | {"json_schema_2020_12_tool": WIDE}
    tools = DeskTools(ToolSpec(name, "A tool of the suite.", schema) for name, schema in schemas.items())
    visit.take((), Desk(TestTools(), "", tools))
    print(f"{base}/desk/{visit.token}/mcp", flush=True)
    await asyncio.to_thread(sys.stdin.read)
    await server.aclose()


if __name__ == "__main__":
    asyncio.run(serve(int(sys.argv[1]) if sys.argv[1:] else 0))
