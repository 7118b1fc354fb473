"""Service: the door of an agent behind HTTP, which is sent each message and answers with a reply.

What fails on the way is an external cause: no connection, no answer in time, a status other than 2xx. What it
answers is its own: a body that cannot be read is an error of the agent, and so is a missing reply.
"""

import asyncio
import secrets
from collections import defaultdict
from collections.abc import Sequence
from contextlib import AsyncExitStack
from itertools import islice
from typing import Any
from urllib.parse import quote

import aiohttp
from msgspec.json import encode
from yarl import URL

from supportagentbench.desk import AgentFailure, Desk, ServiceFailure
from supportagentbench.desk.doors.desk_server import DeskServer
from supportagentbench.desk.doors.reception import Reception, Visit
from supportagentbench.desk.doors.service_answer import read_answer, read_events
from supportagentbench.desk.doors.service_plan import ServicePlan, Wait, filled, found_at, is_given, words_in
from supportagentbench.desk.message_text import message_text
from supportagentbench.desk.session import TooManyCalls
from supportagentbench.models.body import ENCODINGS
from supportagentbench.models.dialect import UnreadableAnswer, error_from, scrubbed
from supportagentbench.records.problem import Problem
from supportagentbench.records.sender import Sender
from supportagentbench.records.transcript import Turn, opening_of

MOST_KEPT = 4_000
"""Characters of a value that later requests repeat, such as a session's id."""

MOST_REPORTS = 100
"""Model calls that one reply may report."""

MOST_KEYS, LONGEST_KEY = 12, 40
"""Keys of an answer that are shown if it has no reply, and their characters."""

CONNECT_SECONDS = 15.0


class ServiceDoor:
    """Seats one service: all its conversations share connections and, if it uses tools, one desk server."""

    def __init__(self, plan: ServicePlan, version: str = "") -> None:
        self.plan = plan
        self.version = version
        """The version that was found before the run; empty: unknown."""
        self.reception = Reception()
        self.base = ""
        """Where the desk is served; empty if this service cannot reach it."""
        self.has_replied = False
        """Whether any answer had a reply where the file says that replies are."""
        self._senders: defaultdict[str, asyncio.Lock] = defaultdict(asyncio.Lock)
        self._opening = asyncio.Lock()
        self._opened = AsyncExitStack()
        self._session: aiohttp.ClientSession | None = None

    def __call__(self, seed: int) -> "ServiceSeat":
        return ServiceSeat(self)

    async def session(self) -> aiohttp.ClientSession:
        """The connections, opened with the first conversation."""
        async with self._opening:
            if self._session is None:
                self._session = await self._open()
        return self._session

    async def _open(self) -> aiohttp.ClientSession:
        place = self.plan.desk
        if self.plan.reaches_desk:
            server = DeskServer(
                self.reception, place.host, place.port, fixed=place.fixed, key=place.key, url=place.url
            )
            self.base = await server.start()
            self._opened.push_async_callback(server.aclose)
        return await self._opened.enter_async_context(
            aiohttp.ClientSession(
                connector=aiohttp.TCPConnector(limit=0),
                cookie_jar=aiohttp.DummyCookieJar(),
                auto_decompress=False,
                timeout=aiohttp.ClientTimeout(total=self.plan.timeout, sock_connect=CONNECT_SECONDS),
            )
        )

    def alone(self, turns: Sequence[Turn]) -> asyncio.Lock:
        """Keeps conversations of one customer apart, where calls are recognized by the customer."""
        return self._senders[str(_sender_of(turns)) if self.plan.desk.fixed else secrets.token_hex(8)]

    async def aclose(self) -> None:
        """The job is over: close server and connections."""
        await self._opened.aclose()


