"""The Anthropic dialect, server side: blocks, strictly alternating turns, thinking that must be sent back."""

from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal
from zlib import crc32

import msgspec

from supportagentbench.fake_provider.clerk import DialogueLine, ModelReply, ReceivedRequest
from supportagentbench.fake_provider.counts import Tokens
from supportagentbench.fake_provider.dialect import (
    SMALL_CONTEXT,
    RequestRefused,
    bad_request,
    check_closed,
    check_json,
    check_tool,
    is_bad,
    masked,
    prompt_tokens,
    schema_from,
)

STOP = {
    "end": "end_turn",
    "calls": "tool_use",
    "length": "max_tokens",
    "refusal": "refusal",
    "filtered": "refusal",
}

MOST_MARKS = 4
"""How many blocks may carry a cache mark."""


class Text(msgspec.Struct, tag_field="type", tag="text", gc=False):
    text: str


class Thinking(msgspec.Struct, tag_field="type", tag="thinking"):
    thinking: str
    signature: str
    cache_control: dict[str, Any] | None = None


class ToolUse(msgspec.Struct, tag_field="type", tag="tool_use"):
    id: str
    name: str
    input: msgspec.Raw


class AnthropicToolResult(msgspec.Struct, tag_field="type", tag="tool_result"):
    tool_use_id: str
    content: str | list[Text] = ""
    is_error: bool = False

    @property
    def text(self) -> str:
        return self.content if isinstance(self.content, str) else "".join(part.text for part in self.content)


Block = Text | Thinking | ToolUse | AnthropicToolResult


class AnthropicMessage(msgspec.Struct):
    role: Literal["user", "assistant"]
    content: str | list[Block]

    @property
    def blocks(self) -> list[Block]:
        return [Text(self.content)] if isinstance(self.content, str) else self.content


class AnthropicTool(msgspec.Struct):
    name: str
    input_schema: dict[str, Any]


class AnthropicToolChoice(msgspec.Struct):
    type: Literal["auto", "any", "none", "tool"]
    name: str = ""


class AnthropicFormat(msgspec.Struct):
    type: Literal["json_schema"]
    schema: msgspec.Raw


class OutputConfig(msgspec.Struct):
    format: AnthropicFormat | None = None
    effort: str | None = None


class ThinkingConfig(msgspec.Struct):
    type: Literal["enabled", "disabled", "adaptive"]
    budget_tokens: int = 0


class AnthropicBody(msgspec.Struct):
    model: str
    max_tokens: int
    messages: list[AnthropicMessage]
    system: str | list[Text] = ""
    tools: msgspec.Raw = msgspec.Raw()
    tool_choice: AnthropicToolChoice | None = None
    thinking: ThinkingConfig | None = None
    temperature: float | None = None
    output_config: OutputConfig | None = None
    output_format: AnthropicFormat | None = None
    stream: bool = False


_decode = msgspec.json.Decoder(AnthropicBody).decode


@lru_cache(64)
def _toolset(raw: bytes) -> dict[str, dict[str, Any]]:
    """Schemas by name of the tools that these bytes offer."""
    tools = msgspec.json.decode(raw, type=list[AnthropicTool])
    for tool in tools:
        check_tool(tool.name, tool.input_schema)
    return {tool.name: tool.input_schema for tool in tools}


