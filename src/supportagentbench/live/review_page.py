"""Review page: one pseudonymised ticket after another, for the person who decides what may be used.

Tickets are personal data, so every address begins with a token that only the terminal shows. A decision is
taken only from this page: of our own origin, as JSON, which no form of another site can send.
"""

import asyncio
import hmac
from collections.abc import Iterator
from contextlib import contextmanager
from http import HTTPStatus
from pathlib import Path
from secrets import token_urlsafe
from typing import Any, NamedTuple

import msgspec
from aiohttp import web

from supportagentbench.concurrency.loopback import HOST, serving_app
from supportagentbench.live.page import POLICY
from supportagentbench.live.server import HEADERS, TYPES
from supportagentbench.records.problem import Problem
from supportagentbench.records.record import digest, from_json
from supportagentbench.records.secrets import sealed_text
from supportagentbench.records.ticket import SupportTicket, TicketEvent
from supportagentbench.site.pages.page import asset_paths, assets, environment
from supportagentbench.site.pages.page_context import Headed
from supportagentbench.tickets.review import Decision, Review

HERE = Path(__file__).parent
OWN = ("review.css", "review.js")
MOST_BYTES = 1_000_000
"""Of a decision."""


class ReviewPiece(NamedTuple):
    """A piece of a text; `start` is -1 if it is not doubtful."""

    text: str
    start: int = -1
    end: int = -1


def pieces(event: TicketEvent) -> Iterator[ReviewPiece]:
    """The text of an event, cut at its doubts."""
    at = 0
    for start, end in event.doubts:
        yield ReviewPiece(event.text[at:start])
        yield ReviewPiece(event.text[start:end], start, end)
        at = end
    yield ReviewPiece(event.text[at:])


class ReviewSite:
    """Serves the review of one import. Decisions are taken one after another."""

    def __init__(self, review: Review, token: str) -> None:
        self._review = review
        self._token = token
        self._turn = asyncio.Lock()

    def app(self) -> web.Application:
        """The application that serves it."""
        made = web.Application(client_max_size=MOST_BYTES)
        made.router.add_get("/assets/{name}", self._asset)
        made.router.add_get("/{token}/", self._page)
        made.router.add_post("/{token}/decide", self._decide)
        made.on_response_prepare.append(_add_headers)
        return made

    def _refuse_strangers(self, request: web.Request) -> None:
        if not hmac.compare_digest(request.match_info["token"].encode(), self._token.encode()):
            raise web.HTTPForbidden(text="403: open the address that the terminal shows.\n")

    async def _asset(self, request: web.Request) -> web.Response:
        name = request.match_info["name"]
        content = (HERE / name).read_bytes() if name in OWN else dict(assets().values()).get(f"assets/{name}")
        if content is None:
            raise web.HTTPNotFound(text="404: there is nothing at this address.\n")
        return _answer(content, TYPES.get(Path(name).suffix, "application/octet-stream"))

    async def _page(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        waiting = self._review.waiting
        given = request.query.get("skip", "")
        skip = int(given) if given.isdecimal() and len(given) < 9 else 0
        ticket = waiting[skip % len(waiting)] if waiting else None
        return _answer(self._rendered(ticket, len(waiting), skip).encode(), TYPES[".html"])

    def _rendered(self, ticket: SupportTicket | None, waiting: int, skip: int) -> str:
        frame: dict[str, Any] = {"nav": (), "further": (), "tag": "", "own": "", "assets": asset_paths()}
        return (
            environment(HERE)
            .get_template("review.html")
            .render(
                frame,
                csp=POLICY,
                root="/",
                kind="review",
                path="",
                headed=Headed("Review of tickets"),
                ticket=ticket,
                seen=digest(ticket) if ticket else "",
                events=[(event, [*pieces(event)]) for event in ticket.events] if ticket else [],
                waiting=waiting,
                approved=self._review.approved,
                skip=skip,
            )
        )

    async def _decide(self, request: web.Request) -> web.Response:
        self._refuse_strangers(request)
        own = {f"http://{request.headers.get('Host')}"}
        site = request.headers.get("Sec-Fetch-Site", "same-origin")
        if request.headers.get("Origin") not in own or site != "same-origin":
            raise web.HTTPForbidden(text="403: only the page itself may decide.\n")
        if request.content_type != "application/json":
            raise web.HTTPUnsupportedMediaType(text="415: a decision is JSON.\n")
        try:
            decision = from_json(await request.read(), Decision)
            async with self._turn:
                await asyncio.to_thread(self._review.decide, decision)
        except msgspec.MsgspecError:
            raise web.HTTPBadRequest(text="400: this is not a decision.\n") from None
        except Problem as problem:
            return _answer(f"{problem}".encode(), "text/plain; charset=utf-8", HTTPStatus.CONFLICT)
        return web.Response(status=204)


def _answer(content: bytes, kind: str, status: HTTPStatus = HTTPStatus.OK) -> web.Response:
    return web.Response(body=sealed_text(content), status=status, headers={"Content-Type": kind})


async def _add_headers(request: web.Request, response: web.StreamResponse) -> None:
    response.headers.update(HEADERS)


@contextmanager
def serving_review(review: Review, port: int) -> Iterator[str]:
    """Serve the review on this machine only; the address with its token."""
    token = token_urlsafe(24)
    try:
        with serving_app(lambda: ReviewSite(review, token).app(), port) as link:
            yield f"{link}/{token}/"
    except OSError as error:
        why = f"cannot serve on port {port} of {HOST} ({error.strerror}); choose another with --port."
        raise Problem(why) from None
