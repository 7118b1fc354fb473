"""Dialect: the request and response format of one kind of API. Bytes in, bytes out, no I/O."""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, ClassVar, NamedTuple, Protocol, TypeVar

import msgspec

from supportagentbench.models import Completion, Message, ModelRequest
from supportagentbench.models.spec import ModelSpec
from supportagentbench.records.record import readable
from supportagentbench.records.tool_spec import ToolSpec
from supportagentbench.records.transcript import Cause

Kind = TypeVar("Kind")

CACHE_BYTES = 4_000_000
"""Bytes of encoded messages that are cached per dialect."""

LONGEST_ARGUMENTS = 100_000
"""Characters of one tool call's arguments; longer ones are cut off, and are then no arguments any more."""

LONGEST_NAME = 200
"""Characters of a model's or a tool call's name that are kept."""

DEEPEST = 64
"""Levels of lists and objects within each other; what is deeper cannot be written down safely."""

LONGEST_ERROR = 300
"""Characters of a provider's error message that are kept."""

THOUGHT = re.compile(r"\s*<(think|thinking|reasoning)>(.*?)</\1>\s*", re.DOTALL)
"""A block of reasoning that a server left at the start of the reply."""

_OVERFLOW = re.compile(
    r"(?i)context[_ ]length|context window|maximum context|prompt is too long|too many (?:input )?tokens"
    r"|exceeds? the (?:available )?context|input length"
)
_FILTERED = re.compile(
    r"(?i)content[_ -](?:filter|policy|management|moderation|safety)|content exists risk|responsible ?ai"
    r"|prohibited[_ ]content|inappropriate content|data[_ ]inspection"
    r"|safety (?:system|filter|polic|setting)|usage polic"
    r"|moderation[_ ](?:blocked|error|failed)|requires moderation"
    r"|\b(?:input|prompt|output|response|request|content|message)s? (?:was|were|is|are|has been|have been) "
    r"(?:flagged|filtered)"
)
"""What providers say of words that a filter stops; of a key or an account, they say other things."""

_SPENT = re.compile(r"(?i)insufficient[_ ](?:quota|balance|credit)|billing|credit balance|payment required")
_FINAL = re.compile(
    r"(?i)api[_ -]?key|auth|permission|forbidden|blocked|suspended|banned|not[_ ]found|does not exist|invalid"
    r"|flagged|moderation"
)
_SECRET = re.compile(r"\b(?:sk|xai|gsk|AIza|key|pk|tgp)[-_][\w*.-]{6,}|\bAIza[\w*-]{10,}|Bearer\s+\S+")


class UnreadableAnswer(Exception):
    """The answer is not in the dialect's format."""


class ErrorInAnswer(Exception):
    """An error that came as an answer, with status 200."""

    def __init__(self, error: "ProviderError") -> None:
        super().__init__(error.message)
        self.error = error


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

    def most_tokens(self, settings: ModelSpec) -> int | None:
        """Tokens of output that a request limits the answer to; None: to none."""
        ...

    def read(self, data: bytes) -> Completion:
        """The completion in an answer; raises UnreadableAnswer or ErrorInAnswer."""
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

    def __init__(self, encode: Callable[[Message], dict[str, Any] | list[dict[str, Any]]]) -> None:
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
    return _error_of(status, _message(data))


def _error_of(status: int, words: str) -> ProviderError:
    message = f"{status}: {scrubbed(words)}"
    if status in (400, 413, 422) and _OVERFLOW.search(message):
        return ProviderError("context_overflow", message, again=False)
    if status in (400, 403, 422, 451) and _FILTERED.search(words):
        return ProviderError("refusal", message, again=False)
    if status == 429:
        spent = bool(_SPENT.search(message))
        return ProviderError("provider_error", message, again=not spent, slower=not spent)
    again = status in (408, 409, 425) or status >= 500
    return ProviderError("provider_error", message, again=again, slower=status in (503, 529))


def scrubbed(text: str) -> str:
    """A provider's words without anything that looks like a key, cut to a length."""
    return without_keys(readable(text))[:LONGEST_ERROR]


def without_keys(text: str) -> str:
    """The text without anything that looks like a key."""
    return _SECRET.sub("[key]", text)


