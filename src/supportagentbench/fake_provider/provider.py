"""Provider: a model provider on the loopback that speaks three dialects and misbehaves on request.

Tests and benchmarks use it instead of real providers. It must be cheap: it shares the machine with what is
measured.
"""

import asyncio
import math
import socket
from datetime import UTC, datetime, timedelta
from email.utils import format_datetime
from types import TracebackType
from typing import Literal, Self
from zlib import crc32

import msgspec
from aiohttp import web

from supportagentbench.fake_provider.anthropic import FakeAnthropic
from supportagentbench.fake_provider.clerk import Clerk, ModelReply, RawReply, ReceivedRequest, Responder
from supportagentbench.fake_provider.counts import Counter, Counts, Tokens
from supportagentbench.fake_provider.dialect import FakeDialect, RequestRefused, reply_tokens
from supportagentbench.fake_provider.faults import Fault, FaultDice, Faults, apply_fault
from supportagentbench.fake_provider.openai import FakeOpenAI
from supportagentbench.fake_provider.responses import FakeResponses
from supportagentbench.fake_provider.spoiling import SPOILERS, UNREADABLE
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import to_json

DIALECTS: dict[str, FakeDialect] = {
    "/v1/chat/completions": FakeOpenAI(),
    "/v1/responses": FakeResponses(),
    "/v1/messages": FakeAnthropic(),
}
JSON = {"Content-Type": "application/json"}
EVENTS = {"Content-Type": "text/event-stream"}
HTML = {"Content-Type": "text/html"}
GATEWAY_PAGE = b"<html><head><title>503 Service Temporarily Unavailable</title></head></html>"
NO_FAULTS = Faults()
BACKLOG = 1024
PIECES = 20
"""Number of pieces of a slow body."""

SPOILED = frozenset({"dropped", "truncated", "gone", "down"}) | UNREADABLE
"""Outcomes whose reply the client cannot have read; `gone`: the client did not wait for it."""

STREAMED = ("truncated", "huge_length", "slow", "padded")
"""Outcomes whose reply is sent in pieces."""

TOO_MANY = RequestRefused(
    429, "rate_limit_error", "Rate limit reached. Please try again later.", "rate_limit_exceeded"
)
ERRORS = {
    "rate_limited": TOO_MANY,
    "concurrency": TOO_MANY,
    "per_second": TOO_MANY,
    "server_error": RequestRefused(
        500, "api_error", "The server had an error. Sorry about that!", "server_error"
    ),
    "overloaded": RequestRefused(529, "overloaded_error", "Overloaded", "overloaded"),
}


class HttpReply(msgspec.Struct):
    """What is sent back, and what is counted for it."""

    outcome: str
    body: bytes = b""
    status: int = 200
    headers: dict[str, str] = msgspec.field(default_factory=lambda: JSON)
    model: str = ""
    tokens: Tokens | None = None


