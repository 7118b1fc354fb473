"""A person writes to the customer while a client calls the tools: each call is shown and counts."""

import json
import os
import re
import signal
import socket
import subprocess
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from commands import SAB, sab
from outside import message
from warm import SOURCE

CASE = ("desk", "tracking-2", "--mcp")
LINK = "https://track.northline.example/fedex/779440292805"


@pytest.fixture
def begun(tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with subprocess.Popen(
        [*SAB, *CASE],
        cwd=tmp_path,
        env={**os.environ, "COLUMNS": "80", "PYTHONPATH": SOURCE},
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    ) as process:
        yield process
        process.kill()


def until(process: subprocess.Popen[str], words: str) -> str:
    """What it prints until it says this."""
    assert process.stdout
    said = ""
    while words not in said:
        said += (more := process.stdout.read(1))
        assert more, said
    return said


def posted(address: str, sent: Any) -> Any:
    asked = urllib.request.Request(address, json.dumps(sent).encode())
    with urllib.request.urlopen(asked, timeout=10) as answer:
        return json.load(answer)


def test_a_client_calls_the_tools_and_the_person_is_scored(begun: subprocess.Popen[str]) -> None:
    said = until(begun, "thank heavens.\n> ")
    found = re.search(r"^MCP: +(http://127\.0\.0\.1:\d+/desk/[\w-]+)/mcp$", said, re.M)
    assert found and f"claude mcp add --transport http northline {found[1]}/mcp\n" in said
    assert f"{found[1]}/openapi.json\n" in said and f"{found[1]}/instructions\n" in said
    call = message("tools/call", {"name": "find_order", "arguments": {"order": "#1561"}})
    assert not posted(f"{found[1]}/mcp", call)["result"]["isError"]
    assert not posted(f"{found[1]}/tools/find_order", {"order": "\x1b[2J#9"})["ok"]
    rest, _ = begun.communicate(f"It is with FedEx, 779440292805: {LINK}\n\n", timeout=30)
    assert '→ find_order {"order":"#1561"}\n' in rest
    assert "→ ✗ There is no order" in rest and "\x1b" not in rest
    assert "Handled correctly." in rest and begun.returncode == 0


def test_who_leaves_is_not_scored(begun: subprocess.Popen[str]) -> None:
    said, _ = begun.communicate("", timeout=30)
    assert said.endswith("sab: you left before the conversation was over; nothing is scored.\n")
    assert begun.returncode == 2


def test_it_can_be_stopped_while_it_waits_for_a_line(begun: subprocess.Popen[str]) -> None:
    until(begun, "thank heavens.\n> ")
    begun.send_signal(signal.SIGINT)
    assert begun.wait(10) == 130
    assert begun.stdout and "Fatal" not in begun.stdout.read()


def test_it_needs_a_customer_and_a_port() -> None:
    assert "--mcp serves the desk of one customer; name a case" in sab("desk", "--mcp").stderr
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        done = sab(*CASE, "--port", f"{port}")
    assert done.returncode == 2
    assert re.search(rf"^sab: the desk cannot be served at 127\.0\.0\.1:{port} \(.*\); choose", done.stderr)
