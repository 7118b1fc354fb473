"""The Anthropic dialect: messages."""

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from supportagentbench.models import Completion, Message, ModelRequest, Stop, ToolRequest
from supportagentbench.models.counts import read_usage
from supportagentbench.models.dialect import (
    LONGEST_NAME,
    EncodedTools,
    UnreadableAnswer,
    call_id,
    decoded,
    given_arguments,
    in_json,
    model_name,
)
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.record import Record
from supportagentbench.records.usage_counts import ANTHROPIC

DEFAULT_MAX_TOKENS = 16_000
"""Default limit on output tokens; this API requires one."""

_STOPS: dict[str, Stop] = {
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_CACHE = {"type": "ephemeral"}
NOBODY_YET = "(The customer has written nothing yet.)"
"""Before a greeting of the desk, because this API refuses a dialogue that the assistant begins."""


class _AnthropicReply(msgspec.Struct):
    content: list[dict[str, Any]]
    model: Any = None
    usage: Any = None
    stop_reason: Any = None


_reply = msgspec.json.Decoder(_AnthropicReply)


class Anthropic(Record):
    """The messages API, with cache marks on what does not change between requests."""

    path: ClassVar[str] = "/messages"

    def headers(self, key: str) -> dict[str, str]:
        return {"x-api-key": key, "anthropic-version": "2023-06-01"}

    def body(self, model: str, request: ModelRequest, settings: ModelSpec) -> bytes:
        system = "\n\n".join(one.text for one in request.messages if one.role == "system")
        body: dict[str, Any] = {
            "model": model,
            "max_tokens": settings.max_tokens or DEFAULT_MAX_TOKENS,
            "messages": list(_turns(request.messages)),
        }
        if request.tools:
            body["tools"] = _tools(request.tools)
        if system:
            # Tools come before the system prompt in the cache, so one mark covers both.
            body["system"] = [{"type": "text", "text": in_json(system), "cache_control": _CACHE}]
        if body["messages"]:
            body["messages"][-1]["content"][-1]["cache_control"] = _CACHE
        body |= settings.spread
        output: dict[str, Any] = {}
        if settings.effort:
            body["thinking"] = {"type": "adaptive"}
            output["effort"] = settings.effort
        if request.schema:
            output["format"] = {"type": "json_schema", "schema": request.schema}
        if output:
            body["output_config"] = output
        return msgspec.json.encode(body)

    def most_tokens(self, settings: ModelSpec) -> int | None:
        return settings.max_tokens or DEFAULT_MAX_TOKENS

    def read(self, data: bytes) -> Completion:
        reply = decoded(data, _reply)
        calls = tuple(
            _tool_request(block, number)
            for number, block in enumerate(one for one in reply.content if one.get("type") == "tool_use")
        )
        stop = _STOPS.get(reply.stop_reason, "end") if isinstance(reply.stop_reason, str) else "end"
        return Completion(
            text="".join(_words(block) for block in reply.content if block.get("type") == "text"),
            usage=read_usage(model_name(reply.model), reply.usage, ANTHROPIC),
            calls=calls,
            stop="calls" if calls and stop == "end" else stop,
            reasoning="".join(
                thought for one in reply.content if isinstance(thought := one.get("thinking"), str)
            ),
            native={"content": reply.content},
        )


def _tool_request(block: dict[str, Any], number: int) -> ToolRequest:
    """A call; its block, which is sent back, gets the same id, name and arguments."""
    if not isinstance(block.get("name"), str) or "id" not in block or "input" not in block:
        raise UnreadableAnswer("a tool call lacks its name, id or input")
    name, arguments = block["name"][:LONGEST_NAME], given_arguments(block["input"])
    call = ToolRequest(call_id(block["id"], number), name, arguments)
    block |= {"id": call.id, "name": name, "input": arguments if isinstance(arguments, dict) else {}}
    return call


def _words(block: dict[str, Any]) -> str:
    if not isinstance(block.get("text"), str):
        raise UnreadableAnswer("a block of text has no text")
    words: str = block["text"]
    return words


_tools = EncodedTools(
    lambda tool: {"name": tool.name, "description": tool.about, "input_schema": tool.schema}
)


def _turns(messages: tuple[Message, ...]) -> Iterator[dict[str, Any]]:
    """The dialogue in alternating turns, the user's first; tool results are part of the user's turn."""
    role = ""
    blocks: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        speaker = "assistant" if message.role == "assistant" else "user"
        if not role and speaker == "assistant":
            yield {"role": "user", "content": [{"type": "text", "text": NOBODY_YET}]}
        if speaker != role and blocks:
            yield {"role": role, "content": blocks}
            blocks = []
        role = speaker
        blocks += _blocks(message)
    if blocks:
        yield {"role": role, "content": blocks}


def _blocks(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [{"type": "tool_result", "tool_use_id": message.answers, "content": message.text}]
    if message.native:
        return [dict(block) for block in message.native["content"]]
    text = [{"type": "text", "text": message.text}] if message.text.strip() else []
    return text + [
        {
            "type": "tool_use",
            "id": call.id,
            "name": call.tool,
            "input": call.arguments if isinstance(call.arguments, dict) else {},
        }
        for call in message.calls
    ]
