"""Real clients of MCP, of both major versions, at the desk."""

import asyncio
import json
import sys
from pathlib import Path
from typing import Any

import pytest

from outside import ORDER, seat
from supportagentbench.desk.doors.desk_server import DeskServer
from supportagentbench.desk.doors.reception import Reception
from test_docs import ROOT

CLIENT = Path(__file__).parent / "mcp_client.py"

PYTHONS = {"2": Path(sys.executable), "1": ROOT / ".venv-mcp1" / "bin" / "python"}
"""The interpreter of the environment that has this major version."""


@pytest.mark.parametrize("major", PYTHONS)
@pytest.mark.parametrize("is_at_root", [False, True], ids=["by its address", "by its token"])
def test_a_client_lists_the_tools_and_calls_one(major: str, is_at_root: bool) -> None:
    async def ask() -> tuple[Any, Any, list[Any]]:
        reception = Reception()
        server = DeskServer(reception)
        base, seated = await server.start(), seat(reception)
        token = seated.visit.token
        place = [f"{base}/mcp"] if is_at_root else [f"{base}/desk/{token}/mcp"]
        words = [*place, "find_order", json.dumps({"order": ORDER}), *([token] if is_at_root else [])]
        client = await asyncio.create_subprocess_exec(
            PYTHONS[major], CLIENT, *words, stdout=asyncio.subprocess.PIPE
        )
        out, _ = await client.communicate()
        await server.aclose()
        turn = seated.session.turn
        assert turn
        return json.loads(out), seated.visit.tools, list(turn.work().calls)

    told, tools, (call,) = asyncio.run(ask())
    assert told["sdk"].startswith(f"{major}.")
    assert told["tools"] == [
        {"name": one.name, "description": one.about, "inputSchema": one.schema} for one in tools
    ]
    assert call.result.ok and [part["text"] for part in told["called"]["content"]] == [call.result.text]
    assert "Northline" in told["instructions"]
