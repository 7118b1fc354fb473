"""The Responses dialect, server side: items, and encrypted reasoning that must be sent back."""

import re
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal
from zlib import crc32

import msgspec

from supportagentbench.fake_provider.clerk import DialogueLine, ModelReply, ReceivedRequest
from supportagentbench.fake_provider.counts import Tokens
from supportagentbench.fake_provider.dialect import (
    RequestRefused,
    bad_request,
    check_closed,
    check_json,
    check_tool,
    prompt_tokens,
    schema_from,
)
from supportagentbench.fake_provider.openai import FakeOpenAI, bearer_key

INCOMPLETE = {"length": "max_output_tokens", "filtered": "content_filter"}
NEVER_REASONS = re.compile(r"gpt-3|gpt-4|chatgpt")
ENCRYPTED = "reasoning.encrypted_content"
LEAST_OUTPUT = 16
"""The smallest limit on the output that the API accepts."""


class ContentPart(msgspec.Struct, gc=False):
    type: Literal["input_text", "output_text", "refusal"]
    text: str = ""
    refusal: str = ""


class MessageItem(msgspec.Struct, tag_field="type", tag="message"):
    role: Literal["system", "developer", "user", "assistant"]
    content: str | list[ContentPart]
    id: str = ""

    @property
    def text(self) -> str:
        return _text(self.content)


def _text(content: str | list[ContentPart]) -> str:
    if isinstance(content, str):
        return content
    return "".join(part.text or part.refusal for part in content)


class ReasoningItem(msgspec.Struct, tag_field="type", tag="reasoning"):
    id: str
    summary: list[dict[str, str]]
    encrypted_content: str | None = None


class CallItem(msgspec.Struct, tag_field="type", tag="function_call"):
    call_id: str
    name: str
    arguments: str
    id: str = ""


class CallOutputItem(msgspec.Struct, tag_field="type", tag="function_call_output"):
    call_id: str
    output: str | list[ContentPart]

    @property
    def text(self) -> str:
        return _text(self.output)


Item = MessageItem | ReasoningItem | CallItem | CallOutputItem


class ResponsesTool(msgspec.Struct):
    type: Literal["function"]
    name: str
    parameters: dict[str, Any]
    strict: bool | None = None


class FunctionChoice(msgspec.Struct):
    type: Literal["function"]
    name: str


class ResponsesFormat(msgspec.Struct):
    type: Literal["text", "json_object", "json_schema"]
    name: str = ""
    schema: msgspec.Raw = msgspec.Raw()
    strict: bool | None = None


class TextConfig(msgspec.Struct):
    format: ResponsesFormat | None = None


class ReasoningConfig(msgspec.Struct):
    effort: Literal["none", "minimal", "low", "medium", "high", "xhigh", "max"] | None = None
    summary: str | None = None


class ResponsesBody(msgspec.Struct, forbid_unknown_fields=True):
    """Unlike the older API, this one refuses what it does not know, such as a seed."""

    model: str
    input: str | list[dict[str, Any]]
    instructions: str | None = None
    tools: msgspec.Raw = msgspec.Raw()
    tool_choice: Literal["none", "auto", "required"] | FunctionChoice | None = None
    text: TextConfig | None = None
    reasoning: ReasoningConfig | None = None
    include: list[str] | None = None
    store: bool | None = None
    max_output_tokens: int | None = None
    temperature: float | None = None
    top_p: float | None = None
    parallel_tool_calls: bool | None = None
    stream: bool | None = None


_decode = msgspec.json.Decoder(ResponsesBody).decode


@lru_cache(64)
def _toolset(raw: bytes) -> dict[str, dict[str, Any]]:
    """Schemas by name of the tools that these bytes offer; they are strict unless they say otherwise."""
    tools = msgspec.json.decode(raw, type=list[ResponsesTool])
    for tool in tools:
        check_tool(tool.name, tool.parameters)
        if tool.strict is not False:
            check_closed(tool.parameters, all_required=True)
    return {tool.name: tool.parameters for tool in tools}