class FakeAnthropic:
    """The dialect."""

    def read(self, headers: Mapping[str, str], body: bytes) -> ReceivedRequest:
        key = _key(headers)
        check_json(headers)
        try:
            asked = _decode(body)
            tools = _toolset(bytes(asked.tools)) if asked.tools else {}
        except msgspec.DecodeError as error:
            bad_request(str(error))
        _check_settings(asked)
        system = (
            asked.system if isinstance(asked.system, str) else "".join(part.text for part in asked.system)
        )
        lines, sizes, last_reply = _dialogue(asked.messages)
        schema, must_call = _wanted(asked, tools)
        marks = body.count(b'"cache_control"')
        if marks > MOST_MARKS:
            bad_request(
                f"A maximum of {MOST_MARKS} blocks with cache_control may be provided. Found {marks}."
            )
        prompt = prompt_tokens(
            len(system) + len(bytes(asked.tools)), sizes, last_reply, reads=marks > 0, writes=marks > 0
        )
        return ReceivedRequest(
            model=asked.model,
            key=key,
            system=system,
            messages=tuple(lines),
            tools=tuple(tools),
            schema=schema,
            must_call=must_call,
            reasons=asked.thinking is not None and asked.thinking.type != "disabled",
            streams=asked.stream,
            prompt=prompt,
        )

    def refuse_model(self, seen: ReceivedRequest, context: int) -> None:
        if seen.model == "unknown-model":
            raise RequestRefused(404, "not_found_error", f"model: {seen.model}")
        if seen.model == "no-quota":
            bad_request("Your credit balance is too low to access the Anthropic API.")
        if seen.model == "no-credit":
            raise RequestRefused(
                402, "billing_error", "There is an issue with your billing or payment information."
            )
        longest = SMALL_CONTEXT if seen.model == "small-context" else context
        if longest and seen.prompt.prompt > longest:
            bad_request(f"prompt is too long: {seen.prompt.prompt} tokens > {longest} maximum")

    def write(
        self, seen: ReceivedRequest, said: ModelReply, tokens: Tokens, number: int, cost: float | None
    ) -> bytes:
        stop = said.stop or ("calls" if said.calls else "end")
        content: list[dict[str, Any]] = []
        if said.reasoning:
            content.append(
                {"type": "thinking", "thinking": said.reasoning, "signature": _signature(said.reasoning)}
            )
        if said.text:
            content.append({"type": "text", "text": said.text})
        for at, (name, arguments) in enumerate(said.calls):
            content.append(
                {
                    "type": "tool_use",
                    "id": f"toolu_{number:08x}{at}_{_signature(said.reasoning)}",
                    "name": name,
                    "input": _input(arguments),
                }
            )
        usage: dict[str, Any] = {
            "input_tokens": tokens.input,
            "cache_creation_input_tokens": tokens.cache_write,
            "cache_read_input_tokens": tokens.cache_read,
            "output_tokens": tokens.output,
            "output_tokens_details": {"thinking_tokens": tokens.reasoning},
        }
        if cost is not None:
            usage["cost"] = cost
        message = {
            "id": f"msg_{number:08x}",
            "type": "message",
            "role": "assistant",
            "model": seen.model,
            "content": content,
            "stop_reason": STOP[stop],
            "stop_sequence": None,
            "usage": usage,
        }
        return _streamed(message) if seen.streams else msgspec.json.encode(message)

    def error(self, refused: RequestRefused) -> bytes:
        return msgspec.json.encode(
            {"type": "error", "error": {"type": refused.kind, "message": refused.message}}
        )


def _streamed(message: dict[str, Any]) -> bytes:
    """The same message as server-sent events, each block in one piece."""
    ending = {"stop_reason": message["stop_reason"], "stop_sequence": None}
    begun = message | {"content": [], "stop_reason": None, "usage": message["usage"] | {"output_tokens": 1}}
    events: list[dict[str, Any]] = [{"type": "message_start", "message": begun}]
    for at, block in enumerate(message["content"]):
        empty, deltas = _in_pieces(block)
        events.append({"type": "content_block_start", "index": at, "content_block": empty})
        events += [{"type": "content_block_delta", "index": at, "delta": delta} for delta in deltas]
        events.append({"type": "content_block_stop", "index": at})
    events.append({"type": "message_delta", "delta": ending, "usage": message["usage"]})
    events.append({"type": "message_stop"})
    return b"".join(
        b"event: %b\ndata: %b\n\n" % (one["type"].encode(), msgspec.json.encode(one)) for one in events
    )


