"""The OpenAI dialect: chat completions, which nearly every provider and server speaks."""

from functools import cache, partial
from typing import Any, ClassVar

import msgspec

from supportagentbench.models import Completion, Message, ModelRequest, Stop, ToolRequest
from supportagentbench.models.dialect import (
    EncodedMessages,
    EncodedTools,
    UnreadableAnswer,
    as_arguments,
    without_thought,
)
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.record import Record
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.usage import Usage

_STOPS: dict[str, Stop] = {"length": "length", "content_filter": "refusal", "max_tokens": "length"}


class _Function(msgspec.Struct):
    name: str = ""
    arguments: str | dict[str, Any] | None = ""


class _Call(msgspec.Struct):
    function: _Function
    id: str | None = ""


class _Choice(msgspec.Struct):
    message: dict[str, Any]
    finish_reason: str | None = ""


class _Details(msgspec.Struct):
    cached_tokens: int | None = 0
    cache_write_tokens: int | None = 0
    reasoning_tokens: int | None = 0


class _OpenAIUsage(msgspec.Struct):
    prompt_tokens: int | None = 0
    completion_tokens: int | None = 0
    total_tokens: int | None = 0
    prompt_tokens_details: _Details | None = None
    completion_tokens_details: _Details | None = None
    prompt_cache_hit_tokens: int | None = 0
    cost: float | None = None


class _OpenAIReply(msgspec.Struct):
    choices: list[_Choice]
    model: str | None = ""
    usage: _OpenAIUsage | None = None


_reply = msgspec.json.Decoder(_OpenAIReply)


class OpenAI(Record):
    """Chat completions, with the points on which providers differ."""

    most: str = "max_tokens"
    """Name of the field that limits the output."""
    seed: str = "seed"
    """Name of the seed field."""
    schemas: bool = True
    """Whether answers can be constrained to a JSON Schema, or only to JSON."""
    gives_back: tuple[str, ...] = ()
    """Fields of its own message that a provider expects back, such as reasoning."""

    path: ClassVar[str] = "/chat/completions"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, model: str, request: ModelRequest, settings: ModelSpec) -> bytes:
        messages = map(_encoded_messages(self.gives_back), request.messages)
        body: dict[str, Any] = {"model": model, "messages": list(messages)}
        if request.tools:
            body["tools"] = _tools(request.tools)
        if request.schema:
            schema = {"name": "answer", "strict": True, "schema": request.schema}
            body["response_format"] = (
                {"type": "json_schema", "json_schema": schema} if self.schemas else {"type": "json_object"}
            )
        if settings.max_tokens:
            body[self.most] = settings.max_tokens
        if settings.temperature is not None:
            body["temperature"] = settings.temperature
        if settings.top_p is not None:
            body["top_p"] = settings.top_p
        if settings.effort:
            body["reasoning_effort"] = settings.effort
        if settings.seed:
            body[self.seed] = (request.seed + request.step) % 2**31
        return msgspec.json.encode(body)

    def read(self, data: bytes) -> Completion:
        try:
            reply = _reply.decode(data)
            choice = reply.choices[0]
            asked = choice.message.get("tool_calls")
            calls = msgspec.convert(asked, list[_Call]) if asked else []
        except (msgspec.MsgspecError, IndexError) as error:
            raise UnreadableAnswer(str(error) or "it has no choices") from None
        said = choice.message
        text, thought = without_thought(_text(said.get("content")))
        refused = said.get("refusal")
        stop: Stop = "refusal" if refused else _STOPS.get(choice.finish_reason or "", "end")
        requests = tuple(_tool_request(call, number) for number, call in enumerate(calls))
        return Completion(
            text=text or (refused if isinstance(refused, str) else ""),
            usage=_usage(reply.model or "", reply.usage or _OpenAIUsage()),
            calls=requests,
            stop="calls" if requests and stop == "end" else stop,
            reasoning=_text(said.get("reasoning_content") or said.get("reasoning")) or thought,
            native=said,
        )


@cache
def _encoded_messages(gives_back: tuple[str, ...]) -> EncodedMessages:
    """The message encoder for a provider that expects these fields back."""
    return EncodedMessages(partial(_message, gives_back))


def _message(gives_back: tuple[str, ...], message: Message) -> dict[str, Any]:
    if message.role == "tool":
        return {"role": "tool", "tool_call_id": message.answers, "content": message.text}
    if message.role != "assistant":
        return {"role": message.role, "content": message.text}
    said: dict[str, Any] = {"role": "assistant", "content": message.text or None}
    if message.calls:
        said["tool_calls"] = [
            {
                "id": call.id,
                "type": "function",
                # Providers parse these again and refuse anything but an object.
                "function": {
                    "name": call.tool,
                    "arguments": msgspec.json.encode(call.arguments).decode()
                    if isinstance(call.arguments, dict)
                    else "{}",
                },
            }
            for call in message.calls
        ]
        _restore_signatures(said, message.native)
    for field in gives_back:
        if message.native and message.native.get(field):
            said[field] = message.native[field]
    return said


def _text(content: object) -> str:
    """The text of a content field, which may be text, null, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        return "".join(str(part.get("text", "")) for part in content if isinstance(part, dict))
    return ""


def _tool_request(call: _Call, number: int) -> ToolRequest:
    given = call.function.arguments
    arguments = given if isinstance(given, dict) else as_arguments(given or "")
    return ToolRequest(call.id or f"call_{number}", call.function.name, arguments)


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.about, "parameters": tool.schema}
    return {"type": "function", "function": function}


_tools = EncodedTools(_tool)


def _restore_signatures(said: dict[str, Any], native: dict[str, Any] | None) -> None:
    """Restore the signatures of a provider's tool calls; without them it refuses the next request."""
    for call, before in zip(said["tool_calls"], (native or {}).get("tool_calls") or (), strict=False):
        if isinstance(before, dict) and "extra_content" in before:
            call["extra_content"] = before["extra_content"]


def _usage(model: str, count: _OpenAIUsage) -> Usage:
    """Token counts that do not overlap, however a provider counts."""
    prompt, written, total = count.prompt_tokens or 0, count.completion_tokens or 0, count.total_tokens or 0
    sent, received = count.prompt_tokens_details or _Details(), count.completion_tokens_details or _Details()
    cached = sent.cached_tokens or count.prompt_cache_hit_tokens or 0
    stored = sent.cache_write_tokens or 0
    # Some providers count reasoning outside the output; only the total then includes it.
    extra = max(0, total - prompt - written)
    return Usage(
        model=model,
        input=max(0, prompt - cached - stored),
        cache_read=cached,
        cache_write=stored,
        output=written + extra,
        reasoning=received.reasoning_tokens or extra,
        cost=count.cost,
        cost_by="provider" if count.cost is not None else "",
    )
