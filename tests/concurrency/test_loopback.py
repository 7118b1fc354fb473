"""An application on this machine only: who may ask, where it listens, and how it stops."""

import asyncio
import http.client
import threading
import time

import pytest
from aiohttp import web

from supportagentbench.concurrency.loopback import CLOSING, HOST, serving_app


async def greet(request: web.Request) -> web.StreamResponse:
    return web.Response(text=f"Hello, {request.method}.")


async def linger(request: web.Request) -> web.StreamResponse:
    """An answer that never ends by itself."""
    response = web.StreamResponse()
    await response.prepare(request)
    await response.write(b"still here\n")
    await request.app[CLOSING].wait()
    return response


async def fail(request: web.Request) -> web.StreamResponse:
    raise RuntimeError("sk-secret")


def app() -> web.Application:
    made = web.Application()
    made.router.add_route("*", "/", greet)
    made.router.add_get("/linger", linger)
    made.router.add_get("/fail", fail)
    return made


def ask(link: str, path: str = "/", method: str = "GET", **headers: str) -> tuple[int, str]:
    connection = http.client.HTTPConnection(HOST, port_of(link), timeout=10)
    connection.request(method, path, headers=headers)
    answer = connection.getresponse()
    found = answer.status, answer.read().decode()
    connection.close()
    return found


def port_of(link: str) -> int:
    return int(link.rpartition(":")[2])


def test_every_method_is_the_applications_own_business() -> None:
    with serving_app(app, 0) as link:
        assert link.startswith("http://127.0.0.1:")
        assert ask(link, method="POST") == (200, "Hello, POST.")


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_our_own_names_may_ask_and_nobody_else(host: str) -> None:
    with serving_app(app, 0) as link:
        place = f"{host}:{port_of(link)}"
        assert ask(link, Host=place, Origin=f"http://{place}")[0] == 200
        for headers in (
            {"Host": "evil.example"},
            {"Host": host},
            {"Host": f"{host}:1"},
            {"Host": place, "Origin": "https://evil.example"},
            {"Host": place, "Origin": "null"},
            {"Host": place, "Origin": f"https://{place}"},
        ):
            assert ask(link, **headers)[0] == 403


def test_a_taken_port_is_replaced_by_a_free_one() -> None:
    with serving_app(app, 0) as first, serving_app(app, port_of(first)) as second:
        assert first != second
        assert ask(second)[0] == 200


def test_it_stops_at_once_and_leaves_no_thread_even_if_somebody_listens() -> None:
    before = threading.active_count()
    with serving_app(app, 0) as link:
        connection = http.client.HTTPConnection(HOST, port_of(link), timeout=10)
        connection.request("GET", "/linger")
        answer = connection.getresponse()
        assert answer.readline() == b"still here\n"
        began = time.monotonic()
    assert time.monotonic() - began < 1.5
    connection.close()
    assert threading.active_count() == before
    with pytest.raises(ConnectionRefusedError):
        ask(link)


def test_an_error_in_the_application_is_a_500_without_its_words(capsys: pytest.CaptureFixture[str]) -> None:
    with serving_app(app, 0) as link:
        status, text = ask(link, "/fail")
    assert status == 500 and "sk-secret" not in text
    assert capsys.readouterr() == ("", "")


def test_what_cannot_be_made_is_told_to_whoever_asked_for_it() -> None:
    def broken() -> web.Application:
        asyncio.get_running_loop()
        raise OSError("no")

    with pytest.raises(OSError, match="no"), serving_app(broken, 0):
        pass
