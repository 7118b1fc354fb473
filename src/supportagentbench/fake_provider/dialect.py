"""Dialect: how one provider's requests are read and its replies written; here is what the dialects share."""

import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any, NoReturn, Protocol

import msgspec
from msgspec.structs import replace

from supportagentbench.fake_provider.clerk import ModelReply, ReceivedRequest
from supportagentbench.fake_provider.counts import Tokens

NAME = re.compile(r"[a-zA-Z0-9_-]{1,64}")
SMALL_CONTEXT = 100
"""Context size of the model `small-context`, in tokens."""


class RequestRefused(Exception):
    """The provider refuses a request: status, and the error as the dialect names it."""

    def __init__(self, status: int, kind: str, message: str, code: str | None = None) -> None:
        super().__init__(message)
        self.status = status
        self.kind = kind
        self.message = message
        self.code = code


class FakeDialect(Protocol):
    """One provider's request and reply format."""

    def read(self, headers: Mapping[str, str], body: bytes) -> ReceivedRequest:
        """The request; raises RequestRefused for what the real provider would refuse."""
        ...

    def refuse_model(self, seen: ReceivedRequest, context: int) -> None:
        """Raise RequestRefused for certain model names and for prompts that are too long."""
        ...

    def write(
        self, seen: ReceivedRequest, said: ModelReply, tokens: Tokens, number: int, cost: float | None
    ) -> bytes:
        """The reply; its ids are derived from the number."""
        ...

    def error(self, refused: RequestRefused) -> bytes:
        """The body of an error."""
        ...


def bad_request(message: str, code: str | None = None) -> NoReturn:
    """Refuse an invalid request."""
    raise RequestRefused(400, "invalid_request_error", message, code)


def check_json(headers: Mapping[str, str]) -> None:
    """Refuse a body that is not declared as JSON."""
    if not headers.get("Content-Type", "").startswith("application/json"):
        bad_request("The Content-Type header has to be application/json.")


def masked(key: str) -> str:
    """A key as providers quote it in their errors: masked, but not enough."""
    return f"{key[:8]}{'*' * max(0, len(key) - 12)}{key[-4:]}"


def is_bad(key: str) -> bool:
    """Whether this key was never issued: those that begin with `bad`, with or without `sk-`."""
    return key.removeprefix("sk-").startswith("bad")


def prompt_tokens(head: int, sizes: Sequence[int], last_reply: int, *, reads: bool, writes: bool) -> Tokens:
    """The prompt's tokens, from the characters of its head and of each message.

    What precedes the model's last reply was sent before, so it can come from a cache. This depends on the
    request alone, not on the order of arrival.
    """
    whole = (head + sum(sizes)) // 4
    known = (head + sum(sizes[:last_reply])) // 4 if reads and last_reply >= 0 else 0
    fresh = (head + sum(sizes[:-1])) // 4 - known if writes else 0
    return Tokens(whole - known - fresh, known, fresh)


def reply_tokens(seen: ReceivedRequest, said: ModelReply) -> Tokens:
    """All tokens of a request and its reply, unless the reply has its own count."""
    if said.usage is not None:
        return said.usage
    words = len(said.text) + sum(len(name) + len(arguments) for name, arguments in said.calls)
    thought = -(-len(said.reasoning) // 4)
    return replace(seen.prompt, output=thought + -(-words // 4), reasoning=thought)


@lru_cache(64)
def schema_from(raw: bytes) -> dict[str, Any]:
    """A JSON Schema; the same object for the same bytes, so it must not be changed."""
    found: dict[str, Any] = msgspec.json.decode(raw, type=dict[str, Any])
    return found


def check_tool(name: str, schema: Mapping[str, Any]) -> None:
    """Refuse a tool that no provider would accept."""
    if not NAME.fullmatch(name):
        bad_request(f"Invalid tool name {name!r}: it has to match '^[a-zA-Z0-9_-]{{1,64}}$'.")
    if schema.get("type") != "object":
        bad_request(f"Invalid schema for tool {name!r}: schema must be of type 'object'.")


def check_closed(schema: object, *, all_required: bool, where: str = "") -> None:
    """Refuse an object in a schema that allows additional or, with `all_required`, missing fields."""
    if isinstance(schema, list):
        for at, part in enumerate(schema):
            check_closed(part, all_required=all_required, where=f"{where}/{at}")
    if not isinstance(schema, dict):
        return
    if schema.get("type") == "object":
        if schema.get("additionalProperties") is not False:
            bad_request(f"Invalid schema at '{where}': 'additionalProperties' is required to be false.")
        missing = set(schema.get("properties", ())) - set(schema.get("required", ()))
        if all_required and missing:
            bad_request(f"Invalid schema at '{where}': 'required' has to name {', '.join(sorted(missing))}.")
    for name, part in schema.items():
        check_closed(part, all_required=all_required, where=f"{where}/{name}")
