"""The desk server: each request reaches the desk of its own conversation, and nothing else is answered."""

import asyncio
import logging
import time
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager
from typing import Any, NamedTuple

import aiohttp
import pytest

from conversations import CASES
from outside import CASE, ORDER, Seated, message, modern, modern_headers, seat
from supportagentbench.concurrency.loopback import GRACE
from supportagentbench.desk import Desk
from supportagentbench.desk.doors import desk_server
from supportagentbench.desk.doors.desk_server import DeskServer
from supportagentbench.desk.doors.exchange import LARGEST_BODY
from supportagentbench.desk.doors.reception import Reception
from supportagentbench.desk.session import REFUSALS
from supportagentbench.records.problem import Problem
from supportagentbench.records.transcript import ToolResult
from supportagentbench.records.usage import Usage

OTHER = CASES.cases["damaged_no_proof-1"]


class Place(NamedTuple):
    """A server that runs, and what asks it."""

    reception: Reception
    base: str
    web: aiohttp.ClientSession

    async def post(self, path: str, sent: Any, **headers: str) -> tuple[int, Any]:
        named = {name.replace("_", "-"): value for name, value in headers.items()}
        async with self.web.post(f"{self.base}{path}", json=sent, headers=named) as answer:
            is_json = answer.content_type == "application/json"
            return answer.status, await answer.json() if is_json else await answer.text()

    async def get(self, path: str, **headers: str) -> tuple[int, str]:
        async with self.web.get(f"{self.base}{path}", headers=headers) as answer:
            return answer.status, await answer.text()

    async def call(self, path: str, tool: str, arguments: Any, **headers: str) -> str:
        """What a tool answers by MCP."""
        sent = message("tools/call", {"name": tool, "arguments": arguments})
        status, found = await self.post(path, sent, **headers)
        assert status == 200, found
        text: str = found["result"]["content"][0]["text"]
        return text


@asynccontextmanager
async def serving(*given: Any, **named: Any) -> AsyncIterator[Place]:
    reception = Reception()
    server = DeskServer(reception, *given, **named)
    base = await server.start()
    try:
        async with aiohttp.ClientSession() as web:
            yield Place(reception, base, web)
    finally:
        await server.aclose()


def served(work: Callable[[Place], Awaitable[None]], *given: Any, **named: Any) -> None:
    """Do this with a server."""

    async def run() -> None:
        async with serving(*given, **named) as place:
            await asyncio.wait_for(work(place), 20)

    asyncio.run(run())


def at(seated: Seated, room: str = "mcp") -> str:
    return f"/desk/{seated.visit.token}/{room}"


def bearer(seated: Seated) -> str:
    return f"Bearer {seated.visit.token}"


def test_a_conversation_is_at_its_own_address_and_at_the_root_with_its_token() -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        for path, headers in ((at(seated), {}), ("/mcp", {"Authorization": bearer(seated)})):
            old = await place.post(path, message("tools/list"), **headers)
            asked = modern("tools/list")
            new = await place.post(path, asked, **headers, **modern_headers(asked))
            assert old[0] == new[0] == 200
            assert old[1]["result"]["tools"] == new[1]["result"]["tools"] != []
        for path, headers in ((at(seated, "tools"), {}), ("/tools", {"Authorization": bearer(seated)})):
            status, found = await place.post(f"{path}/find_order", {"order": ORDER}, **headers)
            assert (status, found["ok"]) == (200, True)
            assert (await place.get(path, **headers))[0] == 200
        assert seated.calls() == [("find_order", {"order": ORDER})] * 2
        status, found = await place.get(at(seated, "openapi.json"))
        assert f'"url":"{place.base}/desk/{seated.visit.token}"' in found

    served(work)


def test_a_call_after_the_reply_is_refused_and_noted_in_its_own_conversation() -> None:
    async def work(place: Place) -> None:
        seated, other = seat(place.reception), seat(place.reception, OTHER.id)
        seated.close()
        text = await place.call(at(seated), "cancel_order", {"order": ORDER, "reason": "x"})
        assert text == REFUSALS["late"]
        assert [one.why for one in seated.session.end().listed] == ["late"]
        assert other.calls() == [] and other.session.end().listed == ()

    served(work)


