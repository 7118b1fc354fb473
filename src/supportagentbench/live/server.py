"""Server: the live view over HTTP, for this machine only. It is read-only and answers only GET."""

import errno
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from http import HTTPStatus
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from typing import Any
from urllib.parse import parse_qs, unquote, urlsplit

from msgspec.structs import replace

from supportagentbench.live.conversation import read_conversation
from supportagentbench.live.page import POLICY, conversation_page, live_page, notice_page, static_file
from supportagentbench.live.shown import Shown, shown
from supportagentbench.live.snapshot import Snapshot
from supportagentbench.live.view import View
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import Record, to_json
from supportagentbench.records.secrets import sealed_text

HOST = "127.0.0.1"
FRAME = 0.25
"""Seconds between two looks at the job."""

PING = 15.0
"""Seconds of silence after which a listener gets a sign of life."""

TYPES = {
    ".html": "text/html; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".json": "application/json",
    ".csv": "text/csv; charset=utf-8",
    ".svg": "image/svg+xml",
}


class LiveUpdate(Record):
    """A state, and the news since the last that the reader knows; 0: all news."""

    since: int
    shown: Shown
    view: View | None = None


class LiveServer(ThreadingHTTPServer):
    """Answers with views of one job."""

    daemon_threads = True

    def __init__(self, root: Path, view: Callable[[], View], port: int) -> None:
        super().__init__((HOST, port), Handler)
        self.root = root
        self.view = view
        self.snapshot = Snapshot(root)
        self.closing = threading.Event()

    @property
    def link(self) -> str:
        return f"http://{HOST}:{self.server_port}"

    def handle_error(self, request: Any, client_address: Any) -> None:
        """A reader that disconnects in the middle of an answer is not an error."""


