"""Dialect: the request and response format of one kind of API. Bytes in, bytes out, no I/O."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol

import msgspec

from supportagentbench.models import Completion, Message, ModelRequest
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.record import readable
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Cause

CACHE_BYTES = 4_000_000
"""Bytes of encoded messages that are cached per dialect."""

LONGEST_ERROR = 300
"""Characters of a provider's error message that are kept."""

THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>(.*?)</\1>\s*", re.DOTALL)
"""A block of reasoning that a server left at the start of the reply."""

_OVERFLOW = re.compile(
    r"(?i)context[_ ]length|context window|maximum context|prompt is too long|too many (?:input )?tokens"
    r"|exceeds? the (?:available )?context|input length"
)
_FILTERED = re.compile(r"(?i)content[_ ](?:filter|policy)|safety (?:system|filter)|flagged")
_SPENT = re.compile(r"(?i)insufficient[_ ](?:quota|balance|credit)|billing|credit balance|payment required")
_SECRET = re.compile(r"\b(?:sk|xai|gsk|AIza|key|pk|tgp)[-_][\w*.-]{6,}|\bAIza[\w*-]{10,}|Bearer\s+\S+")


class UnreadableAnswer(Exception):
    """The answer is not in the dialect's format."""


class ProviderError(NamedTuple):
    """A provider did not answer: why, in its own words."""

    cause: Cause
    message: str
    again: bool
    """Whether the same request may succeed later."""
    slower: bool = False
    """Whether the provider asks for fewer requests."""


class Dialect(Protocol):
    """One kind of API."""

    path: ClassVar[str]

    def headers(self, key: str) -> dict[str, str]:
        """Headers of every request."""
        ...

    def body(self, model: str, request: ModelRequest, settings: ModelSpec) -> bytes:
        """The request in this API's format."""
        ...

    def read(self, data: bytes) -> Completion:
        """The completion in an answer; raises UnreadableAnswer."""
        ...


class EncodedTools:
    """Tools in one dialect's format, encoded once for all requests with the same tools."""

    def __init__(self, encode: Callable[[ToolSpec], dict[str, Any]]) -> None:
        self._encode = encode
        self._tools: tuple[ToolSpec, ...] = ()
        self._encoded = msgspec.Raw(b"[]")

    def __call__(self, tools: tuple[ToolSpec, ...]) -> msgspec.Raw:
        if tools != self._tools:
            self._encoded = msgspec.Raw(msgspec.json.encode([self._encode(tool) for tool in tools]))
            self._tools = tools
        return self._encoded


class EncodedMessages:
    """Messages in one dialect's format: requests repeat the whole dialogue, each message is encoded once."""

    def __init__(self, encode: Callable[[Message], dict[str, Any]]) -> None:
        self._encode = encode
        self._kept: dict[int, tuple[Message, msgspec.Raw]] = {}
        """By identity; the message is kept too, so that its id is not reused."""
        self._size = 0

    def __call__(self, message: Message) -> msgspec.Raw:
        kept = self._kept.get(id(message))
        if kept is None:
            encoded = msgspec.json.encode(self._encode(message))
            if self._size + len(encoded) > CACHE_BYTES:
                self._kept.clear()
                self._size = 0
            kept = self._kept[id(message)] = message, msgspec.Raw(encoded)
            self._size += len(encoded)
        return kept[1]


@lru_cache(8)
def in_json(text: str) -> msgspec.Raw:
    """A long text that is part of every request, such as a policy, encoded as JSON once."""
    return msgspec.Raw(msgspec.json.encode(text))


def error_from(status: int, data: bytes) -> ProviderError:
    """What a response with this status means."""
    message = f"{status}: {scrubbed(_message(data))}"
    if status in (400, 413, 422) and _OVERFLOW.search(message):
        return ProviderError("context_overflow", message, again=False)
    if status in (400, 403, 422) and _FILTERED.search(message):
        return ProviderError("refusal", message, again=False)
    if status == 429:
        spent = bool(_SPENT.search(message))
        return ProviderError("provider_error", message, again=not spent, slower=not spent)
    again = status in (408, 409, 425) or status >= 500
    return ProviderError("provider_error", message, again=again, slower=status in (503, 529))


def scrubbed(text: str) -> str:
    """The text without anything that looks like a key."""
    return _SECRET.sub("[key]", readable(text))[:LONGEST_ERROR]


def _message(data: bytes) -> str:
    """The message in an error's body, wherever this provider puts it."""
    try:
        found = msgspec.json.decode(data)
    except msgspec.DecodeError:
        return " ".join(data.decode("utf-8", "replace").split())
    if isinstance(found, list) and found:
        found = found[0]
    error = found.get("error", found) if isinstance(found, dict) else found
    if not isinstance(error, dict):
        return str(error)
    kind = error.get("code") or error.get("type") or error.get("status") or ""
    return f"{error.get('message', error)}" + (f" ({kind})" if kind else "")


def as_arguments(text: str) -> dict[str, Any] | str:
    """Arguments as an object, or the text itself if it is not a JSON object."""
    try:
        found = msgspec.json.decode(text or "{}")
    except (msgspec.DecodeError, RecursionError):
        return text
    return found if isinstance(found, dict) else text


def without_thought(text: str) -> tuple[str, str]:
    """The reply, and the reasoning at its start."""
    found = THOUGHT.match(text)
    return (text[found.end() :], found[2].strip()) if found else (text, "")
