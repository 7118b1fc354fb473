"""Clerk: decides what the fake model says."""

import re
from collections.abc import Callable, Iterable
from typing import Any, Literal, Protocol
from zlib import crc32

import msgspec

from supportagentbench.fake_provider.counts import Tokens
from supportagentbench.records.record import Record

Stop = Literal["end", "calls", "length", "refusal", "filtered"]


class DialogueLine(Record):
    """One message of the dialogue so far, whichever dialect it came in."""

    role: Literal["user", "assistant", "tool"]
    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Tools an assistant called, each with its arguments as JSON text."""


class ReceivedRequest(Record):
    """A request in a form that is the same for all dialects."""

    model: str
    key: str
    system: str
    messages: tuple[DialogueLine, ...]
    tools: tuple[str, ...] = ()
    schema: dict[str, Any] | None = None
    """The schema for the answer, or for the arguments of the tool it must call."""
    must_call: str = ""
    reasons: bool = False
    """The client asked for reasoning."""
    encrypts: bool = False
    """The client asked for reasoning in an encrypted form that it can send back."""
    streams: bool = False
    """The client wants the reply as server-sent events."""
    prompt: Tokens = Tokens()
    """Size of the prompt, and how much of it is cached."""

    @property
    def last(self) -> DialogueLine:
        """The message to answer; if there is none, the system prompt."""
        return self.messages[-1] if self.messages else DialogueLine("user", self.system)


class ModelReply(Record):
    """What the model says to one request."""

    text: str = ""
    calls: tuple[tuple[str, str], ...] = ()
    """Tools to call, each with its arguments as JSON text."""
    reasoning: str = ""
    stop: Stop | None = None
    """None: `calls` if it calls any tool, otherwise `end`."""
    usage: Tokens | None = None
    """None: counted from the sizes."""


class RawReply(Record):
    """A reply sent byte for byte."""

    body: bytes
    status: int = 200
    headers: dict[str, str] = {}


class Responder(Protocol):
    """Anything that can answer a request."""

    def answer(self, request: ReceivedRequest) -> ModelReply | RawReply:
        """The reply; the same for the same request, unless stated otherwise."""
        ...


SCRIPT_OVER = b'{"type":"error","error":{"type":"invalid_request_error","message":"The script is over."}}'


class Script:
    """Gives the listed replies in order; when none is left, the client gets a 400."""

    def __init__(self, lines: Iterable[ModelReply | RawReply | str]) -> None:
        self._lines = iter(lines)

    def answer(self, request: ReceivedRequest) -> ModelReply | RawReply:
        line = next(self._lines, None)
        if line is None:
            return RawReply(SCRIPT_OVER, 400)
        return ModelReply(line) if isinstance(line, str) else line


class Clerk:
    """Plays every role a little: looks up orders, talks, and ends conversations in different ways.

    Its replies depend on the request alone, so a conversation is the same in every run, whatever else runs at
    the same time.
    """

    def __init__(self, *, reasons: bool = False) -> None:
        self.reasons = reasons
        """Include reasoning even if the client did not ask for it."""

    def answer(self, request: ReceivedRequest) -> ModelReply:
        said = self._say(request)
        if self.reasons or request.reasons:
            return msgspec.structs.replace(said, reasoning=_thought(request, said))
        return said

    def _say(self, request: ReceivedRequest) -> ModelReply:
        if request.schema is not None:
            made = msgspec.json.encode(instance_of(request.schema, _hash(request.last.text))).decode()
            return ModelReply(calls=((request.must_call, made),)) if request.must_call else ModelReply(made)
        if not request.tools:
            return ModelReply(_pick(SMALL_TALK, _hash(request.last.text)))
        if request.last.role == "tool":
            return self._after_tools(request)
        return self._to_customer(request)

    def _to_customer(self, request: ReceivedRequest) -> ModelReply:
        """The customer wrote: look up the order, end the conversation, act on a yes, or just reply."""
        words = [line.text for line in request.messages if line.role == "user"] or [""]
        called = {name for line in request.messages for name, _ in line.calls}
        temper = _hash(words[0])
        order = next((found[0] for text in words if (found := ORDER.search(text))), "")
        if not order:
            return ModelReply("I'm happy to help. Could you tell me your order number, please?")
        if "find_order" not in called:
            reads = (_call("read_policy", section=""),) if temper % 3 == 0 else ()
            return _calling(request, (_call("find_order", order=order), *reads))
        if len(words) >= 3 + temper % 2 and temper % 5 == 0:
            return _calling(request, (_call("hand_over", reason="The customer needs a colleague."),))
        if len(words) >= 3 and temper % 5 == 1:
            return _calling(request, (_call("close_ticket", summary="Answered."),))
        if temper % 5 == 2 and YES.search(words[-1]) and "replace_item" not in called:
            act = _call("replace_item", order=order, line=1, reason="other")
            return _calling(request, (act,))
        return ModelReply(_pick(LATER, temper + len(words)))

    def _after_tools(self, request: ReceivedRequest) -> ModelReply:
        """Tools answered: track the parcel, or tell the customer what was found."""
        since = _since_customer(request.messages)
        last = [name for line in since for name, _ in line.calls]
        for name, words in AFTER.items():
            if name in last:
                return ModelReply(words)
        results = "\n".join(line.text for line in since if line.role == "tool")
        tracking = TRACKING.search(results)
        if tracking and "track_parcel" not in last:
            return _calling(request, (_call("track_parcel", tracking=tracking[1]),))
        status, placed = STATUS.search(results), PLACED.search(results)
        facts = f"Thank you for writing to us. Your order is {status[1] if status else 'on file'}"
        facts += f" and was placed on {placed[1]}." if placed else "."
        if tracking:
            facts += f" The parcel's tracking number is {tracking[1]}."
        return ModelReply(f"{facts} Would you like me to send a replacement, or is there anything else?")


ORDER = re.compile(r"#\d{4}\b")
TRACKING = re.compile(r'"tracking":"([^"]+)"')
STATUS = re.compile(r'"status":"([^"]+)"')
PLACED = re.compile(r'"placed":"([^"]+)"')
YES = re.compile(r"\b(yes|please|go ahead|sure|ok(ay)?)\b", re.IGNORECASE)

AFTER = {
    "hand_over": "I've passed this to a colleague, who will write to you soon.",
    "close_ticket": "I'm glad that is settled. Have a good day!",
    "replace_item": "Done: a replacement is on its way to you. Is there anything else?",
}
SMALL_TALK = (
    "Thanks, but that doesn't help me yet.",
    "All right. And what happens next?",
    "Yes, please go ahead.",
    "Could you look at that once more, please?",
)
LATER = (
    "I understand. I've checked again, and what I told you still holds. Shall I do anything else?",
    "I'm sorry for the trouble. Could you send a photo of it, please?",
    "Thank you. There is nothing more you need to do. Would you like me to go ahead?",
)


def _hash(text: str) -> int:
    return crc32(text.encode())


def _pick(from_these: tuple[str, ...], number: int) -> str:
    return from_these[number % len(from_these)]


def _call(tool: str, **arguments: str | int) -> tuple[str, str]:
    return tool, msgspec.json.encode(arguments).decode()


def _calling(request: ReceivedRequest, calls: tuple[tuple[str, str], ...]) -> ModelReply:
    """Those of these calls whose tools are on offer."""
    kept = tuple(call for call in calls if call[0] in request.tools)
    return ModelReply(calls=kept) if kept else ModelReply(_pick(LATER, len(request.messages)))


def _since_customer(messages: tuple[DialogueLine, ...]) -> tuple[DialogueLine, ...]:
    """Everything after the customer's last message."""
    last = max((at for at, line in enumerate(messages) if line.role == "user"), default=-1)
    return messages[last + 1 :]


