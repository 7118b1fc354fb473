"""The OpenAI dialect, server side: chat completions."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any, Literal

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

FINISH = {
    "end": "stop",
    "calls": "tool_calls",
    "length": "length",
    "refusal": "stop",
    "filtered": "content_filter",
}


THINKS_IF_TOLD = re.compile(r"gpt-5\.4\b")
THINKS_BY_DEFAULT = re.compile(r"gpt-5\.[5-9]|gpt-[6-9]")
"""Models that do not think and call tools in this API."""


class OpenAIPart(msgspec.Struct, gc=False):
    type: Literal["text"]
    text: str


class Function(msgspec.Struct, gc=False):
    name: str
    arguments: str


class Call(msgspec.Struct, gc=False):
    id: str
    function: Function
    type: Literal["function"]


class OpenAIMessage(msgspec.Struct):
    role: Literal["system", "developer", "user", "assistant", "tool"]
    content: str | list[OpenAIPart] | None = None
    tool_calls: list[Call] | None = None
    tool_call_id: str = ""
    reasoning_content: str | None = None
    refusal: str | None = None

    @property
    def text(self) -> str:
        if isinstance(self.content, str):
            return self.content
        return "".join(part.text for part in self.content or ())


class ToolFunction(msgspec.Struct):
    name: str
    parameters: dict[str, Any]
    strict: bool | None = None


class OpenAITool(msgspec.Struct):
    type: Literal["function"]
    function: ToolFunction


class FunctionName(msgspec.Struct):
    name: str


class OpenAIToolChoice(msgspec.Struct):
    type: Literal["function"]
    function: FunctionName


class JsonSchema(msgspec.Struct):
    name: str
    schema: msgspec.Raw
    strict: bool | None = None


class OpenAIFormat(msgspec.Struct):
    type: Literal["text", "json_object", "json_schema"]
    json_schema: JsonSchema | None = None


class OpenAIBody(msgspec.Struct):
    model: str
    messages: list[OpenAIMessage]
    tools: msgspec.Raw = msgspec.Raw()
    tool_choice: Literal["none", "auto", "required"] | OpenAIToolChoice | None = None
    response_format: OpenAIFormat | None = None
    reasoning_effort: Literal["none", "minimal", "low", "medium", "high", "xhigh"] | None = None
    stream: bool | None = None


_decode = msgspec.json.Decoder(OpenAIBody).decode


@lru_cache(64)
def _toolset(raw: bytes) -> dict[str, dict[str, Any]]:
    """Schemas by name of the tools that these bytes offer."""
    tools = msgspec.json.decode(raw, type=list[OpenAITool] | None)
    if tools is None:
        return {}
    if not tools:
        bad_request("Invalid 'tools': empty array. Expected an array with minimum length 1.", "empty_array")
    for tool in tools:
        check_tool(tool.function.name, tool.function.parameters)
        if tool.function.strict:
            check_closed(tool.function.parameters, all_required=True)
    return {tool.function.name: tool.function.parameters for tool in tools}


class FakeOpenAI:
    """The dialect."""

    def read(self, headers: Mapping[str, str], body: bytes) -> ReceivedRequest:
        key = bearer_key(headers)
        check_json(headers)
        try:
            asked = _decode(body)
            tools = _toolset(bytes(asked.tools)) if asked.tools else {}
        except msgspec.DecodeError as error:
            bad_request(f"We could not read your request: {error}")
        if asked.stream:
            bad_request("This server does not stream.", "unsupported_value")
        _check_effort(asked, tools)
        system, lines, sizes, last_reply = _dialogue(asked.messages)
        schema, must_call = _wanted(asked, tools)
        prompt = prompt_tokens(
            len(system) + len(bytes(asked.tools)), sizes, last_reply, reads=True, writes=False
        )
        return ReceivedRequest(
            model=asked.model,
            key=key,
            system=system,
            messages=tuple(lines),
            tools=tuple(tools),
            schema=schema,
            must_call=must_call,
            reasons=asked.reasoning_effort not in (None, "none"),
            prompt=prompt,
        )

    def refuse_model(self, seen: ReceivedRequest, context: int) -> None:
        if seen.model == "unknown-model":
            message = f"The model `{seen.model}` does not exist or you do not have access to it."
            raise RequestRefused(404, "invalid_request_error", message, "model_not_found")
        if seen.model == "no-quota":
            message = "You exceeded your current quota, please check your plan and billing details."
            raise RequestRefused(429, "insufficient_quota", message, "insufficient_quota")
        if seen.model == "no-credit":
            raise RequestRefused(402, "insufficient_quota", "Insufficient credits.", "insufficient_quota")
        longest = SMALL_CONTEXT if seen.model == "small-context" else context
        if longest and seen.prompt.prompt > longest:
            bad_request(
                f"This model's maximum context length is {longest} tokens. However, your messages "
                f"resulted in {seen.prompt.prompt} tokens. Please reduce the length of the messages.",
                "context_length_exceeded",
            )

    def write(
        self, seen: ReceivedRequest, said: ModelReply, tokens: Tokens, number: int, cost: float | None
    ) -> bytes:
        stop = said.stop or ("calls" if said.calls else "end")
        message: dict[str, Any] = {"role": "assistant", "content": said.text, "refusal": None}
        if stop == "refusal":
            message |= {"content": None, "refusal": said.text}
        if said.reasoning:
            message["reasoning_content"] = said.reasoning
        if said.calls:
            message["content"] = said.text or None
            message["tool_calls"] = [
                {
                    "id": f"call_{number:08x}{at}",
                    "type": "function",
                    "function": {"name": name, "arguments": arguments},
                }
                for at, (name, arguments) in enumerate(said.calls)
            ]
        usage: dict[str, Any] = {
            "prompt_tokens": tokens.prompt,
            "completion_tokens": tokens.output,
            "total_tokens": tokens.prompt + tokens.output,
            "prompt_tokens_details": {"cached_tokens": tokens.cache_read},
            "completion_tokens_details": {"reasoning_tokens": tokens.reasoning},
        }
        if cost is not None:
            usage["cost"] = cost
        return msgspec.json.encode(
            {
                "id": f"chatcmpl-{number:08x}",
                "object": "chat.completion",
                "created": 0,
                "model": seen.model,
                "choices": [
                    {"index": 0, "message": message, "logprobs": None, "finish_reason": FINISH[stop]}
                ],
                "usage": usage,
            }
        )

    def error(self, refused: RequestRefused) -> bytes:
        return msgspec.json.encode(
            {
                "error": {
                    "message": refused.message,
                    "type": refused.kind,
                    "param": None,
                    "code": refused.code,
                }
            }
        )


def bearer_key(headers: Mapping[str, str]) -> str:
    """The key in a request; raises RequestRefused if there is none or a bad one."""
    scheme, _, key = headers.get("Authorization", "").partition(" ")
    if scheme != "Bearer" or not key:
        message = "You didn't provide an API key in an Authorization header using Bearer auth."
        raise RequestRefused(401, "invalid_request_error", message)
    if is_bad(key):
        message = f"Incorrect API key provided: {masked(key)}."
        raise RequestRefused(401, "invalid_request_error", message, "invalid_api_key")
    return key


def _check_effort(asked: OpenAIBody, tools: Mapping[str, object]) -> None:
    """Refuse tools together with reasoning, as the models since gpt-5.4 do."""
    effort, model = asked.reasoning_effort, asked.model
    if not tools or effort == "none":
        return
    if THINKS_BY_DEFAULT.match(model) or (effort and THINKS_IF_TOLD.match(model)):
        bad_request(
            f"Function tools with reasoning_effort are not supported for {model} in /v1/chat/completions. "
            "To use function tools, use /v1/responses or set reasoning_effort to 'none'."
        )


def _dialogue(messages: list[OpenAIMessage]) -> tuple[str, list[DialogueLine], list[int], int]:
    """System text, the messages without it, their sizes, and the index of the last reply."""
    if not messages:
        bad_request(
            "Invalid 'messages': empty array. Expected an array with minimum length 1.", "empty_array"
        )
    system, lines, sizes, last_reply = "", list[DialogueLine](), list[int](), -1
    open_calls: set[str] = set()
    for at, message in enumerate(messages):
        text = message.text
        if open_calls and message.role != "tool":
            _unanswered(open_calls)
        if message.role == "tool":
            if message.tool_call_id not in open_calls:
                bad_request(
                    "Invalid parameter: messages with role 'tool' must be a response to a preceding "
                    f"message with 'tool_calls'; messages[{at}] answers {message.tool_call_id!r}."
                )
            open_calls.remove(message.tool_call_id)
            lines.append(DialogueLine("tool", text))
        elif message.role == "assistant":
            calls = _calls(message, at)
            open_calls.update(call.id for call in calls)
            last_reply = len(lines)
            pairs = tuple((call.function.name, call.function.arguments) for call in calls)
            lines.append(DialogueLine("assistant", text, pairs))
        elif message.content is None:
            bad_request(f"Invalid value for 'content' of messages[{at}]: expected a string, got null.")
        elif message.role == "user":
            lines.append(DialogueLine("user", text))
        else:
            system += text
            continue
        sizes.append(len(text) + len(message.reasoning_content or ""))
        for _, arguments in lines[-1].calls:
            sizes[-1] += len(arguments)
    if open_calls:
        _unanswered(open_calls)
    return system, lines, sizes, last_reply


def _calls(message: OpenAIMessage, at: int) -> list[Call]:
    if message.tool_calls is None:
        if message.content is None and message.refusal is None:
            bad_request(f"Invalid value for 'content' of messages[{at}]: expected a string, got null.")
        return []
    if not message.tool_calls:
        bad_request(f"Invalid 'messages[{at}].tool_calls': empty array.", "empty_array")
    return message.tool_calls


def _unanswered(open_calls: set[str]) -> None:
    bad_request(
        "An assistant message with 'tool_calls' must be followed by tool messages responding to each "
        "'tool_call_id'. The following tool_call_ids did not have response messages: "
        + ", ".join(sorted(open_calls))
    )


def _wanted(asked: OpenAIBody, tools: dict[str, dict[str, Any]]) -> tuple[dict[str, Any] | None, str]:
    """The schema the reply has to follow, and the tool it has to call with it."""
    if isinstance(asked.tool_choice, OpenAIToolChoice):
        name = asked.tool_choice.function.name
        if name not in tools:
            bad_request(f"Tool choice '{name}' not found in 'tools' parameter.")
        return tools[name], name
    if asked.tool_choice and not tools:
        bad_request(
            "Invalid value for 'tool_choice': 'tool_choice' is only allowed when 'tools' are specified."
        )
    wanted = asked.response_format
    if wanted is None or wanted.type == "text":
        return None, ""
    if wanted.type == "json_object":
        return {"type": "object"}, ""
    if wanted.json_schema is None:
        bad_request("Missing required parameter: 'response_format.json_schema'.")
    schema = schema_from(bytes(wanted.json_schema.schema))
    if wanted.json_schema.strict:
        check_closed(schema, all_required=True)
    return schema, ""