class ServiceSeat:
    """One conversation with the service."""

    def __init__(self, door: ServiceDoor) -> None:
        self._door = door
        self._plan = door.plan
        self._visit: Visit | None = None
        self._name = secrets.token_hex(12)
        """What the service knows the conversation by; it opens nothing."""
        self._values: dict[str, Any] = dict.fromkeys(door.plan.kept, "")
        """What templates can name."""
        self._has_started = self._has_ended = False
        self._left = AsyncExitStack()

    async def reply(self, turns: Sequence[Turn], desk: Desk) -> str:
        """The service's answer to the last message; its calls meanwhile are carried out at this desk."""
        if self._has_ended:
            raise AgentFailure("empty_reply", "the service had ended the conversation before this message")
        session = await self._door.session()
        if self._visit is None:
            await self._left.enter_async_context(self._door.alone(turns))
            self._visit = self._door.reception.admit()
            self._left.callback(self._door.reception.dismiss, self._visit)
        self._visit.take(turns, desk)
        self._values |= values_of(turns, desk, self._visit, self._door.base) | {"conversation": self._name}
        answering = asyncio.ensure_future(self._ask(session))
        overrunning = asyncio.ensure_future(self._visit.overran.wait())
        try:
            await asyncio.wait((answering, overrunning), return_when=asyncio.FIRST_COMPLETED)
            if self._visit.overran.is_set():
                raise TooManyCalls("the service called tools endlessly in one turn")
            return self._read(await answering, self._visit)
        finally:
            for task in (answering, overrunning):
                task.cancel()
            await asyncio.gather(answering, overrunning, return_exceptions=True)

    async def leave(self) -> None:
        """The conversation is over: its token opens nothing any more."""
        await self._left.aclose()

    async def _ask(self, session: aiohttp.ClientSession) -> list[Any]:
        """The answers to this message: one, or those that came in pieces."""
        try:
            async with asyncio.timeout(self._plan.timeout):
                return await self._exchange(session)
        except (aiohttp.ClientConnectorError, aiohttp.ConnectionTimeoutError) as error:
            raise ServiceFailure("provider_error", f"no connection: {scrubbed(str(error))}") from None
        except TimeoutError:
            raise ServiceFailure("time_out", f"no answer within {self._plan.timeout:g} s") from None
        except UnreadableAnswer as error:
            raise AgentFailure("agent_error", f"the service's answer cannot be used: {error}") from None
        except (aiohttp.ClientError, OSError, ValueError) as error:
            words = scrubbed(str(error) or type(error).__name__)
            raise ServiceFailure("provider_error", f"the answer broke off: {words}") from None

    async def _exchange(self, session: aiohttp.ClientSession) -> list[Any]:
        plan = self._plan
        if plan.start and not self._has_started:
            start = plan.start
            (opened,) = await self._send(session, start.method, start.url, start.headers, start.body)
            self._keep([opened])
            self._has_started = True
        answers = await self._send(session, plan.method, plan.url, plan.headers, plan.body, plan.stream)
        self._keep(answers)
        return await self._polled(session, plan.poll) if plan.poll else answers

    async def _polled(self, session: aiohttp.ClientSession, wait: Wait) -> list[Any]:
        """Ask until the reply is there; the time for one reply bounds it."""
        while True:
            (answer,) = await self._send(session, "GET", wait.url, self._plan.headers)
            if found_at(wait.until, answer):
                self._keep([answer])
                return [answer]
            await asyncio.sleep(wait.every)

    async def _send(
        self,
        session: aiohttp.ClientSession,
        method: str,
        url: str,
        headers: dict[str, str],
        body: Any = None,
        stream: str = "",
    ) -> list[Any]:
        data = None if method == "GET" else encode(filled(body, self._values))
        sent = {"Content-Type": "application/json", "Accept-Encoding": ENCODINGS} | {
            name: str(filled(value, self._values)) for name, value in headers.items()
        }
        place = address(url, self._values)
        async with session.request(method, place, data=data, headers=sent, allow_redirects=False) as answer:
            if answer.status // 100 != 2:
                words = error_from(answer.status, await answer.content.read(10_000)).message
                raise ServiceFailure("provider_error", f"the service answered {words}")
            return await read_events(answer) if stream else [await read_answer(answer)]

    def _keep(self, answers: Sequence[Any]) -> None:
        """Remember what later requests have to repeat."""
        for name, path in self._plan.kept.items():
            for answer in answers:
                found = found_at(path, answer)
                if isinstance(found, str | int) and len(str(found)) <= MOST_KEPT:
                    self._values[name] = found

    def _read(self, answers: list[Any], visit: Visit) -> str:
        """The words for the customer; what the answer says of tokens, version and end is taken in."""
        plan = self._plan
        for answer in answers:
            self._spend(answer, visit)
            self._check_version(answer)
            self._has_ended |= bool(plan.ended and found_at(plan.ended, answer))
        self._check_place(answers, visit)
        joint = "" if plan.stream else "\n\n"
        text = words_in([found_at(plan.reply, answer) for answer in answers], joint)
        if text is None:
            raise AgentFailure(
                "agent_error", f"the service's answer has other data than text at {plan.reply}"
            )
        if not text.strip() and not visit.has_settled:
            raise AgentFailure("empty_reply", f"the service's answer has no text at {plan.reply}")
        return text.strip()

    def _check_place(self, answers: list[Any], visit: Visit) -> None:
        """Stop if there is no such place as the file says in an answer, and never was in this run's."""
        door, path = self._door, self._plan.reply
        door.has_replied |= any(is_given(path, answer) for answer in answers)
        if not door.has_replied and not visit.has_settled:
            raise Problem(
                f"the service answered, but nothing is at {path!r}, where its reply should be: the answer "
                f"{shown_keys(answers)}. Correct `reply:`, then run the same command to resume."
            )

    def _spend(self, answer: Any, visit: Visit) -> None:
        """Report the tokens that an answer names, if it does: one count, or one for each model call."""
        asked = self._plan.usage
        if isinstance(asked, dict):
            named = {name: found_at(path, answer) for name, path in asked.items()}
            found: Any = {name: value for name, value in named.items() if value is not None}
        else:
            found = found_at(asked, answer) if asked else None
        counts = found if isinstance(found, list) else [found] if found else []
        for count in counts[:MOST_REPORTS]:
            if not isinstance(count, dict):
                raise AgentFailure("agent_error", "the service's answer has usage that is not an object")
            try:
                visit.spend(count, self._plan.model)
            except Problem as problem:
                raise AgentFailure("agent_error", f"the service's answer: {problem}") from None

    def _check_version(self, answer: Any) -> None:
        """Stop if the service was changed while it ran."""
        path, known = self._plan.version.reply, self._door.version
        now = found_at(path, answer) if path else None
        if known and now is not None and str(now) != known:
            raise Problem(
                f"the service was version {known[:80]!r} when the run began, and now says "
                f"{scrubbed(str(now))!r}: one run measures one version. Start over with --fresh."
            )


