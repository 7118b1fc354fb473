"""Serving: a service that speaks the benchmark's own protocol; each test service brings its answer."""

import sys
from collections.abc import Awaitable, Callable
from typing import Any

from aiohttp import web

MODEL = "gpt-5.4-mini"

Answer = Callable[[dict[str, Any]], Awaitable[dict[str, Any]]]
"""From what is sent with a message to text and usage."""


def serve(answer: Answer) -> None:
    """Serve at the port on the command line, and print its number once the service is up."""

    async def reply(request: web.Request) -> web.Response:
        return web.json_response(await answer(await request.json()) | {"version": "1"})

    async def version(request: web.Request) -> web.Response:
        return web.json_response({"version": "1"})

    app = web.Application()
    app.add_routes([web.post("/reply", reply), web.get("/reply", version)])
    web.run_app(app, host="127.0.0.1", port=int(sys.argv[1]), print=lambda _: print("up", flush=True))
