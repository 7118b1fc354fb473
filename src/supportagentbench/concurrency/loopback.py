"""Loopback: an aiohttp application served to this machine only, from a thread of its own.

A page in a browser may send requests to any address, also to this machine. So only requests to our own host
name are answered, and of those that name an origin, only our own.
"""

import asyncio
import errno
import logging
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import Future
from contextlib import contextmanager
from functools import lru_cache, partial

from aiohttp import web
from aiohttp.typedefs import Handler
from yarl import URL

HOST = "127.0.0.1"

CLOSING = web.AppKey("closing", asyncio.Event)
"""Set when the server stops: what an answer that never ends has to look at."""

GRACE = 2.0
"""Seconds that answers in progress have to end."""

SILENT = logging.getLogger("supportagentbench.loopback")
"""For errors about what strangers send, which are not shown."""
SILENT.addHandler(logging.NullHandler())
SILENT.propagate = False


def is_elsewhere(request: web.BaseRequest, tunnel: str = "") -> bool:
    """Whether a request is from another site, or to another host name, which another site may point here.

    The address of a tunnel that ends here is our own as well.
    """
    port = request.transport.get_extra_info("sockname")[1] if request.transport else 0
    places, origins = _own(port, tunnel)
    return request.headers.get("Host") not in places or request.headers.get("Origin") not in origins


@lru_cache
def _own(port: int, tunnel: str) -> tuple[frozenset[str], frozenset[str | None]]:
    """The values of `Host` and `Origin` that are right; none at all is right for an origin."""
    places = [f"{HOST}:{port}", f"localhost:{port}"]
    origins = [f"http://{place}" for place in places]
    if tunnel:
        origins.append(str(URL(tunnel).origin()))
        places.append(origins[-1].partition("://")[2])
    return frozenset(places), frozenset([None, *origins])


def refused_elsewhere() -> web.Response:
    """The answer to such a request."""
    return web.Response(status=403, text="403: only pages of this server may ask.\n")


@web.middleware
async def _refuse_elsewhere(request: web.Request, handler: Handler) -> web.StreamResponse:
    return refused_elsewhere() if is_elsewhere(request) else await handler(request)


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
        runner = web.AppRunner(app, access_log=None, logger=SILENT, shutdown_timeout=GRACE)
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