class Handler(BaseHTTPRequestHandler):
    """One request."""

    server: LiveServer
    server_version = "sab"
    sys_version = ""

    def do_GET(self) -> None:
        if not self._is_from_here():
            self._send(HTTPStatus.FORBIDDEN, b"403: only pages of this server may ask.\n", "text/plain")
            return
        path = unquote(urlsplit(self.path).path)
        try:
            self._answer(path)
        except Problem as problem:
            self._page(HTTPStatus.SERVICE_UNAVAILABLE, notice_page("Not yet", str(problem)))

    def _refuse(self) -> None:
        self.close_connection = True
        self._send(HTTPStatus.METHOD_NOT_ALLOWED, b"405: GET only.\n", "text/plain", Allow="GET")

    do_POST = do_PUT = do_PATCH = do_DELETE = do_HEAD = do_OPTIONS = _refuse

    def _is_from_here(self) -> bool:
        """Whether the request comes from our own pages; other sites and other host names are refused."""
        places = {f"{name}:{self.server.server_port}" for name in (HOST, "localhost")}
        origin = self.headers.get("Origin")
        return self.headers.get("Host") in places and (
            origin is None or origin in {f"http://{place}" for place in places}
        )

    def _answer(self, path: str) -> None:
        match path.strip("/").split("/"):
            case [""]:
                view = self.server.view()
                self._page(HTTPStatus.OK, live_page(view.title, shown(view)))
            case ["events"]:
                self._stream()
            case ["state.json"]:
                given = parse_qs(urlsplit(self.path).query).get("since", ["0"])[0]
                view = self.server.view()
                message = message_since(view, int(given) if given.isdecimal() else 0)
                self._send(HTTPStatus.OK, to_json(replace(message, view=view)), TYPES[".json"])
            case ["favicon.ico"]:
                self._send(HTTPStatus.NO_CONTENT, b"", "image/x-icon")
            case ["conversation" | "turns" as kind, folder, case]:
                self._conversation(kind, folder, case)
            case _:
                self._site(path.strip("/"))

    def _conversation(self, kind: str, folder: str, case: str) -> None:
        found = read_conversation(self.server.root, folder, case)
        if found is None:
            words = "It has not begun, or can be read only when it is finished, unless `--live` is on."
            self._page(HTTPStatus.NOT_FOUND, notice_page("No such conversation", words))
        elif kind == "conversation":
            self._page(HTTPStatus.OK, conversation_page(found))
        else:
            self._send(HTTPStatus.OK, to_json(found), TYPES[".json"])

    def _site(self, path: str) -> None:
        content = static_file(path) or self.server.snapshot.file(path)
        if content is None:
            self._page(HTTPStatus.NOT_FOUND, notice_page("No such page", "There is nothing at this address."))
        else:
            self._send(HTTPStatus.OK, content, TYPES.get(Path(path).suffix, "application/octet-stream"))

    def _stream(self) -> None:
        """Send every change, at most four times a second, until either side disconnects."""
        self.send_response(HTTPStatus.OK)
        self._send_headers("text/event-stream")
        given = self.headers.get("Last-Event-ID", "")
        known, before, told = int(given) if given.isdecimal() else 0, b"", time.monotonic()
        while not self.server.closing.is_set():
            view = self.server.view()
            still = to_json(replace(view, at=0.0, elapsed=0.0))
            if still != before:
                message = message_since(view, known)
                known = view.news[-1].place if view.news else 0
                self._write(b"id: %d\ndata: " % known + to_json(message) + b"\n\n")
                before, told = still, time.monotonic()
            elif time.monotonic() - told >= PING:
                self._write(b": ping\n\n")
                told = time.monotonic()
            self.server.closing.wait(FRAME)

    def _write(self, data: bytes) -> None:
        self.wfile.write(sealed_text(data))
        self.wfile.flush()

    def _page(self, status: HTTPStatus, text: str) -> None:
        self._send(status, text.encode(), TYPES[".html"])

    def _send(self, status: HTTPStatus, content: bytes, kind: str, **headers: str) -> None:
        content = sealed_text(content)
        self.send_response(status)
        self._send_headers(kind, **{"Content-Length": str(len(content)), **headers})
        if self.command != "HEAD":
            self.wfile.write(content)

    def _send_headers(self, kind: str, **headers: str) -> None:
        fixed = {
            "Content-Type": kind,
            "Content-Security-Policy": f"{POLICY}; frame-ancestors 'none'",
            "X-Content-Type-Options": "nosniff",
            "X-Frame-Options": "DENY",
            "Referrer-Policy": "no-referrer",
            "Cross-Origin-Resource-Policy": "same-origin",
            "Cache-Control": "no-store",
        }
        for name, value in {**fixed, **headers}.items():
            self.send_header(name, value)
        self.end_headers()

    def log_message(self, format: str, *args: Any) -> None:
        """Nobody reads along here."""


def message_since(view: View, known: int) -> LiveUpdate:
    """The state with the news that a reader does not know; all of it, if what it knows is not from here."""
    newest = view.news[-1].place if view.news else 0
    oldest = view.news[0].place if view.news else 0
    since = known if oldest - 1 <= known <= newest else 0
    found = shown(replace(view, news=tuple(news for news in view.news if news.place > since)))
    return LiveUpdate(since, found)


@contextmanager
def serving(root: Path, view: Callable[[], View], port: int) -> Iterator[str]:
    """Serve a job from a thread of its own; where. If the port is taken, at any free one."""
    server = _bound(root, view, port)
    thread = threading.Thread(target=server.serve_forever, kwargs={"poll_interval": FRAME}, daemon=True)
    thread.start()
    try:
        yield server.link
    finally:
        server.closing.set()
        server.shutdown()
        thread.join()
        server.server_close()
        server.snapshot.close()


def _bound(root: Path, view: Callable[[], View], port: int) -> LiveServer:
    try:
        return LiveServer(root, view, port)
    except OSError as error:
        if error.errno != errno.EADDRINUSE:
            raise Problem(
                f"cannot serve on port {port} ({error.strerror}); choose another with --port."
            ) from None
        return LiveServer(root, view, 0)
