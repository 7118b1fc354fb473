"""MCP client: lists the tools at an address and calls one, with the real SDK of either major version.

`python mcp_client.py ADDRESS TOOL ARGUMENTS [BEARER]` prints what came back as one line of JSON. It needs the
package `mcp` and nothing of ours, so that it runs in an environment of its own.
"""

import asyncio
import json
import sys
from importlib.metadata import version
from typing import Any


async def ask_new(address: str, tool: str, arguments: dict[str, Any], bearer: str) -> dict[str, Any]:
    """With version 2: it finds out by itself which era of the protocol a server speaks."""
    import httpx2
    from mcp import Client
    from mcp.client.streamable_http import streamable_http_client

    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    async with (
        httpx2.AsyncClient(headers=headers) as http,
        Client(streamable_http_client(address, http_client=http)) as client,
    ):
        listed = await client.list_tools()
        called = await client.call_tool(tool, arguments)
        return told(client.protocol_version, client.instructions, listed, called)


async def ask_old(address: str, tool: str, arguments: dict[str, Any], bearer: str) -> dict[str, Any]:
    """With version 1, which begins with a handshake."""
    from mcp import ClientSession
    from mcp.client.streamable_http import streamablehttp_client

    headers = {"Authorization": f"Bearer {bearer}"} if bearer else {}
    async with (
        streamablehttp_client(address, headers=headers) as (read, write, _),
        ClientSession(read, write) as session,
    ):
        begun = await session.initialize()
        listed = await session.list_tools()
        called = await session.call_tool(tool, arguments)
        return told(str(begun.protocolVersion), begun.instructions, listed, called)


def told(spoken: str, instructions: str | None, listed: Any, called: Any) -> dict[str, Any]:
    """What a test compares."""
    plain = [one.model_dump(mode="json", by_alias=True, exclude_none=True) for one in (listed, called)]
    return {
        "sdk": version("mcp"),
        "protocol": spoken,
        "instructions": instructions,
        "tools": plain[0]["tools"],
        "called": plain[1],
    }


if __name__ == "__main__":
    place, name, given, *key = sys.argv[1:]
    ask = ask_old if version("mcp").startswith("1.") else ask_new
    print(json.dumps(asyncio.run(ask(place, name, json.loads(given), key[0] if key else ""))))
