"""Serving: a service that speaks the benchmark's own protocol; each test service brings its answer."""

import socket
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

MODEL = "gpt-5.4-mini"

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""From what is sent with a message to text and usage."""


def serve(answer: Answer) -> None:
    """Serve at any free port, and print the address."""

    async def reply(request: web.Request) -> web.Response:
        return web.json_response(await answer(await request.json()) | {"version": "1"})

    async def version(request: web.Request) -> web.Response:
        return web.json_response({"version": "1"})

    app = web.Application()
    app.add_routes([web.post("/reply", reply), web.get("/reply", version)])
    place = socket.create_server(("127.0.0.1", 0))
    address = f"http://127.0.0.1:{place.getsockname()[1]}/reply"
    web.run_app(app, sock=place, print=lambda _: print(address, flush=True))