class FakeResponses(FakeOpenAI):
    """The dialect. Keys, models and errors are those of the older API."""

    def read(self, headers: Mapping[str, str], body: bytes) -> ReceivedRequest:
        key = bearer_key(headers)
        check_json(headers)
        try:
            asked = _decode(body)
            tools = _toolset(bytes(asked.tools)) if asked.tools else {}
            items = _items(asked.input)
        except msgspec.DecodeError as error:
            bad_request(f"We could not read your request: {error}")
        _check_settings(asked)
        dialogue = Dialogue(asked.model, asked.instructions or "", is_stored=asked.store is not False)
        for item, after in zip(items, [*items[1:], None], strict=True):
            dialogue.add(item, after)
        dialogue.close()
        schema, must_call = _wanted(asked, tools)
        head = len(dialogue.system) + len(bytes(asked.tools))
        return ReceivedRequest(
            model=asked.model,
            key=key,
            system=dialogue.system,
            messages=tuple(dialogue.lines),
            tools=tuple(tools),
            schema=schema,
            must_call=must_call,
            reasons=asked.reasoning is not None and asked.reasoning.effort not in (None, "none"),
            encrypts=ENCRYPTED in (asked.include or ()),
            prompt=prompt_tokens(head, dialogue.sizes, dialogue.last_reply, reads=True, writes=False),
        )

    def write(
        self, seen: ReceivedRequest, said: ModelReply, tokens: Tokens, number: int, cost: float | None
    ) -> bytes:
        stop = said.stop or ("calls" if said.calls else "end")
        usage: dict[str, Any] = {
            "input_tokens": tokens.prompt,
            "input_tokens_details": {"cached_tokens": tokens.cache_read},
            "output_tokens": tokens.output,
            "output_tokens_details": {"reasoning_tokens": tokens.reasoning},
            "total_tokens": tokens.prompt + tokens.output,
        }
        if cost is not None:
            usage["cost"] = cost
        why = INCOMPLETE.get(stop)
        return msgspec.json.encode(
            {
                "id": f"resp_{number:08x}",
                "object": "response",
                "created_at": 0,
                "status": "incomplete" if why else "completed",
                "incomplete_details": {"reason": why} if why else None,
                "error": None,
                "model": seen.model,
                "output": _output(seen, said, number, is_refusal=stop == "refusal"),
                "usage": usage,
            }
        )


def _items(found: str | list[dict[str, Any]]) -> list[Item]:
    """The items of a request; a message need not say that it is one."""
    if isinstance(found, str):
        return [MessageItem("user", found)]
    return msgspec.convert([{"type": "message"} | item for item in found], list[Item])


def _check_settings(asked: ResponsesBody) -> None:
    if asked.stream:
        bad_request("This server does not stream.", "unsupported_value")
    if not asked.input:
        bad_request("Missing required parameter: 'input'.", "missing_required_parameter")
    if asked.max_output_tokens is not None and asked.max_output_tokens < LEAST_OUTPUT:
        bad_request(
            "Invalid 'max_output_tokens': integer below minimum value. Expected a value >= "
            f"{LEAST_OUTPUT}, but got {asked.max_output_tokens} instead.",
            "integer_below_min_value",
        )
    if NEVER_REASONS.match(asked.model):
        if ENCRYPTED in (asked.include or ()):
            bad_request("Encrypted content is not supported with this model.")
        if asked.reasoning is not None and asked.reasoning.effort:
            bad_request("Unsupported parameter: 'reasoning.effort' is not supported with this model.")


