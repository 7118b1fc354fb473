"""The Responses dialect: OpenAI's own API of today, in which models reason and call tools.

A dialogue is a list of items, and nothing is stored at OpenAI: what a model thought comes back encrypted and
is sent again, unchanged and before what followed from it.
"""

import re
from collections.abc import Iterator
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
    in_json,
    model_name,
    refuse_error,
)
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.record import Record
from supportagentbench.records.usage_counts import OPENAI_RESPONSES, part_of

ENCRYPTED = "reasoning.encrypted_content"

_NEVER_REASONS = re.compile(r"(?:ft:)?(?:gpt-3|gpt-4|gpt-5-chat|chatgpt)")
"""Models that refuse a request for encrypted reasoning, since they have none."""

_FINISHED = ("completed", "incomplete")


class _ResponsesReply(msgspec.Struct):
    output: list[dict[str, Any]]
    status: Any = None
    incomplete_details: Any = None
    error: Any = None
    model: Any = None
    usage: Any = None


_reply = msgspec.json.Decoder(_ResponsesReply)


class Responses(Record):
    """The Responses API, without its storage."""

    path: ClassVar[str] = "/responses"

    def headers(self, key: str) -> dict[str, str]:
        return {"Authorization": f"Bearer {key}"} if key else {}

    def body(self, model: str, request: ModelRequest, settings: ModelSpec) -> bytes:
        body: dict[str, Any] = {"model": model, "input": _input(request.messages), "store": False}
        instructions = "\n\n".join(one.text for one in request.messages if one.role == "system")
        if instructions:
            body["instructions"] = in_json(instructions)
        if not _NEVER_REASONS.match(model):
            body["include"] = [ENCRYPTED]
        if request.tools:
            body["tools"] = _tools(request.tools)
        if request.schema:
            form = {"type": "json_schema", "name": "answer", "strict": True, "schema": request.schema}
            body["text"] = {"format": form}
        if settings.max_tokens:
            body["max_output_tokens"] = settings.max_tokens
        body |= settings.spread
        if settings.effort:
            body["reasoning"] = {"effort": settings.effort}
        return msgspec.json.encode(body)

    def most_tokens(self, settings: ModelSpec) -> int | None:
        return settings.max_tokens

    def read(self, data: bytes) -> Completion:
        reply = decoded(data, _reply)
        refuse_error(reply.error)
        if isinstance(reply.status, str) and reply.status not in _FINISHED:
            raise UnreadableAnswer(f"its status is {reply.status[:40]!r}")
        items = [_with_text_id(item) for item in reply.output]
        asked = [item for item in items if item.get("type") == "function_call"]
        calls = tuple(_tool_request(item, number) for number, item in enumerate(asked))
        text, refused = _words(items)
        stop: Stop = "refusal" if refused else _stop(reply)
        return Completion(
            text=text or refused,
            usage=read_usage(model_name(reply.model), reply.usage, OPENAI_RESPONSES),
            calls=calls,
            stop="calls" if calls and stop == "end" else stop,
            reasoning="".join(_thoughts(items)),
            native={"output": items},
        )


def _input(messages: tuple[Message, ...]) -> msgspec.Raw:
    """The dialogue as one list of items, of which a message may be several or none."""
    lists = (bytes(_encoded(message))[1:-1] for message in messages if message.role != "system")
    return msgspec.Raw(b"[" + b",".join(items for items in lists if items) + b"]")


def _items(message: Message) -> list[dict[str, Any]]:
    if message.role == "tool":
        return [{"type": "function_call_output", "call_id": message.answers, "output": message.text}]
    if message.role != "assistant":
        return [{"role": message.role, "content": message.text}]
    if message.native and _can_go_back(message.native["output"]):
        output: list[dict[str, Any]] = message.native["output"]
        return output
    said = [{"role": "assistant", "content": message.text}] if message.text else []
    return said + [
        {
            "type": "function_call",
            "call_id": call.id,
            "name": call.tool,
            "arguments": _as_text(call.arguments),
        }
        for call in message.calls
    ]


_encoded = EncodedMessages(_items)


def _can_go_back(output: list[dict[str, Any]]) -> bool:
    """Whether all reasoning came encrypted and led to something; any other is unknown to the provider."""
    thoughts = [item for item in output if item.get("type") == "reasoning"]
    is_followed = not output or output[-1].get("type") != "reasoning"
    return is_followed and all(item.get("encrypted_content") for item in thoughts)


def _as_text(arguments: dict[str, Any] | str) -> str:
    return msgspec.json.encode(arguments).decode() if isinstance(arguments, dict) else "{}"


_tools = EncodedTools(
    lambda tool: {
        "type": "function",
        "name": tool.name,
        "description": tool.about,
        "parameters": tool.schema,
        # Otherwise the schema would be rewritten: every argument required, and a constrained answer.
        "strict": False,
    }
)


def _with_text_id(item: dict[str, Any]) -> dict[str, Any]:
    """The item; a number for an id goes back as text."""
    return item if isinstance(item.get("id"), str | None) else item | {"id": call_id(item["id"], 0)}


def _tool_request(item: dict[str, Any], number: int) -> ToolRequest:
    """A call; its item, which is sent back, changes only where it could not be."""
    if not isinstance(item.get("name"), str):
        raise UnreadableAnswer("a tool call does not name the tool")
    arguments = given_arguments(item.get("arguments"))
    call = ToolRequest(call_id(item.get("call_id"), number), item["name"][:LONGEST_NAME], arguments)
    item |= {"call_id": call.id, "name": call.tool}
    if isinstance(arguments, str) or not isinstance(item.get("arguments"), str):
        item["arguments"] = _as_text(arguments)
    return call


def _words(items: list[dict[str, Any]]) -> tuple[str, str]:
    """What was said, and what was said in place of an answer; remarks before a final answer are left out."""
    messages = [item for item in items if item.get("type") == "message"]
    final = [item for item in messages if item.get("phase") == "final_answer"]
    text = refused = ""
    for part in (part for message in final or messages for part in _parts(message)):
        words = part.get("refusal" if part.get("type") == "refusal" else "text")
        if not isinstance(words, str):
            raise UnreadableAnswer("its message has no text for words")
        if part.get("type") == "refusal":
            refused += words
        else:
            text += words
    return text, refused


def _parts(message: dict[str, Any]) -> list[dict[str, Any]]:
    content = message.get("content")
    if not isinstance(content, list) or not all(isinstance(part, dict) for part in content):
        raise UnreadableAnswer("its message has no content")
    return content


def _thoughts(items: list[dict[str, Any]]) -> Iterator[str]:
    """The reasoning that can be read; most of it is encrypted."""
    for item in items:
        if item.get("type") != "reasoning":
            continue
        for part in (*_listed(item.get("summary")), *_listed(item.get("content"))):
            if isinstance(part, dict) and isinstance(part.get("text"), str):
                yield part["text"]


def _listed(found: object) -> list[Any]:
    return found if isinstance(found, list) else []


def _stop(reply: _ResponsesReply) -> Stop:
    if reply.status != "incomplete":
        return "end"
    return "refusal" if part_of(reply.incomplete_details, "reason") == "content_filter" else "length"