def test_a_token_opens_its_own_conversation_only_and_none_after_its_end() -> None:
    async def work(place: Place) -> None:
        seated, other = seat(place.reception), seat(place.reception, OTHER.id)
        await place.call(at(other), "find_order", {"order": ORDER})
        assert seated.calls() == [] and len(other.calls()) == 1
        place.reception.dismiss(seated.visit)
        for room in ("mcp", "tools/find_order", "usage"):
            assert (await place.post(at(seated, room), message("tools/list")))[0] == 404
            found = await place.post(f"/{room}", message("tools/list"), Authorization=bearer(seated))
            assert found[0] == 401
        assert seated.calls() == []

    served(work)


@pytest.mark.parametrize(
    "header", ["", "Bearer", "Bearer x", "Basic eDp5", "bearer \udcff", "Bearer " + "x" * 5000]
)
def test_nobody_is_served_at_the_root_without_a_token(header: str) -> None:
    async def work(place: Place) -> None:
        seat(place.reception)
        reader, writer = await asyncio.open_connection(*place.base.removeprefix("http://").split(":"))
        host = place.base.removeprefix("http://")
        sent = f"GET /tools HTTP/1.1\r\nHost: {host}\r\nAuthorization: {header}\r\nConnection: close\r\n\r\n"
        writer.write(sent.encode(errors="surrogateescape"))
        found = (await reader.read()).decode()
        assert found.startswith("HTTP/1.1 401 ") and "WWW-Authenticate: Bearer\r\n" in found
        writer.close()

    served(work)


@pytest.mark.parametrize(
    "path",
    ["/", "/x", "/mcp/", "/tool", "/.well-known/oauth-protected-resource", "/desk", "/desk/", "/desk//mcp"],
)
def test_nothing_else_is_there(path: str) -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        status, found = await place.get(path)
        assert status == 404 and found.startswith(("404: there is nothing at this", "404: no conversation"))
        assert (await place.post(path, {}))[0] == 404 and seated.calls() == []

    served(work, fixed=True)


def test_the_fixed_address_shows_the_desk_that_was_seen_last_also_between_conversations() -> None:
    async def work(place: Place) -> None:
        assert (await place.post("/mcp", message("tools/list")))[1]["result"]["tools"] == []
        seated = seat(place.reception)
        listed = (await place.post("/mcp", message("tools/list")))[1]["result"]["tools"]
        assert [tool["name"] for tool in listed] == [*seated.visit.tools.keys()]
        place.reception.dismiss(seated.visit)
        assert (await place.post("/mcp", message("tools/list")))[1]["result"]["tools"] == listed
        begun = await place.post("/mcp", message("initialize", {"protocolVersion": "2025-11-25"}))
        assert begun[1]["result"]["instructions"] == CASES.desk_for(CASE).instructions
        assert "no conversation is open" in await place.call("/mcp", "find_order", {"order": ORDER})

    served(work, fixed=True)


def test_a_call_at_the_fixed_address_finds_its_conversation_by_what_it_asks_for() -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        assert '"order"' in await place.call("/mcp", "find_order", {"order": ORDER}), "the only one"
        await place.call("/mcp", "find_order", {"order": OTHER.subject})
        other = seat(place.reception, OTHER.id)
        assert len(seated.calls()) == 2
        assert '"order"' in await place.call("/mcp", "find_order", {"order": OTHER.subject})
        assert other.calls() == [("find_order", {"order": OTHER.subject})]
        sender = CASE.sender
        assert sender is not None
        await place.post("/tools/find_order", {"email": sender.email.upper()})
        assert seated.calls()[-1] == ("find_order", {"email": sender.email.upper()})
        text = await place.call("/mcp", "hand_over", {"reason": "unclear"})
        assert "several conversations are open" in text and "order number" in text
        both = {"order": ORDER, "note": OTHER.subject}
        assert "several conversations are open" in await place.call("/mcp", "find_order", both)
        assert place.reception.unrecognized == 2
        assert (len(seated.calls()), len(other.calls())) == (3, 1)

    served(work, fixed=True)