class FakeProvider:
    """The server: `async with FakeProvider() as provider`, then ask `provider.url`."""

    def __init__(
        self,
        mind: Responder | None = None,
        faults: Faults = NO_FAULTS,
        *,
        port: int = 0,
        keep: bool = False,
    ) -> None:
        self.mind: Responder = mind or Clerk()
        self.faults = faults
        self.seen: list[bytes] = []
        """Every request body, if they are kept."""
        self._keep = keep
        self._port = port
        self._dice = FaultDice(faults)
        self._counter = Counter()
        self._arrived = 0
        self._down_until = 0.0
        self._allowance = faults.per_second
        self._last_arrival = 0.0
        self._outage: asyncio.Task[None] | None = None

    @property
    def url(self) -> str:
        """Its address; the paths of all dialects start with `/v1`."""
        return f"http://127.0.0.1:{self._port}"

    @property
    def counts(self) -> Counts:
        """The counts so far."""
        return self._counter.counts

    async def __aenter__(self) -> Self:
        self._loop = asyncio.get_running_loop()
        self._http = web.Server(self._handle, access_log=None)
        place = _bound(self._port)
        self._port = place.getsockname()[1]
        self._listener = await self._loop.create_server(self._http, sock=place, backlog=BACKLOG)
        return self

    async def __aexit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        await self._end_outage()
        self._listener.close()
        await self._http.shutdown(0.01)

    def go_down(self, seconds: float, form: Literal["unavailable", "refused"] | None = None) -> None:
        """Start an outage now."""
        self._down_until = self._loop.time() + seconds
        if (form or self.faults.down_form) == "refused":
            self._listener.close()
            for connection in self._http.connections:
                connection.force_close()
            if self._outage is None or self._outage.done():
                self._outage = self._loop.create_task(self._refuse_connections())

    async def _refuse_connections(self) -> None:
        # A socket that is bound but does not listen keeps the port, and connections are refused.
        place = _bound(self._port)
        try:
            while (seconds := self._down_until - self._loop.time()) > 0:
                await asyncio.sleep(seconds)
            self._listener = await self._loop.create_server(self._http, sock=place, backlog=BACKLOG)
        except asyncio.CancelledError:
            place.close()
            raise

    async def _end_outage(self) -> None:
        if self._outage is not None:
            self._outage.cancel()
            await asyncio.wait([self._outage])

    async def _handle(self, request: web.BaseRequest) -> web.StreamResponse:
        dialect = DIALECTS.get(request.path)
        if dialect is None or request.method != "POST":
            return self._aside(request.path)
        reply = HttpReply("gone")
        try:
            reply = await self._reply(request, dialect, self._counter.arrive(request.path))
            return await self._send(request, reply)
        except ConnectionError:
            reply.outcome = "down" if self._loop.time() < self._down_until else "gone"
            return web.Response()
        finally:
            whole = reply.outcome not in SPOILED
            self._counter.leave(reply.model, reply.outcome, reply.tokens, whole=whole)

    def _aside(self, path: str) -> web.Response:
        if path == "/counts":
            return web.Response(body=to_json(self.counts), headers=JSON)
        return web.Response(body=b'{"error":{"message":"Not found."}}', status=404, headers=JSON)

    async def _reply(self, request: web.BaseRequest, dialect: FakeDialect, concurrency: int) -> HttpReply:
        """The reply. Faults are drawn first, so that they follow the order of arrival."""
        fault, latency, busy = self._dice.fault(), self._dice.latency(), self._too_busy(concurrency)
        body = await request.content.read()
        if self._keep:
            self.seen.append(body)
        if self._is_down():
            return HttpReply("down", GATEWAY_PAGE, 503, HTML)
        model = ""
        try:
            seen = dialect.read(request.headers, body)
            model = seen.model
            dialect.refuse_model(seen, self.faults.context)
        except RequestRefused as refused:
            outcome = f"refused:{refused.code or refused.kind}"
            return HttpReply(outcome, dialect.error(refused), refused.status, JSON, model)
        if busy or fault in ERRORS or fault == "unavailable":
            return self._error(busy or str(fault), dialect, model)
        said = self.mind.answer(seen)
        if latency:
            await asyncio.sleep(latency)
        # A dialogue only grows, so its length distinguishes its requests and ids are unique within it.
        number = crc32(seen.last.text.encode(), len(body))
        return self._written(dialect, seen, said, fault, number)

    def _is_down(self) -> bool:
        """Whether an outage is in progress; starts the one planned for this request."""
        self._arrived += 1
        if self._arrived == self.faults.down_at:
            self.go_down(self.faults.down_for)
        return self._loop.time() < self._down_until

    def _too_busy(self, concurrency: int) -> Literal["", "concurrency", "per_second"]:
        """Which limit this request exceeds."""
        if self.faults.concurrency and concurrency > self.faults.concurrency:
            return "concurrency"
        rate = self.faults.per_second
        if not rate:
            return ""
        now = self._loop.time()
        self._allowance = min(rate, self._allowance + (now - self._last_arrival) * rate)
        self._last_arrival = now
        if self._allowance < 1:
            return "per_second"
        self._allowance -= 1
        return ""

    def _error(self, outcome: str, dialect: FakeDialect, model: str) -> HttpReply:
        if outcome == "unavailable":
            return HttpReply(outcome, GATEWAY_PAGE, 503, HTML, model)
        refused = ERRORS[outcome]
        headers = JSON | self._retry_header() if refused.status == 429 else JSON
        return HttpReply(outcome, dialect.error(refused), refused.status, headers, model)

    def _retry_header(self) -> dict[str, str]:
        seconds = self.faults.retry_after
        if not seconds:
            return {}
        if self.faults.retry_form == "ms":
            return {"retry-after-ms": f"{seconds * 1000:.0f}"}
        if self.faults.retry_form == "date":
            when = datetime.now(UTC) + timedelta(seconds=math.ceil(seconds))
            return {"Retry-After": format_datetime(when, usegmt=True)}
        return {"Retry-After": f"{seconds:g}"}

    def _written(
        self,
        dialect: FakeDialect,
        seen: ReceivedRequest,
        said: ModelReply | RawReply,
        fault: Fault | None,
        number: int,
    ) -> HttpReply:
        """The reply in bytes, after the fault is applied."""
        if isinstance(said, RawReply):
            return HttpReply("verbatim", said.body, said.status, JSON | said.headers, seen.model)
        spoilt = apply_fault(said, fault, seen.tools) if fault else None
        said = spoilt or said
        tokens = reply_tokens(seen, said)
        cost = self.faults.dollars * (tokens.prompt + tokens.output) / 1e6 if self.faults.dollars else None
        body = dialect.write(seen, said, tokens, number, cost)
        outcome = fault if fault and spoilt else "ok"
        change, headers = SPOILERS.get(outcome, (bytes, {}))
        kind = EVENTS if seen.streams else JSON
        return HttpReply(outcome, change(body), 200, kind | headers, seen.model, tokens)

    async def _send(self, request: web.BaseRequest, reply: HttpReply) -> web.StreamResponse:
        if reply.outcome == "dropped":
            request.protocol.force_close()
            return web.Response()
        if reply.outcome not in STREAMED:
            response = web.Response(body=reply.body, status=reply.status, headers=reply.headers)
            await response.prepare(request)
            await response.write_eof()
            return response
        length = {} if reply.outcome == "padded" else {"Content-Length": str(len(reply.body))}
        stream = web.StreamResponse(headers=length | reply.headers)
        await stream.prepare(request)
        if reply.outcome in ("truncated", "huge_length"):
            await stream.write(reply.body[: len(reply.body) // 2])
            request.protocol.force_close()
            return stream
        pause = self.faults.slow_for / PIECES if reply.outcome == "slow" else 0.0
        step = -(-len(reply.body) // PIECES)
        for start in range(0, len(reply.body), step):
            await asyncio.sleep(pause)
            await stream.write(reply.body[start : start + step])
        await stream.write_eof()
        return stream


def _bound(port: int) -> socket.socket:
    place = socket.socket()
    place.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        place.bind(("127.0.0.1", port))
    except OSError as error:
        place.close()
        raise Problem(f"port {port} cannot be served ({error}); choose another one.") from None
    return place