class Dialogue:
    """The items of a request, read one after the other."""

    def __init__(self, model: str, instructions: str, *, is_stored: bool) -> None:
        self.system = instructions
        self.lines: list[DialogueLine] = []
        self.sizes: list[int] = []
        self.last_reply = -1
        self._model = model
        self._is_stored = is_stored
        """Whether the provider kept its own items, so that a client may name them without their content."""
        self._open_calls: set[str] = set()
        self._thought = ""
        """The mark of the reasoning that led to the items that follow."""

    def add(self, item: Item, after: Item | None) -> None:
        """Add an item; `after` is the one that follows."""
        match item:
            case MessageItem():
                self._add_message(item)
            case ReasoningItem():
                self._add_reasoning(item, after)
            case CallItem():
                self._check_thought(item.id, "function_call")
                self._open_calls.add(item.call_id)
                self._add_reply(DialogueLine("assistant", calls=((item.name, item.arguments),)))
            case CallOutputItem():
                if item.call_id not in self._open_calls:
                    bad_request(f"No tool call found for function call output with call_id {item.call_id}.")
                self._open_calls.remove(item.call_id)
                self._add(DialogueLine("tool", item.text))

    def close(self) -> None:
        """Refuse calls that nothing answers."""
        for call in sorted(self._open_calls):
            bad_request(f"No tool output found for function call {call}.")

    def _add_message(self, item: MessageItem) -> None:
        if item.role == "assistant":
            self._check_thought(item.id, "message")
            self._add_reply(DialogueLine("assistant", item.text))
            return
        self.close()
        if item.role == "user":
            self._add(DialogueLine("user", item.text))
        else:
            self.system += item.text

    def _add_reasoning(self, item: ReasoningItem, after: Item | None) -> None:
        if item.encrypted_content is None and not self._is_stored:
            message = (
                f"Item with id '{item.id}' not found. Items are not persisted when `store` is set to false. "
                "Try again with `store` set to true, or remove this item from your input."
            )
            raise RequestRefused(404, "invalid_request_error", message)
        is_reply = isinstance(after, CallItem) or (
            isinstance(after, MessageItem) and after.role == "assistant"
        )
        if not is_reply:
            bad_request(
                f"Item '{item.id}' of type 'reasoning' was provided without its required following item."
            )
        sealed = item.encrypted_content
        thought = "" if sealed is None else _decrypted(sealed, self._model)
        self._thought = mark_of(thought) or item.id.removeprefix("rs_")
        self._add_reply(DialogueLine("assistant"), len(thought))

    def _check_thought(self, id: str, kind: str) -> None:
        """Refuse an item whose reasoning was left out."""
        needed = id.partition("_")[2].partition("_")[2]
        if needed and needed != self._thought:
            bad_request(
                f"Item '{id}' of type '{kind}' was provided without its required 'reasoning' item: "
                f"'rs_{needed}'."
            )

    def _add_reply(self, line: DialogueLine, size: int = 0) -> None:
        """Add to the model's own turn; consecutive items are one message, as in the other dialects."""
        size += len(line.text) + sum(len(arguments) for _, arguments in line.calls)
        if self.lines and self.lines[-1].role == "assistant":
            before = self.lines.pop()
            size += self.sizes.pop()
            line = DialogueLine("assistant", before.text + line.text, before.calls + line.calls)
        self.last_reply = len(self.lines)
        self.lines.append(line)
        self.sizes.append(size)

    def _add(self, line: DialogueLine) -> None:
        self._thought = ""
        self.lines.append(line)
        self.sizes.append(len(line.text))


def mark_of(thought: str) -> str:
    """What items that follow from a thought have in their ids, so that its absence is noticed."""
    return f"{crc32(thought.encode()):08x}" if thought else ""


def _encrypted(thought: str, model: str) -> str:
    seal = f"{crc32(thought.encode(), crc32(model.encode())):08x}"
    return "gAAA" + urlsafe_b64encode(f"{seal}{thought}".encode()).decode()


def _decrypted(content: str, model: str) -> str:
    try:
        thought = urlsafe_b64decode(content.removeprefix("gAAA")).decode()[8:]
    except ValueError:
        thought = ""
    if content != _encrypted(thought, model):
        bad_request(
            f"The encrypted content {content[:4]}...{content[-4:]} could not be verified.",
            "invalid_encrypted_content",
        )
    return thought


def _output(
    seen: ReceivedRequest, said: ModelReply, number: int, *, is_refusal: bool
) -> list[dict[str, Any]]:
    output: list[dict[str, Any]] = []
    mark = mark_of(said.reasoning)
    if said.reasoning:
        secret = {"encrypted_content": _encrypted(said.reasoning, seen.model)} if seen.encrypts else {}
        output.append({"id": f"rs_{mark}", "type": "reasoning", "summary": []} | secret)
    ending = f"_{mark}" if mark else ""
    if said.text:
        part: dict[str, Any] = {"type": "output_text", "text": said.text, "annotations": []}
        if is_refusal:
            part = {"type": "refusal", "refusal": said.text}
        message = {"type": "message", "role": "assistant", "status": "completed", "content": [part]}
        output.append({"id": f"msg_{number:08x}{ending}"} | message)
    for at, (name, arguments) in enumerate(said.calls):
        output.append(
            {
                "id": f"fc_{number:08x}{at}{ending}",
                "type": "function_call",
                "status": "completed",
                "call_id": f"call_{number:08x}{at}",
                "name": name,
                "arguments": arguments,
            }
        )
    return output


def _wanted(asked: ResponsesBody, tools: dict[str, dict[str, Any]]) -> tuple[dict[str, Any] | None, str]:
    """The schema the reply has to follow, and the tool it has to call with it."""
    if isinstance(asked.tool_choice, FunctionChoice):
        name = asked.tool_choice.name
        if name not in tools:
            bad_request(f"Tool choice '{name}' not found in 'tools' parameter.")
        return tools[name], name
    wanted = asked.text.format if asked.text else None
    if wanted is None or wanted.type == "text":
        return None, ""
    if wanted.type == "json_object":
        return {"type": "object"}, ""
    if not wanted.name or not wanted.schema:
        bad_request("Missing required parameter: 'text.format.name'.", "missing_required_parameter")
    schema = schema_from(bytes(wanted.schema))
    if wanted.strict:
        check_closed(schema, all_required=True)
    return schema, ""
