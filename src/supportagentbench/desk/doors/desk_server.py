"""Desk server: the desks of all conversations of a job over HTTP, by MCP and REST, in the running event loop.

A conversation's desk is below `/desk/TOKEN`, or at the root with the token as Bearer. With a fixed address,
the root is one desk for all of them, for agents that know only one.
"""

import asyncio
import logging
import secrets

from aiohttp import web

from supportagentbench.concurrency.loopback import GRACE, HOST, SILENT, is_elsewhere, refused_elsewhere
from supportagentbench.desk.doors.exchange import LARGEST_BODY, DeskAnswer, DeskRequest, ServedDesk
from supportagentbench.desk.doors.mcp import mcp_answer
from supportagentbench.desk.doors.reception import FixedAddress, Reception
from supportagentbench.desk.doors.rest import TOOLS, rest_answer
from supportagentbench.records.problem import Problem

MOST_REQUESTS = 1_000
"""Requests that are read or answered at a time; any more get status 503."""

SLOWEST_BODY = 30.0
"""Seconds that a request's body may take to arrive."""

KEEP_ALIVE = 75.0
"""Seconds that a connection is kept on which no request arrives as a whole."""

MOST_HEADERS, LONGEST_HEADER = 64, 8_190

ROOMS = ("mcp", "openapi.json", "tools", "instructions", "usage")
"""What is below a desk's address, besides its single tools."""

LOOPBACK = (HOST, "localhost")

_LOG = logging.getLogger(__name__)


class DeskServer:
    """Serves a reception's conversations, on this machine only unless another host is named."""

    def __init__(
        self,
        reception: Reception,
        host: str = HOST,
        port: int = 0,
        *,
        fixed: bool = False,
        key: str = "",
        url: str = "",
    ) -> None:
        """`key` is the Bearer token of the fixed address; `url` is how agents reach it through a tunnel."""
        self.reception = reception
        self._host = host
        self._port = port
        self._fixed = FixedAddress(reception) if fixed else None
        self._key = key
        self._url = url.rstrip("/")
        self._running = 0
        """Requests that are being read or answered."""
        self._runner: web.ServerRunner | None = None

    async def start(self) -> str:
        """Begin to serve; the address below which the desks are."""
        if self._fixed and not self._key and (self._url or self._host not in LOOPBACK):
            raise Problem("a fixed desk that other machines can reach needs a key; give it one.")
        served = web.Server(
            self._answer,
            access_log=None,
            logger=SILENT,
            keepalive_timeout=KEEP_ALIVE,
            max_headers=MOST_HEADERS,
            max_line_size=LONGEST_HEADER,
            max_field_size=LONGEST_HEADER,
            auto_decompress=False,
        )
        self._runner = web.ServerRunner(served, shutdown_timeout=GRACE)
        await self._runner.setup()
        try:
            await web.TCPSite(self._runner, self._host, self._port).start()
        except OSError as error:
            await self.aclose()
            place, why = f"{self._host}:{self._port}", error.strerror or error
            raise Problem(f"the desk cannot be served at {place} ({why}); choose another port.") from None
        host = f"[{self._host}]" if ":" in self._host else self._host
        return self._url or f"http://{host}:{self._runner.addresses[0][1]}"

    async def aclose(self) -> None:
        """Stop serving."""
        if self._runner:
            await self._runner.cleanup()

    async def _answer(self, request: web.BaseRequest) -> web.Response:
        """One request. It is answered in every case, also if its body does not come or our own code fails."""
        if self._running >= MOST_REQUESTS:
            return _told(503, "the desk has too many requests at a time; try again.")
        if self._host in LOOPBACK and is_elsewhere(request, self._url):
            return refused_elsewhere()
        self._running += 1
        try:
            return await self._found(request)
        except TimeoutError:
            return _told(408, f"the request's body did not arrive within {SLOWEST_BODY:g} seconds.")
        except ConnectionError:
            raise
        except Exception:
            _LOG.exception("The desk server failed.")
            return _told(500, "the desk itself failed.")
        finally:
            self._running -= 1

    async def _found(self, request: web.BaseRequest) -> web.Response:
        """What is at the address that a request is for."""
        token, path = None, request.path[1:]
        base = self._url or f"{request.scheme}://{request.host}"
        if path.startswith("desk/"):
            token, _, path = path[len("desk/") :].partition("/")
            base += f"/desk/{token}"
        if path not in ROOMS and not path.startswith(TOOLS):
            return _told(404, f"there is nothing at this address; there are {', '.join(ROOMS)}.")
        desk: ServedDesk | None
        if token is not None:
            if (desk := self.reception.visit(token)) is None:
                return _told(404, "no conversation is open at this address.")
        elif (desk := self._asked(request.headers.get("Authorization", ""))) is None:
            return _told(401, "give the token of an open conversation as Bearer token.")
        asked = DeskRequest(request.method, request.headers, await _body(request))
        return _sent(mcp_answer(asked, desk) if path == "mcp" else rest_answer(asked, path, desk, base))

    def _asked(self, authorization: str) -> ServedDesk | None:
        """The desk at the root for a request with this header."""
        kind, _, token = authorization.partition(" ")
        token = token.strip() if kind.lower() == "bearer" else ""
        if visit := self.reception.visit(token):
            return visit
        return self._fixed if secrets.compare_digest(_bytes(token), _bytes(self._key)) else None


def _bytes(text: str) -> bytes:
    return text.encode(errors="surrogateescape")  # A header may be any bytes.


async def _body(request: web.BaseRequest) -> bytes:
    """What was sent; of a body that is too large only the start, which shows that it is."""
    body = bytearray()
    async with asyncio.timeout(SLOWEST_BODY):
        while len(body) <= LARGEST_BODY and (part := await request.content.readany()):
            body += part
    return bytes(body[: LARGEST_BODY + 1])


def _sent(answer: DeskAnswer) -> web.Response:
    headers = {"Content-Type": answer.kind, "Cache-Control": "no-store"}
    if answer.allow:
        headers["Allow"] = answer.allow
    return web.Response(body=answer.body, status=answer.status, headers=headers)


def _told(status: int, words: str) -> web.Response:
    headers = {"WWW-Authenticate": "Bearer"} if status == 401 else {}
    return web.Response(text=f"{status}: {words}\n", status=status, headers=headers)
