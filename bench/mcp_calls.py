"""What a tool call over HTTP costs the server: by MCP in both eras, and by REST, next to a bare echo of JSON.

Only CPU time of the serving process counts; the client is a process of its own. Each round measures all of
them, so that the ratios do not depend on what else the machine does.

`python bench/mcp_calls.py [ROUNDS]`
"""

import asyncio
import http.client
import json
import sys
import time
from statistics import median
from typing import NamedTuple

import msgspec
from aiohttp import web

from supportagentbench.concurrency.event_loop import drive
from supportagentbench.desk.doors.desk_server import DeskServer
from supportagentbench.desk.doors.mcp import CAPABILITIES_KEY, MODERN, VERSION_KEY
from supportagentbench.desk.doors.reception import Reception
from supportagentbench.desk.session import MOST_CALLS, DeskSession
from supportagentbench.world.drawn_cases import generate
from supportagentbench.world.folder import read_world

ROUNDS, VISITS = 5, 25
ORDER = {"order": "#1561"}
CALL = {"name": "find_order", "arguments": ORDER}
ENVELOPE = {VERSION_KEY: MODERN[0], CAPABILITIES_KEY: {}}
JSON = {"Content-Type": "application/json", "Accept": "application/json, text/event-stream"}
NAMED = {"Mcp-Protocol-Version": MODERN[0], "Mcp-Method": "tools/call", "Mcp-Name": "find_order"}


class Ask(NamedTuple):
    """One kind of request; `path` is below the address of a conversation's desk."""

    path: str
    body: dict[str, object]
    headers: dict[str, str]


def asks() -> dict[str, Ask]:
    """What is measured, by name; the first is what the others are compared with."""
    message: dict[str, object] = {"jsonrpc": "2.0", "id": 1, "method": "tools/call"}
    handshake = JSON | {"Mcp-Protocol-Version": "2025-11-25"}
    return {
        "bare echo": Ask("", message | {"params": CALL}, JSON),
        "MCP 2025-11-25": Ask("/mcp", message | {"params": CALL}, handshake),
        "MCP 2026-07-28": Ask("/mcp", message | {"params": CALL | {"_meta": ENVELOPE}}, JSON | NAMED),
        "REST": Ask("/tools/find_order", dict(ORDER), JSON),
    }


def send(place: str, name: str, bases: list[str]) -> None:
    """The client: as many calls at each address as one turn allows."""
    ask = asks()[name]
    body = json.dumps(ask.body)
    connection = http.client.HTTPConnection(place)
    for base in bases:
        for _ in range(MOST_CALLS):
            connection.request("POST", base + ask.path, body, ask.headers)
            answer = connection.getresponse()
            told = answer.read()
            if answer.status != 200 or b"1561" not in told:
                raise SystemExit(f"{name}: {answer.status} {told[:200]!r}")


async def cpu(place: str, name: str, bases: list[str]) -> float:
    """Milliseconds of this process's CPU time for each call."""
    before = time.process_time()
    words = ["--client", place, name, *bases]
    client = await asyncio.create_subprocess_exec(sys.executable, __file__, *words)
    if await client.wait():
        raise SystemExit(1)
    return 1000 * (time.process_time() - before) / (len(bases) * MOST_CALLS)


async def echo(request: web.Request) -> web.Response:
    """What any server has to do."""
    body = msgspec.json.encode(msgspec.json.decode(await request.read()))
    return web.Response(body=body, headers={"Content-Type": "application/json"})


async def measure(rounds: int) -> dict[str, list[float]]:
    """Milliseconds for each call, by what was asked, for each round."""
    cases = generate(read_world("northline"))
    reception = Reception()
    server = DeskServer(reception)
    place = (await server.start()).removeprefix("http://")
    app = web.Application()
    app.router.add_post("/echo", echo)
    bare = web.AppRunner(app, access_log=None)
    await bare.setup()
    await web.TCPSite(bare, "127.0.0.1", 0).start()
    found: dict[str, list[float]] = {name: [] for name in asks()}
    for _ in range(rounds):
        for name, ask in asks().items():
            visits = [reception.admit() for _ in range(VISITS)]
            for visit in visits:
                visit.take((), DeskSession(cases.desk_for(cases.cases["tracking-2"])).open_turn())
            at = place if ask.path else f"127.0.0.1:{bare.addresses[0][1]}"
            bases = [f"/desk/{visit.token}" for visit in visits] if ask.path else ["/echo"] * VISITS
            found[name].append(await cpu(at, name, bases))
            for visit in visits:
                reception.dismiss(visit)
    await server.aclose()
    await bare.cleanup()
    return found


def main(rounds: int) -> None:
    """Print milliseconds of CPU time for each call, and how many times those of the bare echo."""
    found = drive(measure(rounds))
    floor = found["bare echo"]
    for name, each in found.items():
        ratio = median(one / other for one, other in zip(each, floor, strict=True))
        print(f"{name:15} {median(each):.3f} ms  {ratio:.1f} x  ({min(each):.3f} to {max(each):.3f})")


if __name__ == "__main__":
    if sys.argv[1:2] == ["--client"]:
        send(sys.argv[2], sys.argv[3], sys.argv[4:])
    else:
        main(int(sys.argv[1]) if sys.argv[1:] else ROUNDS)
