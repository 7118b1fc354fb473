"""The OpenAI dialect: chat completions, which nearly every provider and server speaks."""

from functools import cache, partial
from typing import Any, ClassVar

import msgspec

from supportagentbench.models import Completion, Message, ModelRequest, Stop, ToolRequest
from supportagentbench.models.counts import read_usage
from supportagentbench.models.dialect import (
    LONGEST_NAME,
    EncodedMessages,
    EncodedTools,
    UnreadableAnswer,
    call_id,
    decoded,
    given_arguments,
    model_name,
    refuse_error,
    without_thought,
)
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.record import Record
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.usage_counts import OPENAI_CHAT

_STOPS: dict[str, Stop] = {"length": "length", "content_filter": "refusal", "max_tokens": "length"}


class _Function(msgspec.Struct):
    name: str
    arguments: Any = None


class _Call(msgspec.Struct):
    function: _Function
    id: Any = None


_CALLS = list[_Call]


class _Choice(msgspec.Struct):
    message: dict[str, Any]
    finish_reason: Any = None
    error: Any = None


class _OpenAIReply(msgspec.Struct):
    choices: list[_Choice]
    model: Any = None
    usage: Any = None
    error: Any = None


_reply = msgspec.json.Decoder(_OpenAIReply)

_SAID = ("content", "tool_calls", "refusal", "reasoning_content", "reasoning")
"""What a message has at least one of."""


class OpenAI(Record):
    """Chat completions, with the points on which providers differ."""

    most: str = "max_tokens"
    """Name of the field that limits the output."""
    seed: str = "seed"
    """Name of the seed field."""
    schemas: bool = True
    """Whether answers can be constrained to a JSON Schema, or only to JSON."""
    gives_back: tuple[str, ...] = ()
    """Fields of a provider's message that it expects back, such as reasoning."""

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
        body |= settings.spread
        if settings.effort:
            body["reasoning_effort"] = settings.effort
        if settings.seed:
            body[self.seed] = (request.seed + request.step) % 2**31
        return msgspec.json.encode(body)

    def most_tokens(self, settings: ModelSpec) -> int | None:
        return settings.max_tokens

    def read(self, data: bytes) -> Completion:
        reply = decoded(data, _reply)
        refuse_error(reply.error)
        if not reply.choices:
            raise UnreadableAnswer("it has no choices")
        choice = reply.choices[0]
        refuse_error(choice.error)
        said, refused = choice.message, choice.message.get("refusal")
        calls = _calls(said)
        text, thought = without_thought(_content(said))
        finish = choice.finish_reason if isinstance(choice.finish_reason, str) else ""
        stop: Stop = "refusal" if refused else _STOPS.get(finish, "end")
        return Completion(
            text=text or (refused if isinstance(refused, str) else ""),
            usage=read_usage(model_name(reply.model), reply.usage, OPENAI_CHAT),
            calls=calls,
            stop="calls" if calls and stop == "end" else stop,
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


def _content(said: dict[str, Any]) -> str:
    """The words of a message; a message without any field for them, or with an odd one, is an error."""
    content, refused = said.get("content"), said.get("refusal")
    if not any(field in said for field in _SAID):
        raise UnreadableAnswer("its message is empty")
    if not isinstance(content, str | list | None) or not isinstance(refused, str | None):
        raise UnreadableAnswer("its message has no text for words")
    return _text(content)


def _text(content: object) -> str:
    """The text of a content field, which may be text, null, or a list of parts."""
    if isinstance(content, str):
        return content
    if isinstance(content, list):
        parts = (part.get("text") if isinstance(part, dict) else part for part in content)
        return "".join(part for part in parts if isinstance(part, str))
    return ""


def _calls(said: dict[str, Any]) -> tuple[ToolRequest, ...]:
    asked = said.get("tool_calls")
    if not asked:
        return ()
    try:
        calls = msgspec.convert(asked, _CALLS)
    except msgspec.ValidationError as error:
        raise UnreadableAnswer(str(error)) from None
    return tuple(_tool_request(call, number) for number, call in enumerate(calls))


def _tool_request(call: _Call, number: int) -> ToolRequest:
    name, arguments = call.function.name[:LONGEST_NAME], given_arguments(call.function.arguments)
    return ToolRequest(call_id(call.id, number), name, arguments)


def _tool(tool: ToolSpec) -> dict[str, Any]:
    function = {"name": tool.name, "description": tool.about, "parameters": tool.schema}
    return {"type": "function", "function": function}


_tools = EncodedTools(_tool)


def _restore_signatures(said: dict[str, Any], native: dict[str, Any] | None) -> None:
    """Restore the signatures of a provider's tool calls; without them it refuses the next request."""
    for call, before in zip(said["tool_calls"], (native or {}).get("tool_calls") or (), strict=False):
        if isinstance(before, dict) and "extra_content" in before:
            call["extra_content"] = before["extra_content"]
