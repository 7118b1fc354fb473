"""Server: the live view over HTTP, for this machine only. It is read-only and answers only GET."""

import asyncio
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from http import HTTPStatus
from pathlib import Path
from typing import NamedTuple

from aiohttp import web
from msgspec.structs import replace

from supportagentbench.concurrency.loopback import CLOSING, serving_app
from supportagentbench.live.conversation import read_conversation
from supportagentbench.live.page import POLICY, conversation_page, live_page, notice_page, static_file
from supportagentbench.live.shown import Shown, shown
from supportagentbench.live.snapshot import Snapshot
from supportagentbench.live.view import View
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.secrets import sealed_text

FRAME = 0.25
"""Seconds between two checks of the job."""

PING = 15.0
"""Seconds of silence after which a listener gets a heartbeat."""

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".svg": "image/svg+xml",
}

HEADERS = {
    "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
    "Referrer-Policy": "no-referrer",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cache-Control": "no-store",
    "Server": "sab",
}
"""Headers of every response, including errors."""


class LiveUpdate(Record):
    """A state, and the news since the last item that the reader has; 0: all news."""

    since: int
    shown: Shown
    view: View | None = None


class LiveAnswer(NamedTuple):
    """The response for a path."""

    content: bytes
    kind: str = TYPES[".html"]
    status: HTTPStatus = HTTPStatus.OK


class LiveSite:
    """Serves views of one job. Files are read outside the event loop."""

    def __init__(self, root: Path, view: Callable[[], View], snapshot: Snapshot) -> None:
        self.root = root
        self.view = view
        self.snapshot = snapshot

    def app(self) -> web.Application:
        """The application that serves it."""
        made = web.Application()
        made.router.add_route("*", "/{path:.*}", self.answer)
        made.on_response_prepare.append(_add_headers)
        return made

    async def answer(self, request: web.Request) -> web.StreamResponse:
        """One request."""
        if request.method != "GET":
            return web.Response(status=405, text="405: GET only.\n", headers={"Allow": "GET"})
        path = request.path.strip("/")
        if path == "events":
            return await self._stream(request)
        try:
            found = await asyncio.to_thread(self._answer, path, _number(request.query.get("since", "")))
        except Problem as problem:
            found = _notice(HTTPStatus.SERVICE_UNAVAILABLE, "Not yet", str(problem))
        body = sealed_text(found.content)
        return web.Response(body=body, status=found.status, headers={"Content-Type": found.kind})

    def _answer(self, path: str, since: int) -> LiveAnswer:
        match path.split("/"):
            case [""]:
                view = self.view()
                return LiveAnswer(live_page(view.title, shown(view)).encode())
            case ["state.json"]:
                view = self.view()
                message = replace(message_since(view, since), view=view)
                return LiveAnswer(to_json(message), TYPES[".json"])
            case ["favicon.ico"]:
                return LiveAnswer(b"", "image/x-icon", HTTPStatus.NO_CONTENT)
            case ["conversation" | "turns" as kind, folder, case]:
                return self._conversation(kind, folder, case)
            case _:
                return self._file(path)

    def _conversation(self, kind: str, folder: str, case: str) -> LiveAnswer:
        found = read_conversation(self.root, folder, case)
        if found is None:
            words = "It has not begun, or can be read only when it is finished, unless `--live` is on."
            return _notice(HTTPStatus.NOT_FOUND, "No such conversation", words)
        if kind == "conversation":
            return LiveAnswer(conversation_page(found).encode())
        return LiveAnswer(to_json(found), TYPES[".json"])

    def _file(self, path: str) -> LiveAnswer:
        content = static_file(path) or self.snapshot.file(path)
        if content is None:
            return _notice(HTTPStatus.NOT_FOUND, "No such page", "There is nothing at this address.")
        return LiveAnswer(content, TYPES.get(Path(path).suffix, "application/octet-stream"))

    async def _stream(self, request: web.Request) -> web.StreamResponse:
        """Send every change, at most four times a second, until either side disconnects."""
        response = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await response.prepare(request)
        closing = request.app[CLOSING]
        known, before, told = _number(request.headers.get("Last-Event-ID", "")), b"", time.monotonic()
        with suppress(ConnectionError):  # A reader that disconnects in the middle is not an error.
            while not closing.is_set():
                view = await asyncio.to_thread(self.view)
                still = to_json(replace(view, at=0.0, elapsed=0.0))
                if still != before:
                    message = message_since(view, known)
                    known = view.news[-1].place if view.news else 0
                    await response.write(sealed_text(b"id: %d\ndata: %s\n\n" % (known, to_json(message))))
                    before, told = still, time.monotonic()
                elif time.monotonic() - told >= PING:
                    await response.write(b": ping\n\n")
                    told = time.monotonic()
                with suppress(TimeoutError):
                    await asyncio.wait_for(closing.wait(), FRAME)
        return response


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


def _notice(status: HTTPStatus, title: str, words: str) -> LiveAnswer:
    return LiveAnswer(notice_page(title, words).encode(), status=status)


def _number(given: str) -> int:
    return int(given) if given.isdecimal() and len(given) < 20 else 0


def message_since(view: View, known: int) -> LiveUpdate:
    """The state with the news that a reader lacks; all news if the reader's last item is unknown here."""
    newest = view.news[-1].place if view.news else 0
    oldest = view.news[0].place if view.news else 0
    since = known if oldest - 1 <= known <= newest else 0
    found = shown(replace(view, news=tuple(news for news in view.news if news.place > since)))
    return LiveUpdate(since, found)


@contextmanager
def serving(root: Path, view: Callable[[], View], port: int) -> Iterator[str]:
    """Serve a job from a separate thread, on any free port if this one is taken; yields the address."""
    with ExitStack() as opened:
        snapshot = Snapshot(root)
        opened.callback(snapshot.close)
        try:
            link = opened.enter_context(serving_app(LiveSite(root, view, snapshot).app, port))
        except OSError as error:
            why = f"cannot serve on port {port} ({error.strerror}); choose another with --port."
            raise Problem(why) from None
        yield link
