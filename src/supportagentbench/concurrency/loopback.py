"""Loopback: an aiohttp application served to this machine only, from a thread of its own.

A page in a browser may send requests to any address, also to this machine. So only requests to our own host
name are answered, and of those that name an origin, only our own.
"""

import asyncio
import errno
import logging
import threading
from collections.abc import Awaitable, Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import partial

from aiohttp import web

HOST = "127.0.0.1"

CLOSING = web.AppKey("closing", asyncio.Event)
"""Set when the server stops: what an answer that never ends has to look at."""

GRACE = 2.0
"""Seconds that answers in progress have to end."""

_SILENT = logging.getLogger("supportagentbench.loopback")
_SILENT.addHandler(logging.NullHandler())
_SILENT.propagate = False


@web.middleware
async def _refuse_elsewhere(
    request: web.Request, handler: Callable[[web.Request], Awaitable[web.StreamResponse]]
) -> web.StreamResponse:
    """Refuse requests from other sites, and those to other host names, which other sites may point here."""
    port = request.transport.get_extra_info("sockname")[1] if request.transport else 0
    places = {f"{name}:{port}" for name in (HOST, "localhost")}
    origin = request.headers.get("Origin")
    if request.headers.get("Host") not in places or (
        origin is not None and origin not in {f"http://{place}" for place in places}
    ):
        return web.Response(status=403, text="403: only pages of this server may ask.\n")
    return await handler(request)


@contextmanager
def serving_app(make: Callable[[], web.Application], port: int) -> Iterator[str]:
    """Serve an application until the block ends; its address. If the port is taken, at any free one.

    `make` is called in the thread that serves. An OSError says why nothing can be served.
    """
    ready: Future[tuple[int, Callable[[], object]]] = Future()
    thread = threading.Thread(target=lambda: asyncio.run(_serve(make, port, ready)), daemon=True)
    thread.start()
    bound, stop = ready.result()
    try:
        yield f"http://{HOST}:{bound}"
    finally:
        stop()
        thread.join()


async def _serve(
    make: Callable[[], web.Application], port: int, ready: "Future[tuple[int, Callable[[], object]]]"
) -> None:
    loop, closing = asyncio.get_running_loop(), asyncio.Event()
    try:
        app = make()
        app.middlewares.insert(0, _refuse_elsewhere)
        app[CLOSING] = closing
        runner = web.AppRunner(app, access_log=None, logger=_SILENT, shutdown_timeout=GRACE)
        await runner.setup()
        bound = await _bound(runner, port)
    except BaseException as error:
        ready.set_exception(error)
        return
    ready.set_result((bound, partial(loop.call_soon_threadsafe, closing.set)))
    await closing.wait()
    await runner.cleanup()


async def _bound(runner: web.AppRunner, port: int) -> int:
    """Listen; the port."""
    try:
        await web.TCPSite(runner, HOST, port).start()
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise
        await web.TCPSite(runner, HOST, 0).start()
    return int(runner.addresses[0][1])
