"""Service: what an agent behind HTTP is sent, what of its answer is read, and whose fault a break is."""

import asyncio
import gzip
import re
from typing import Any

import pytest
from aiohttp import ClientSession, web

from conversations import CASES
from real_tickets import DESK, cases_of, customer, desk, ticket
from services import ToyService, call_rest, served, talked, with_service
from supportagentbench.agents.service_file import PRESETS
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.desk.doors.service import ServiceDoor
from supportagentbench.desk.doors.service_plan import DeskPlace, ServicePlan
from supportagentbench.records.problem import Problem
from supportagentbench.runner.conversation import Sitting, hold
from supportagentbench.storage.yaml_file import read_document

CASE = "cancel_before_ship-1"
SENDER = CASES.cases[CASE].sender
ORDER = CASES.cases[CASE].subject
TALK: dict[str, Any] = {"body": {"text": "{text}", "rest": "{rest}"}}


def test_a_message_has_what_the_own_protocol_says() -> None:
    toy = ToyService({"text": "Could you tell me more?"})
    plan = read_document(PRESETS / "sab.yaml", ServicePlan)
    transcript = asyncio.run(talked(CASE, toy, body=plan.body))
    first, second = toy.asked[:2]
    assert SENDER and first["sender"] == {"name": SENDER.name, "email": SENDER.email}
    assert first["protocol"] == "sab/1" and first["turn"] == 1 and second["turn"] == 2
    assert first["conversation"] == second["conversation"]
    assert CASE not in str(first) and transcript.case == CASE, "no message may name its case"
    assert first["text"].startswith(f"From: {SENDER}\n\n") and transcript.turns[0].text in first["text"]
    assert [one["role"] for one in second["messages"]] == ["user", "assistant", "user"]
    assert second["messages"][1]["content"] == "Could you tell me more?"
    assert "Northline" in first["instructions"]
    assert set(first["tools"]) == {"mcp", "rest", "openapi", "token"}
    assert first["tools"]["token"] in first["tools"]["mcp"]


def test_who_writes_is_told_also_in_a_chat_that_the_desk_began() -> None:
    toy = ToyService({"text": "Hm?"})
    cases = cases_of(
        ticket(desk("Hello! How can I help?"), customer("Where is my order?"), kind="where"), DESK
    )

    async def main() -> None:
        async with served(toy.answer) as url:
            body = {"name": "{name}", "email": "{email}", "text": "{text}"}
            door = ServiceDoor(ServicePlan(f"{url}/", body=body))
            try:
                await hold(cases, cases.cases["t-1"], door(0), ScriptedVoice())
            finally:
                await door.aclose()

    asyncio.run(main())
    assert toy.asked[0]["name"] == "Anna Example" and toy.asked[0]["email"] == "anna@example.com"
    assert toy.asked[0]["text"] == "From: Anna Example <anna@example.com>\n\nWhere is my order?"


def test_what_it_does_over_rest_is_on_record() -> None:
    async def cancels(request: web.Request, sent: Any) -> Any:
        found = await call_rest(sent, "find_order", order=ORDER)
        assert found["ok"] and found["result"], found
        return {"text": "Shall I cancel it?"}

    (first, *_) = asyncio.run(talked(CASE, ToyService(cancels, {"text": "Hm?"}), **TALK)).turns[1::2]
    assert [call.tool for call in first.calls] == ["find_order"] and first.calls[0].result.ok


def test_the_address_of_a_conversation_that_is_over_opens_nothing() -> None:
    late: list[Any] = []

    async def says_goodbye(request: web.Request, sent: Any) -> Any:
        await call_rest(sent, "hand_over", reason="needs a person")
        late.append(sent["rest"])
        return {"text": "A colleague will write to you."}

    async def afterwards() -> tuple[int, int]:
        async with served(ToyService(says_goodbye).answer) as url:
            door = ServiceDoor(ServicePlan(url, body=TALK["body"]))
            held = await hold(CASES, CASES.cases[CASE], door(0), ScriptedVoice(), Sitting())
            async with ClientSession() as http, http.post(f"{late[0]}/tools/cancel_order", json={}) as answer:
                found = answer.status
            await door.aclose()
        return found, sum(len(turn.calls) for turn in held.turns)

    assert asyncio.run(afterwards()) == (404, 1)


def test_endless_calls_end_the_turn() -> None:
    async def endless(request: web.Request, sent: Any) -> Any:
        for _ in range(80):
            await call_rest(sent, "find_order", order=ORDER)
        return {"text": "Done."}

    ending = asyncio.run(talked(CASE, ToyService(endless), **TALK)).ending
    assert (ending.kind, ending.cause) == ("broke", "too_many_calls")