def decoded(data: bytes, decoder: "msgspec.json.Decoder[Kind]") -> Kind:
    """An answer with status 200 in the dialect's shape, for any bytes."""
    try:
        found = decoder.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        refuse_error(_error_in(data))
        raise UnreadableAnswer(str(error)) from None
    brackets = data.count(b"[") + data.count(b"{")
    if brackets > DEEPEST and _is_deep(msgspec.to_builtins(found)):
        raise UnreadableAnswer("it is nested too deeply")
    return found


def _error_in(data: bytes) -> object:
    """The error that a body holds, if it does."""
    try:
        return msgspec.json.decode(data, type=dict[str, Any]).get("error")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return None


def refuse_error(error: object) -> None:
    """Raise what an error in an answer with status 200 means; a code such as 502 counts as the status."""
    if not error:
        return
    code = error.get("code") if isinstance(error, dict) else None
    if isinstance(code, int) and 400 <= code < 600:
        raise ErrorInAnswer(_error_of(code, _message_of(error)))
    words = _message_of(error)
    message = scrubbed(words)
    if _FILTERED.search(words):
        raise ErrorInAnswer(ProviderError("refusal", f"200 with an error: {message}", again=False))
    again = not (_FINAL.search(message) or _SPENT.search(message))
    raise ErrorInAnswer(ProviderError("provider_error", f"200 with an error: {message}", again=again))


def _message(data: bytes) -> str:
    """The message in an error's body, wherever this provider puts it."""
    try:
        found = msgspec.json.decode(data)
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return " ".join(data[: 8 * LONGEST_ERROR].decode("utf-8", "replace").split())
    if isinstance(found, list) and found:
        found = found[0]
    return _message_of(found.get("error", found) if isinstance(found, dict) else found)


def _message_of(error: object) -> str:
    if not isinstance(error, dict):
        return _short(error)
    kind = error.get("code") or error.get("type") or error.get("status") or ""
    return _short(error.get("message", error)) + (f" ({_short(kind)})" if kind else "")


def _short(words: object) -> str:
    """Anything that JSON holds, in few words."""
    if isinstance(words, list | dict) and _is_deep(words):
        return "an error that is nested too deeply"
    return str(words)[: 8 * LONGEST_ERROR]


def _is_deep(value: object, levels: int = DEEPEST) -> bool:
    """Whether lists and objects are within each other at more levels than this number."""
    if isinstance(value, dict):
        value = list(value.values())
    if not isinstance(value, list | tuple):
        return False
    return not levels or any(
        _is_deep(one, levels - 1) for one in value if isinstance(one, dict | list | tuple)
    )


def as_arguments(text: str) -> dict[str, Any] | str:
    """Arguments as an object, or the text itself if it is not a JSON object that can be used."""
    if len(text) > LONGEST_ARGUMENTS:
        return text[:LONGEST_ARGUMENTS] + " […cut]"
    try:
        found = msgspec.json.decode(text or "{}")
    except (msgspec.MsgspecError, UnicodeError, RecursionError):
        return text
    return found if isinstance(found, dict) and not _is_deep(found) else text


def given_arguments(found: object) -> dict[str, Any] | str:
    """Arguments that a provider sent as text, as an object or not at all; anything else is an error."""
    if found is None or isinstance(found, str):
        return as_arguments(found or "")
    if not isinstance(found, dict):
        raise UnreadableAnswer(f"a tool call has a {type(found).__name__} for arguments")
    encoded = msgspec.json.encode(found)
    return found if len(encoded) <= LONGEST_ARGUMENTS else as_arguments(encoded.decode())


def call_id(found: object, number: int) -> str:
    """The id of a tool call; a number is one too."""
    if isinstance(found, str | int) and found != "":
        return str(found)[:LONGEST_NAME]
    return f"call_{number}"


def model_name(found: object) -> str:
    """The model that answered, if the answer says so."""
    return found[:LONGEST_NAME] if isinstance(found, str) else ""


def without_thought(text: str) -> tuple[str, str]:
    """The reply, and the reasoning at its start."""
    found = THOUGHT.match(text)
    return (text[found.end() :], found[2].strip()) if found else (text, "")