def _thought(request: ReceivedRequest, said: ModelReply) -> str:
    plan = " and ".join(name for name, _ in said.calls) or "an answer in words"
    return f"There are {len(request.messages)} messages so far; next comes {plan}."


def instance_of(schema: dict[str, Any], number: int) -> Any:
    """A small value that follows a JSON Schema; where there is a choice, the number makes it."""
    return _instance(schema, schema, number)


def _instance(schema: dict[str, Any], root: dict[str, Any], number: int) -> Any:
    if "$ref" in schema:
        found: Any = root
        for step in schema["$ref"].removeprefix("#").strip("/").split("/"):
            found = found[step]
        return _instance(found, root, number)
    if "const" in schema:
        return schema["const"]
    if "enum" in schema:
        return schema["enum"][number % len(schema["enum"])]
    for choice in ("anyOf", "oneOf"):
        if choice in schema:
            return _instance(schema[choice][number % len(schema[choice])], root, number)
    kind = schema.get("type", "object")
    if isinstance(kind, list):
        kind = kind[number % len(kind)]
    return MAKERS[kind](schema, root, number)


def _object(schema: dict[str, Any], root: dict[str, Any], number: int) -> dict[str, Any]:
    fields = schema.get("properties", {})
    return {
        name: _instance(fields.get(name, {"type": "null"}), root, crc32(name.encode(), number))
        for name in schema.get("required", ())
    }


def _array(schema: dict[str, Any], root: dict[str, Any], number: int) -> list[Any]:
    item = schema.get("items", {"type": "null"})
    return [_instance(item, root, number + at) for at in range(schema.get("minItems", 0))]


def _number(schema: dict[str, Any], root: dict[str, Any], number: int) -> int | float:
    least: int | float = schema.get("minimum", schema.get("exclusiveMinimum", -1) + 1)
    most: int | float = schema.get("maximum", least)
    return min(least, most)


def _string(schema: dict[str, Any], root: dict[str, Any], number: int) -> str:
    words = _pick(SMALL_TALK, number)[: schema.get("maxLength")]
    return words.ljust(schema.get("minLength", 0), ".")


MAKERS: dict[str, Callable[[dict[str, Any], dict[str, Any], int], Any]] = {
    "object": _object,
    "array": _array,
    "string": _string,
    "integer": _number,
    "number": _number,
    "boolean": lambda schema, root, number: number % 2 == 0,
    "null": lambda schema, root, number: None,
}
