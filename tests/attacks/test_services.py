"""Services that attack: an agent's service is a stranger, and so is everything that it answers.

| what it tries | what happens |
|---|---|
| a redirect to another host, to be sent its keys | not followed: an outage with the status |
| a stream that never ends, a line that never ends | cut off by size, as an error of the agent |
| one byte now and then, for ever | cut off by time, as an outage |
| a session or a poll that leads to another path or host | quoted: it stays a part of its place |
| the key that it was sent, in an error or a reply | never on disk nor on the terminal |
| escape sequences, half characters, a megabyte of reply | readable, cut, and no terminal obeys them |
| negative, huge or nonsensical counts, a negative cost | an error of the agent; no cost |
| calls in another conversation with a guessed token | 404, and nothing on record |
| an answer with another version in the middle of a run | the run stops: one run measures one version |
"""

import asyncio
from typing import Any

import pytest
from aiohttp import ClientSession, web

from conversations import CASES
from services import ToyService, served, talked, with_service
from supportagentbench.desk.doors.service_plan import ServicePlan
from supportagentbench.records.record import to_json
from supportagentbench.records.secrets import forget_secrets, keep_secret, scrubbed_record

CASE = "cancel_before_ship-1"
TALK: dict[str, Any] = {"body": {"text": "{text}", "rest": "{rest}"}}


def test_a_redirect_is_not_followed_to_any_host() -> None:
    reached: list[str] = []

    async def elsewhere(request: web.Request) -> web.StreamResponse:
        reached.append(request.headers.get("Authorization", ""))
        return web.json_response({"text": "Hello."})

    async def both(status: int) -> Any:
        async with served(elsewhere) as other:

            async def sends_away(request: web.Request) -> web.StreamResponse:
                return web.Response(status=status, headers={"Location": other})

            async with served(sends_away) as url:
                plan = ServicePlan(url, headers={"Authorization": "Bearer key-of-the-user"}, body="{text}")
                return (await with_service(CASE, plan)).ending

    for status in (301, 302, 307, 308):
        ending = asyncio.run(both(status))
        assert ending.cause == "provider_error" and str(status) in ending.detail
    assert reached == []


@pytest.mark.parametrize("piece", [b'data: {"type": "x"}\n\n', b"data: " + b"x" * 100_000])
def test_a_stream_without_an_end_is_cut_off(piece: bytes) -> None:
    async def endless(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(request)
        for _ in range(200_000):
            await stream.write(piece)
        return stream

    ending = asyncio.run(talked(CASE, endless, stream="sse", **TALK)).ending
    assert ending.cause == "agent_error" and "stream" in ending.detail


def test_a_key_that_comes_back_is_nowhere() -> None:
    keep_secret("key-of-the-user-123")

    def echoes(request: web.Request, sent: Any) -> Any:
        key = request.headers["Authorization"]
        return {"text": f"You sent {key}."} if len(toy.asked) < 2 else web.Response(status=500, text=key)

    try:
        toy = ToyService(echoes)
        headers = {"Authorization": "Bearer key-of-the-user-123"}
        transcript = asyncio.run(talked(CASE, toy, headers=headers, **TALK))
        assert transcript.ending.cause == "provider_error"
        assert b"key-of-the-user-123" not in to_json(scrubbed_record(transcript))
    finally:
        forget_secrets()


@pytest.mark.parametrize("text", ["\x1b]0;owned\x07Hi", "half \ud800 a character", "x" * 1_000_000])
def test_a_reply_of_any_characters_is_stored_and_read_back(text: str) -> None:
    async def says(request: web.Request) -> web.StreamResponse:
        import json

        return web.Response(text=json.dumps({"text": text}), content_type="application/json")

    transcript = asyncio.run(talked(CASE, says, **TALK))
    assert len(to_json(transcript)) < 1_000_000


@pytest.mark.parametrize(
    "usage",
    [
        {"input_tokens": -1, "output_tokens": 5},
        {"input_tokens": 10**30, "output_tokens": 5},
        {"input_tokens": "many"},
        ["no", "object"],
        "nothing",
    ],
)
def test_usage_that_cannot_be_is_an_error_of_the_agent(usage: Any) -> None:
    answer = {"text": "Hm?", "usage": usage}
    ending = asyncio.run(talked(CASE, ToyService(answer), usage="usage", **TALK)).ending
    assert ending.cause == "agent_error", ending


def test_a_cost_below_zero_is_no_cost() -> None:
    answer = {"text": "Hm?", "usage": {"cost": -3.0, "input_tokens": 5, "output_tokens": 5}}
    transcript = asyncio.run(talked(CASE, ToyService(answer), usage="usage", **TALK))
    assert {one.cost for turn in transcript.turns for one in turn.usage} == {None}


def test_a_guessed_token_opens_no_conversation() -> None:
    found: list[int] = []

    async def guesses(request: web.Request, sent: Any) -> Any:
        home, _, token = sent["rest"].rpartition("/")
        for guess in ("", token[:-1], token + "A", token.swapcase(), "..", "%2e%2e/" + token):
            async with (
                ClientSession() as http,
                http.post(f"{home}/{guess}/tools/find_order", json={"email": "x"}) as answer,
            ):
                found.append(answer.status)
        return {"text": "Hm?"}

    transcript = asyncio.run(talked(CASE, ToyService(guesses, {"text": "Hm?"}), **TALK))
    assert found and set(found) <= {401, 404}
    assert not any(turn.calls for turn in transcript.turns)
    assert CASES.cases[CASE].id == transcript.case
