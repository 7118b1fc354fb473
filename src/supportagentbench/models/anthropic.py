"""The Anthropic dialect: messages."""

from collections.abc import Iterator
from typing import Any, ClassVar

import msgspec

from supportagentbench.models import Completion, Message, ModelRequest, Stop, ToolRequest
from supportagentbench.models.dialect import EncodedTools, UnreadableAnswer, in_json
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.record import Record
from supportagentbench.records.usage import Usage

DEFAULT_MAX_TOKENS = 16_000
"""Default limit on output tokens; this API requires one."""

_STOPS: dict[str, Stop] = {
    "tool_use": "calls",
    "max_tokens": "length",
    "model_context_window_exceeded": "length",
    "refusal": "refusal",
}
_CACHE = {"type": "ephemeral"}


class _AnthropicUsage(msgspec.Struct):
    input_tokens: int | None = 0
    output_tokens: int | None = 0
    cache_read_input_tokens: int | None = 0
    cache_creation_input_tokens: int | None = 0


class _AnthropicReply(msgspec.Struct):
    content: list[dict[str, Any]]
    model: str
    usage: _AnthropicUsage
    stop_reason: str | None = ""


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
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if settings.top_p is not None:
            body["top_p"] = settings.top_p
        output: dict[str, Any] = {}
        if settings.effort:
            body["thinking"] = {"type": "adaptive"}
            output["effort"] = settings.effort
        if request.schema:
            output["format"] = {"type": "json_schema", "schema": request.schema}
        if output:
            body["output_config"] = output
        return msgspec.json.encode(body)

    def read(self, data: bytes) -> Completion:
        try:
            reply = _reply.decode(data)
            calls = tuple(
                ToolRequest(
                    block["id"],
                    block["name"],
                    block["input"] if isinstance(block["input"], dict) else str(block["input"]),
                )
                for block in reply.content
                if block.get("type") == "tool_use"
            )
        except (msgspec.MsgspecError, KeyError) as error:
            raise UnreadableAnswer(str(error)) from None
        stop = _STOPS.get(reply.stop_reason or "", "end")
        return Completion(
            text="".join(
                str(block.get("text", "")) for block in reply.content if block.get("type") == "text"
            ),
            usage=Usage(
                model=reply.model,
                input=reply.usage.input_tokens or 0,
                cache_read=reply.usage.cache_read_input_tokens or 0,
                cache_write=reply.usage.cache_creation_input_tokens or 0,
                output=reply.usage.output_tokens or 0,
            ),
            calls=calls,
            stop="calls" if calls and stop == "end" else stop,
            reasoning="".join(str(block.get("thinking", "")) for block in reply.content),
            native={"content": reply.content},
        )


_tools = EncodedTools(
    lambda tool: {"name": tool.name, "description": tool.about, "input_schema": tool.schema}
)


def _turns(messages: tuple[Message, ...]) -> Iterator[dict[str, Any]]:
    """The dialogue in alternating turns; tool results are part of the user's turn in this API."""
    role = ""
    blocks: list[dict[str, Any]] = []
    for message in messages:
        if message.role == "system":
            continue
        speaker = "assistant" if message.role == "assistant" else "user"
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