def failing(status: int, body: bytes = b'{"error": "the model is overloaded"}', **headers: str) -> Any:
    return lambda request, sent: web.Response(
        status=status, body=body, headers={"Content-Type": "application/json", **headers}
    )


@pytest.mark.parametrize(
    ("answer", "cause", "words"),
    [
        (failing(500), "provider_error", "500: the model is overloaded"),
        (failing(404, b"<h1>Not found</h1>"), "provider_error", "404"),
        (failing(401, b'{"error": "Bearer sk-abcdefghijk"}'), "provider_error", r"401: \[key\]"),
        (failing(302, b"", Location="http://127.0.0.1:1/"), "provider_error", "302"),
        (failing(200, b"<html>"), "agent_error", "not JSON"),
        (failing(200, b"[" * 100_000), "agent_error", "cannot be used"),
        (failing(200, b'"' + b"x" * 9_000_000 + b'"'), "agent_error", "longer than 8 MB"),
        (
            failing(200, gzip.compress(b'"' + b"x" * 90_000_000 + b'"'), **{"Content-Encoding": "gzip"}),
            "agent_error",
            "longer than 8 MB",
        ),
        ({"text": {"html": "<b>"}}, "agent_error", "other data than text"),
        ({"text": None}, "empty_reply", "no text at text"),
        ({"text": "  "}, "empty_reply", "no text"),
    ],
)
def test_a_break_has_the_cause_that_it_has(answer: Any, cause: str, words: str) -> None:
    with_it = asyncio.run(talked(CASE, ToyService(answer), **TALK))
    assert with_it.ending.cause == cause
    assert re.search(words, with_it.ending.detail), with_it.ending.detail


@pytest.mark.parametrize(
    ("answer", "reply", "words"),
    [
        (
            {"answer": "Hello", "id": 7},
            "text",
            "nothing is at 'text', .* has 'answer', 'id'. Correct",
        ),
        ({"data": {"answer": "Hello"}}, "data.text", "nothing is at 'data.text'"),
        ({"\x1b[31m" + "x" * 90: 1}, "text", r"has '[^\x1b]{1,60}'\. Correct"),
        ({f"k{number}": 1 for number in range(99)}, "text", "'k11' and 87 more"),
        ([], "text", "the answer is no object"),
        (failing(200, b""), "text", "the answer is empty"),
    ],
)
def test_a_place_that_no_answer_has_is_a_mistake_of_the_file(answer: Any, reply: str, words: str) -> None:
    with pytest.raises(Problem, match=words):
        asyncio.run(talked(CASE, ToyService(answer), reply=reply, **TALK))


def test_once_a_reply_was_there_a_missing_one_is_the_service_s() -> None:
    found = asyncio.run(talked(CASE, ToyService({"text": "Which order is it?"}, {"txt": "Hello"}), **TALK))
    assert (found.ending.cause, len(found.turns)) == ("empty_reply", 4)


def test_a_service_that_is_late_or_gone_is_no_fault_of_the_agent() -> None:
    async def slow(request: web.Request, sent: Any) -> Any:
        await asyncio.sleep(5)
        return {"text": "Sorry!"}

    late = asyncio.run(talked(CASE, ToyService(slow), timeout=0.2, **TALK)).ending
    assert (late.cause, late.detail) == ("time_out", "no answer within 0.2 s")
    gone = asyncio.run(with_service(CASE, ServicePlan("http://127.0.0.1:9/reply", body="{text}"))).ending
    assert gone.cause == "provider_error" and gone.detail.startswith("no connection")


