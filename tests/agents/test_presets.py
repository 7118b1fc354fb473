"""Presets: each talks to a bot of its kind, in the shape that its documentation gives."""

import asyncio
from collections.abc import Callable
from typing import Any

import msgspec
import pytest
from aiohttp import web

from services import ToyService, served, with_service
from supportagentbench.agents.service_file import PRESETS
from supportagentbench.desk.doors.service_plan import ServicePlan
from supportagentbench.records.transcript import Transcript
from supportagentbench.storage.yaml_file import read_document

CASE = "cancel_before_ship-1"
REPLY = "Could you tell me your order number?"


def openai_chat(request: web.Request, sent: Any) -> Any:
    assert [one["role"] for one in sent["messages"]][-1] == "user"
    return {
        "choices": [{"message": {"role": "assistant", "content": REPLY}}],
        "usage": {"prompt_tokens": 100, "completion_tokens": 9},
    }


def openai_responses(request: web.Request, sent: Any) -> Any:
    assert sent["tools"][0]["server_url"].endswith("/mcp") and sent["instructions"]
    return {
        "output": [
            {"type": "mcp_call", "name": "find_order", "output": "…"},
            {"type": "message", "content": [{"type": "output_text", "text": REPLY}]},
        ],
        "usage": {"input_tokens": 100, "output_tokens": 9},
    }


async def ai_sdk(request: web.Request, sent: Any) -> web.StreamResponse:
    assert sent["messages"][0]["parts"][0]["type"] == "text"
    stream = web.StreamResponse(headers={"Content-Type": "text/event-stream"})
    await stream.prepare(request)
    for event in (
        {"type": "start", "messageId": "m"},
        {"type": "text-start", "id": "0"},
        *({"type": "text-delta", "id": "0", "delta": word} for word in REPLY.partition("your")),
        {"type": "text-end", "id": "0"},
        {"type": "finish"},
    ):
        await stream.write(b"data: " + msgspec.json.encode(event) + b"\n\n")
    await stream.write(b"data: [DONE]\n\n")
    return stream


def rasa(request: web.Request, sent: Any) -> Any:
    assert set(sent) == {"sender", "message", "metadata"}
    return [{"recipient_id": sent["sender"], "text": REPLY}, {"recipient_id": sent["sender"], "image": "x"}]


def a2a(request: web.Request, sent: Any) -> Any:
    assert sent["jsonrpc"] == "2.0" and sent["params"]["message"]["parts"][0]["text"]
    message = {
        "kind": "message",
        "role": "agent",
        "messageId": "1",
        "parts": [{"kind": "text", "text": REPLY}],
    }
    return {"jsonrpc": "2.0", "id": sent["id"], "result": message}


def a2a_task(request: web.Request, sent: Any) -> Any:
    artifact = {"artifactId": "1", "parts": [{"kind": "text", "text": REPLY}]}
    task = {"kind": "task", "id": "t", "status": {"state": "completed"}, "artifacts": [artifact]}
    return {"jsonrpc": "2.0", "id": sent["id"], "result": task}


def dialogflow_cx(request: web.Request, sent: Any) -> Any:
    assert request.path.endswith(":detectIntent") and sent["queryInput"]["text"]["text"]
    messages = [{"text": {"text": [REPLY]}}, {"payload": {"chips": []}}]
    return {"queryResult": {"responseMessages": messages}}


class DirectLine:
    """A channel with a conversation that is opened first, and replies that are fetched by a watermark."""

    def __init__(self) -> None:
        self.activities: list[Any] = []

    def __call__(self, request: web.Request, sent: Any) -> Any:
        assert request.headers["Authorization"] == "Bearer the-secret-of-the-line"
        if request.path == "/v3/directline/conversations":
            return {"conversationId": "c1", "token": "t"}
        if request.method == "POST":
            assert "/conversations/c1/" in request.path
            self.activities += [sent, {"type": "typing", "from": {"id": "bot", "role": "bot"}}]
            return {"id": f"c1|{len(self.activities)}"}
        self.activities.append({"type": "message", "from": {"id": "bot", "role": "bot"}, "text": REPLY})
        since = int(request.query["watermark"] or 0)
        return {"activities": self.activities[since:], "watermark": str(len(self.activities))}


BOTS: dict[str, Callable[[], Any]] = {
    "openai-chat": lambda: openai_chat,
    "openai-responses": lambda: openai_responses,
    "ai-sdk": lambda: ai_sdk,
    "rasa": lambda: rasa,
    "a2a": lambda: a2a,
    "dialogflow-cx": lambda: dialogflow_cx,
    "direct-line": DirectLine,
    "sab": lambda: lambda request, sent: {"text": REPLY},
}


async def talked_to(preset: str, bot: Any) -> Transcript:
    """One conversation by a preset whose addresses lead to a bot of the test."""
    async with served(ToyService(bot).answer) as url:
        plain = msgspec.to_builtins(read_document(PRESETS / f"{preset}.yaml", ServicePlan))
        text = msgspec.json.encode(plain).decode()
        for host in hosts_in(plain):
            text = text.replace(host, url)
        for name in ("AGENT_KEY", "DIALOGFLOW_TOKEN", "DIRECT_LINE_SECRET"):
            text = text.replace(f"${{{name}}}", "the-secret-of-the-line")
        plan = msgspec.json.decode(text, type=ServicePlan)
        plan = msgspec.structs.replace(plan, desk=msgspec.structs.replace(plan.desk, port=0))
        return await with_service(CASE, plan)


def hosts_in(plain: Any) -> set[str]:
    addresses = [plain["url"], *(plain[part]["url"] for part in ("start", "poll") if plain.get(part))]
    return {"/".join(one.split("/")[:3]) for one in addresses}


@pytest.mark.parametrize("preset", sorted(BOTS))
def test_a_preset_talks_to_a_bot_of_its_kind(preset: str) -> None:
    transcript = asyncio.run(talked_to(preset, BOTS[preset]()))
    replies = [turn.text for turn in transcript.turns if turn.party == "agent"]
    assert transcript.ending.kind != "broke", transcript.ending
    assert len(replies) > 1 and set(replies) == {REPLY}


def test_a_task_with_artifacts_is_an_answer_too() -> None:
    assert asyncio.run(talked_to("a2a", a2a_task)).turns[1].text == REPLY


def test_no_words_of_a_bot_are_no_reply() -> None:
    ending = asyncio.run(talked_to("rasa", lambda request, sent: [])).ending
    assert ending.cause == "empty_reply"


def test_every_preset_is_tried() -> None:
    assert {path.stem for path in PRESETS.glob("*.yaml")} == set(BOTS)