def _in_pieces(block: dict[str, Any]) -> tuple[dict[str, Any], list[dict[str, Any]]]:
    """A block as it begins, and what is added to it."""
    match block["type"]:
        case "text":
            return block | {"text": ""}, [{"type": "text_delta", "text": block["text"]}]
        case "thinking":
            thought = {"type": "thinking_delta", "thinking": block["thinking"]}
            signed = {"type": "signature_delta", "signature": block["signature"]}
            return block | {"thinking": "", "signature": ""}, [thought, signed]
        case _:
            written = msgspec.json.encode(block["input"]).decode()
            return block | {"input": {}}, [{"type": "input_json_delta", "partial_json": written}]


def _key(headers: Mapping[str, str]) -> str:
    key = headers.get("x-api-key", "")
    if not key:
        raise RequestRefused(401, "authentication_error", "x-api-key header is required")
    if is_bad(key):
        raise RequestRefused(401, "authentication_error", f"invalid x-api-key: {masked(key)}")
    if "anthropic-version" not in headers:
        bad_request("anthropic-version: header is required")
    return key


def _check_settings(asked: AnthropicBody) -> None:
    if asked.max_tokens < 1:
        bad_request("max_tokens: Input should be greater than or equal to 1")
    thinking = asked.thinking
    if thinking is not None and thinking.type == "enabled":
        if thinking.budget_tokens < 1024:
            bad_request("thinking.enabled.budget_tokens: Input should be greater than or equal to 1024")
        if thinking.budget_tokens >= asked.max_tokens:
            bad_request("`max_tokens` must be greater than `thinking.budget_tokens`.")
    if thinking is not None and thinking.type != "disabled" and asked.temperature not in (None, 1):
        bad_request("`temperature` may only be set to 1 when thinking is enabled.")
    if isinstance(asked.system, list) and not all(part.text for part in asked.system):
        bad_request("system: text content blocks must be non-empty")


def _signature(thinking: str) -> str:
    """The signature of a thinking block; a call repeats it, so that a missing block is noticed."""
    return f"{crc32(thinking.encode()):08x}" if thinking else ""


def _input(arguments: str) -> object:
    """Arguments as an object, which is all this API allows."""
    try:
        msgspec.json.decode(arguments, type=dict[str, msgspec.Raw])
    except msgspec.DecodeError:
        return {"INVALID_JSON": arguments}
    return msgspec.Raw(arguments.encode())


def _dialogue(messages: list[AnthropicMessage]) -> tuple[list[DialogueLine], list[int], int]:
    """The messages, their sizes, and the index of the last reply."""
    if not messages:
        bad_request("messages: at least one message is required")
    lines, sizes, last_reply = list[DialogueLine](), list[int](), -1
    open_calls: tuple[str, ...] = ()
    for at, message in enumerate(messages):
        if message.role != ("assistant" if at % 2 else "user"):
            bad_request(
                f"messages.{at}: roles must alternate between 'user' and 'assistant', beginning with 'user'"
            )
        blocks = message.blocks
        _check_blocks(blocks, at, last=at == len(messages) - 1, role=message.role)
        if message.role == "assistant":
            last_reply = len(lines)
            open_calls = _add_reply(blocks, at, lines, sizes)
        else:
            _check_answers(blocks, open_calls, at)
            _add_customer(blocks, lines, sizes)
            open_calls = ()
    if open_calls:
        _unanswered(open_calls, len(messages) - 1)
    return lines, sizes, last_reply


def _check_blocks(blocks: list[Block], at: int, *, last: bool, role: str) -> None:
    if not blocks and not (last and role == "assistant"):
        bad_request(
            f"messages.{at}: all messages must have non-empty content except for the optional final "
            "assistant message"
        )
    for number, block in enumerate(blocks):
        if isinstance(block, Text) and not block.text.strip():
            bad_request(f"messages.{at}.content.{number}: text content blocks must have non-whitespace text")
        if isinstance(block, AnthropicToolResult) != (role == "user") and not isinstance(block, Text):
            bad_request(f"messages.{at}.content.{number}: a {role} turn has no blocks of this type")