def _sender_of(turns: Sequence[Turn]) -> Sender | None:
    """The account that the customer's first message comes from; a chat may begin with the desk's greeting."""
    opening = opening_of(turns)
    return opening.sender if opening else None


def values_of(turns: Sequence[Turn], desk: Desk, visit: Visit, base: str) -> dict[str, Any]:
    """What a template can name in this turn; attachments are described as to any other agent."""
    last, sender = turns[-1], _sender_of(turns)
    home = f"{base}/desk/{visit.token}" if base else ""
    said = [
        ("user", message_text(turn)) if turn.party == "customer" else ("assistant", turn.text)
        for turn in turns
    ]
    return {
        "turn": sum(turn.party == "customer" for turn in turns),
        "name": sender.name if sender else "",
        "email": sender.email if sender else "",
        "text": message_text(last),
        "attachments": [{"name": one.name, "kind": one.kind, "shows": one.shows} for one in last.attachments],
        "messages": [{"role": role, "content": text} for role, text in said],
        "parts": [
            {"id": f"{place}", "role": role, "parts": [{"type": "text", "text": text}]}
            for place, (role, text) in enumerate(said)
        ],
        "instructions": desk.instructions,
        "mcp": f"{home}/mcp" if home else "",
        "rest": home,
        "openapi": f"{home}/openapi.json" if home else "",
        "token": visit.token if home else "",
    }


def shown_keys(answers: Sequence[Any]) -> str:
    """What an answer has instead of a reply: a few of its keys, each cut to a length."""
    keys = dict.fromkeys(key for answer in answers if isinstance(answer, dict) for key in answer)
    if not keys:
        return "is empty" if answers in ([], [None]) else "is no object"
    shown = [repr(scrubbed(key)[:LONGEST_KEY]) for key in islice(keys, MOST_KEYS)]
    more = f" and {len(keys) - len(shown)} more" if len(keys) > len(shown) else ""
    return f"has {', '.join(shown)}{more}"


def address(template: str, values: dict[str, Any]) -> URL:
    """The address with its names replaced; a value cannot lead to another server."""
    quoted = {name: quote(str(value), safe="") for name, value in values.items()}
    return URL(str(filled(template, quoted)), encoded=True)