def test_what_all_conversations_mention_tells_none_of_them_from_the_others() -> None:
    async def work(place: Place) -> None:
        seated, other = seat(place.reception), seat(place.reception, OTHER.id)
        for one in (seated, other):
            await place.call(at(one), "read_policy", {})
        named = {"order": OTHER.subject, "reason": "within 1-2 days of 100"}
        await place.call("/mcp", "cancel_order", named)
        assert [len(seated.calls()), len(other.calls())] == [1, 2]

    served(work, fixed=True)


def test_usage_at_the_fixed_address_belongs_to_the_only_conversation_or_to_none() -> None:
    async def work(place: Place) -> None:
        sent = {"input_tokens": 1, "output_tokens": 3}
        assert (await place.post("/usage", sent))[0] == 400
        seated = seat(place.reception)
        assert (await place.post("/usage", sent))[0] == 204
        seat(place.reception, OTHER.id)
        status, found = await place.post("/usage", sent)
        assert status == 400 and "several conversations are open" in found["error"]
        assert [one.output for one in seated.session.close_turn().usage] == [3]

    served(work, fixed=True)


def test_a_fixed_address_with_a_key_needs_it() -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        for header in ("", "Bearer", "Bearer kex", "Bearer key-of-the-shop2", "key-of-the-shop"):
            assert (await place.get("/tools", Authorization=header))[0] == 401
        for header in ("Bearer key-of-the-shop", "bearer  key-of-the-shop", bearer(seated)):
            assert (await place.get("/tools", Authorization=header))[0] == 200

    served(work, fixed=True, key="key-of-the-shop")


def test_without_a_fixed_address_a_key_opens_nothing() -> None:
    async def work(place: Place) -> None:
        seat(place.reception)
        assert (await place.get("/tools", Authorization="Bearer key-of-the-shop"))[0] == 401

    served(work, key="key-of-the-shop")


@pytest.mark.parametrize(("host", "url"), [("127.0.0.2", ""), ("127.0.0.1", "https://desk.example")])
def test_a_fixed_desk_that_others_can_reach_needs_a_key(host: str, url: str) -> None:
    async def run() -> None:
        with pytest.raises(Problem, match="needs a key"):
            await DeskServer(Reception(), host, fixed=True, url=url).start()

    asyncio.run(run())


def test_at_another_host_any_name_is_right_but_a_token_is_needed() -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        assert place.base.startswith("http://127.0.0.2:")
        assert (await place.get("/tools", Host="shop.example"))[0] == 401
        assert (await place.get(at(seated, "tools"), Host="shop.example"))[0] == 200

    served(work, "127.0.0.2")


@pytest.mark.parametrize(
    "headers",
    [
        {"Host": "evil.example"},
        {"Host": "127.0.0.1"},
        {"Origin": "https://evil.example"},
        {"Origin": "null"},
        {"Host": "evil.example", "Origin": "http://evil.example"},
    ],
)
def test_pages_of_other_sites_are_refused_even_with_a_token(headers: dict[str, str]) -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        for path in (at(seated), "/mcp"):
            assert (await place.post(path, message("tools/list"), **headers))[0] == 403
        own = place.base.removeprefix("http://")
        assert (await place.post("/mcp", message("ping"), Host=own, Origin=place.base))[0] == 200

    served(work, fixed=True)


def test_what_comes_through_a_tunnel_is_answered_by_its_name() -> None:
    async def run() -> None:
        reception = Reception()
        server = DeskServer(reception, port=0, url="https://desk.example/")
        assert await server.start() == "https://desk.example"
        assert server._runner is not None
        base = f"http://127.0.0.1:{server._runner.addresses[0][1]}"
        seated = seat(reception)
        async with aiohttp.ClientSession() as web:
            place = Place(reception, base, web)
            for headers in ({}, {"Host": "desk.example"}, {"Origin": "https://desk.example"}):
                status, found = await place.get(at(seated, "openapi.json"), **headers)
                assert status == 200 and '"url":"https://desk.example/desk/' in found
            assert (await place.get(at(seated, "tools"), Host="evil.example"))[0] == 403
        await server.aclose()

    asyncio.run(run())