def _add_reply(blocks: list[Block], at: int, lines: list[DialogueLine], sizes: list[int]) -> tuple[str, ...]:
    """Add the model's own turn; returns the ids of its calls."""
    text, calls, ids, thoughts, size = "", list[tuple[str, str]](), list[str](), list[str](), 0
    for number, block in enumerate(blocks):
        if isinstance(block, Text):
            text += block.text
        elif isinstance(block, Thinking):
            if block.signature != _signature(block.thinking):
                bad_request(f"messages.{at}.content.{number}: Invalid `signature` in `thinking` block")
            if block.cache_control:
                bad_request(
                    f"messages.{at}.content.{number}: cache_control cannot be set for thinking blocks"
                )
            thoughts.append(block.signature)
            size += len(block.thinking)
        elif isinstance(block, ToolUse):
            given = bytes(block.input)
            if not given.startswith(b"{"):
                bad_request(f"messages.{at}.content.{number}.tool_use.input: Input should be an object")
            thought = block.id.rpartition("_")[2]
            if thought and block.id.startswith("toolu_") and thought not in thoughts:
                bad_request(
                    f"messages.{at}.content.{number}.type: Expected `thinking` or `redacted_thinking`, but "
                    "found `tool_use`. A turn with tool use must start with the thinking that led to it."
                )
            calls.append((block.name, given.decode()))
            ids.append(block.id)
            size += len(given)
    lines.append(DialogueLine("assistant", text, tuple(calls)))
    sizes.append(size + len(text))
    return tuple(ids)


def _check_answers(blocks: list[Block], open_calls: tuple[str, ...], at: int) -> None:
    """Check that the next turn answers every call, and nothing else, before any text."""
    answered = [block.tool_use_id for block in blocks if isinstance(block, AnthropicToolResult)]
    for found in answered:
        if found not in open_calls:
            bad_request(
                f"messages.{at}: unexpected `tool_use_id` found in `tool_result` blocks: {found}. Each "
                "`tool_result` block must have a corresponding `tool_use` block in the previous message."
            )
    if set(answered) != set(open_calls) or len(answered) != len(open_calls):
        _unanswered(tuple(call for call in open_calls if answered.count(call) != 1), at - 1)
    if any(isinstance(block, Text) for block in blocks[: len(answered)]):
        bad_request(f"messages.{at}: `tool_result` blocks must come first in the content")


def _unanswered(calls: tuple[str, ...], at: int) -> None:
    bad_request(
        f"messages.{at}: `tool_use` ids were found without `tool_result` blocks immediately after: "
        f"{', '.join(calls)}. Each `tool_use` block must have a corresponding `tool_result` block in the "
        "next message."
    )


def _add_customer(blocks: list[Block], lines: list[DialogueLine], sizes: list[int]) -> None:
    """Add tool results and the customer's text."""
    for block in blocks:
        if isinstance(block, AnthropicToolResult):
            lines.append(DialogueLine("tool", block.text))
        elif isinstance(block, Text):
            lines.append(DialogueLine("user", block.text))
        sizes.append(len(lines[-1].text))


def _wanted(asked: AnthropicBody, tools: dict[str, dict[str, Any]]) -> tuple[dict[str, Any] | None, str]:
    """The schema the reply has to follow, and the tool it has to call with it."""
    choice = asked.tool_choice
    if choice is not None and choice.type == "tool":
        if choice.name not in tools:
            bad_request(f"tool_choice: tool '{choice.name}' not found in provided tools")
        if asked.thinking is not None and asked.thinking.type != "disabled":
            bad_request("Thinking may not be enabled when tool_choice forces tool use.")
        return tools[choice.name], choice.name
    wanted = asked.output_config.format if asked.output_config else asked.output_format
    if wanted is None:
        return None, ""
    schema = schema_from(bytes(wanted.schema))
    check_closed(schema, all_required=False)
    return schema, ""