def test_a_slow_drip_is_bounded_by_the_time_for_one_reply() -> None:
    async def drips(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse()
        await stream.prepare(request)
        for _ in range(200):
            await stream.write(b" ")
            await asyncio.sleep(0.05)
        return stream

    assert asyncio.run(talked(CASE, drips, timeout=0.3, **TALK)).ending.cause == "time_out"


def test_an_agent_that_has_handed_over_may_answer_nothing() -> None:
    async def hands_over(request: web.Request, sent: Any) -> Any:
        await call_rest(sent, "hand_over", reason="needs a person")
        return {"text": ""}

    assert asyncio.run(talked(CASE, ToyService(hands_over), **TALK)).ending.kind == "handed_over"


def test_tokens_are_reported_as_the_provider_names_them() -> None:
    usage = [
        {"model": "gpt-5.4-mini", "prompt_tokens": 90, "completion_tokens": 8},
        {"model": "gpt-5.4-mini", "input_tokens": 50, "output_tokens": 4},
    ]
    transcript = asyncio.run(talked(CASE, ToyService({"text": "Hm?", "usage": usage}), usage="usage", **TALK))
    spent = transcript.turns[1].usage
    assert [(one.input, one.output, one.model) for one in spent] == [
        (90, 8, "gpt-5.4-mini"),
        (50, 4, "gpt-5.4-mini"),
    ]


def test_counts_that_cannot_be_are_an_error_of_the_agent() -> None:
    bad = {"text": "Hm?", "usage": {"input_tokens": -5}}
    assert asyncio.run(talked(CASE, ToyService(bad), usage="usage", **TALK)).ending.cause == "agent_error"


def test_a_service_that_changes_in_mid_run_stops_it() -> None:
    answers = ({"text": "Hm?", "v": "1"}, {"text": "Hm?", "v": "2"})
    with pytest.raises(Problem, match="was version '1' when the run began, and now says '2'"):
        asyncio.run(talked(CASE, ToyService(*answers), "1", version={"reply": "v"}, **TALK))


def test_a_session_is_repeated_and_cannot_lead_elsewhere() -> None:
    toy = ToyService({"text": "Hm?", "id": "../../admin?x=1#"})
    asyncio.run(talked(CASE, toy, session="id", url="{url}/talk/{session}/say", **TALK))
    assert toy.paths[0] == "/talk//say"
    assert toy.paths[1] == "/talk/..%2F..%2Fadmin%3Fx%3D1%23/say"


def test_a_session_that_is_lost_is_the_services_failure() -> None:
    def answer(request: web.Request, sent: Any) -> Any:
        if sent["session"] == "s1":
            return web.json_response({"error": "unknown session"}, status=410)
        return {"text": "Hm?", "id": "s1"}

    body = {"session": "{session}"}
    ending = asyncio.run(talked(CASE, ToyService(answer), session="id", body=body)).ending
    assert (ending.cause, ending.detail) == (
        "provider_error",
        "the service answered 410: unknown session",
    )


def test_a_service_that_has_ended_the_conversation_gives_no_further_reply() -> None:
    toy = ToyService({"text": "Goodbye.", "closed": True})
    transcript = asyncio.run(talked(CASE, toy, ended="closed", **TALK))
    assert len(toy.asked) == 1 and transcript.ending.cause == "empty_reply"
    assert "had ended the conversation" in transcript.ending.detail


def test_a_stream_is_put_together_however_it_is_cut() -> None:
    events = (
        b'data: {"type":"start"}\r\n\r\ndata: {"type":"text-delta","delta":"Hel"}\n\n: ping\n\nda',
        b'ta: {"type":"text-delta",\ndata: "delta":"lo."}\n\ndata: [DONE]\n\n',
    )

    async def streams(request: web.Request) -> web.StreamResponse:
        stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
        await stream.prepare(request)
        for piece in events:
            await stream.write(piece)
            await asyncio.sleep(0.01)
        return stream

    reply = "(type=='text-delta' && delta)"
    transcript = asyncio.run(talked(CASE, streams, stream="sse", reply=reply, **TALK))
    assert transcript.turns[1].text == "Hello."


def test_a_reply_that_comes_later_is_fetched() -> None:
    def answer(request: web.Request, sent: Any) -> Any:
        if request.method == "POST":
            return {"id": "m1"}
        return {"replies": ["Hm?"] if len(toy.asked) % 3 == 0 else []}

    toy = ToyService(answer)
    poll = {"url": "{url}/replies", "until": "replies", "every": 0.01}
    transcript = asyncio.run(talked(CASE, toy, poll=poll, reply="replies", **TALK))
    assert transcript.turns[1].text == "Hm?" and "/replies" in toy.paths


def test_calls_at_one_fixed_address_find_their_conversations() -> None:
    async def looks_up(request: web.Request, sent: Any) -> Any:
        async with ClientSession() as http:
            place = f"{sent['rest'].partition('/desk/')[0]}/tools/find_order"
            async with http.post(place, json={"email": sent["email"]}) as answer:
                found = await answer.json()
        return {"text": f"Order? {found['ok']}"}

    async def both() -> list[Any]:
        async with served(ToyService(looks_up).answer) as url:
            body = {"email": "{email}", "rest": "{rest}"}
            door = ServiceDoor(ServicePlan(f"{url}/", body=body, desk=DeskPlace(fixed=True)))
            names = (CASE, "tracking-1", "return_request-2", "wrong_item-3")
            held = (hold(CASES, CASES.cases[name], door(0), ScriptedVoice(), Sitting()) for name in names)
            try:
                return await asyncio.gather(*held)
            finally:
                await door.aclose()

    for transcript in asyncio.run(both()):
        first = transcript.turns[1]
        assert first.text == "Order? True" and [call.tool for call in first.calls] == ["find_order"]


def test_instructions_are_those_of_every_other_agent() -> None:
    toy = ToyService({"text": "Hm?"})
    asyncio.run(talked(CASE, toy, body={"text": "{text}", "all": "{instructions}"}))
    assert toy.asked[0]["all"] == CASES.world.text_given("email", "prompt")