def test_a_port_that_is_taken_is_a_problem() -> None:
    async def work(place: Place) -> None:
        port = int(place.base.rpartition(":")[2])
        with pytest.raises(Problem, match=f"127.0.0.1:{port} .*choose another port"):
            await DeskServer(Reception(), port=port).start()

    served(work)


def test_a_host_that_is_not_ours_is_a_problem() -> None:
    async def run() -> None:
        with pytest.raises(Problem, match="cannot be served at"):
            await DeskServer(Reception(), "192.0.2.1").start()

    asyncio.run(run())


def test_a_body_that_is_too_large_is_refused_in_the_words_of_its_protocol() -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        text = "x" * LARGEST_BODY
        status, found = await place.post(at(seated), message("tools/call", {"name": text}))
        assert status == 413 and found["error"]["code"] == -32600
        status, found = await place.post(at(seated, "tools/find_order"), {"order": text})
        assert status == 413 and "bytes" in found["error"]
        assert seated.calls() == []

    served(work)


async def slow(place: Place, path: str) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
    """A request whose body does not come."""
    host = place.base.removeprefix("http://")
    reader, writer = await asyncio.open_connection(*host.split(":"))
    writer.write(f"POST {path} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 9\r\n\r\n{{".encode())
    await writer.drain()
    return reader, writer


def test_a_body_that_does_not_come_is_given_up_and_nobody_waits_for_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(desk_server, "SLOWEST_BODY", 0.5)

    async def work(place: Place) -> None:
        seated, began = seat(place.reception), time.monotonic()
        reader, writer = await slow(place, at(seated))
        assert '"order"' in await place.call(at(seated), "find_order", {"order": ORDER})
        assert time.monotonic() - began < 0.5
        assert (await reader.readline()).startswith(b"HTTP/1.1 408 ")
        writer.close()

    served(work)


def test_requests_beyond_what_can_be_held_are_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(desk_server, "MOST_REQUESTS", 2)

    async def work(place: Place) -> None:
        seated = seat(place.reception)
        open_ones = [await slow(place, at(seated)) for _ in range(2)]
        while (await place.get(at(seated, "tools")))[0] != 503:
            await asyncio.sleep(0.01)
        for _, writer in open_ones:
            writer.close()
        while (await place.get(at(seated, "tools")))[0] != 200:
            await asyncio.sleep(0.01)

    served(work)


class BrokenBackend:
    """A desk with an error in its own code."""

    def call(self, tool: str, arguments: object) -> ToolResult:
        raise LookupError("sk-secret")

    def spend(self, usage: Usage) -> None:
        raise LookupError("sk-secret")


def test_an_error_of_our_own_is_logged_and_told_without_its_words(caplog: pytest.LogCaptureFixture) -> None:
    async def work(place: Place) -> None:
        seated = seat(place.reception)
        seated.visit.take((), Desk(BrokenBackend(), "", seated.visit.tools))
        for room, sent in (("mcp", message("tools/call", {"name": "x"})), ("usage", {"input_tokens": 1})):
            status, found = await place.post(at(seated, room), sent)
            assert (status, found) == (500, "500: the desk itself failed.\n")

    with caplog.at_level(logging.ERROR):
        served(work)
    assert [record.levelname for record in caplog.records] == ["ERROR"] * 2
    assert "LookupError" in caplog.text


def test_it_stops_at_once_even_if_somebody_is_slow() -> None:
    async def run() -> float:
        async with serving() as place:
            seated = seat(place.reception)
            assert (await place.get(at(seated, "tools")))[0] == 200
            _, writer = await slow(place, at(seated))
            began = time.monotonic()
        writer.close()
        return time.monotonic() - began

    assert asyncio.run(run()) < GRACE + 3


def test_closing_what_was_never_started_is_no_error() -> None:
    asyncio.run(DeskServer(Reception()).aclose())
