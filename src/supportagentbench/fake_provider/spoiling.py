"""Spoiling: what the worst providers do to the bytes of a reply that was fine."""

import gzip
from collections.abc import Callable
from functools import cache
from typing import Any

import msgspec

ERROR = b'{"error":{"message":"Provider returned error","code":502,"metadata":{"provider_name":"x"}}}'
PAGE = b"<html><body>Sign in to continue to the network.</body></html>"
GZIP = {"Content-Encoding": "gzip"}
HUGE = {"Content-Length": str(40 * 1024**3)}
BLANKS = b" " * 1024**2


@cache
def _bomb() -> bytes:
    return gzip.compress(b" " * (40 * 1024**2))


def _nested(body: bytes) -> bytes:
    return b'{"extra":' + b"[" * 100_000 + b"]" * 100_000 + b"," + body[1:]


def _no_name(body: bytes) -> bytes:
    def spoil(name: str, value: Any) -> Any:
        return None if name == "name" else value

    return _each(body, spoil)


def _odd(body: bytes) -> bytes:
    """Numbers for ids are derived from the ids, so that a client can still send them back."""

    def spoil(name: str, value: Any) -> Any:
        if name.endswith("_tokens") and isinstance(value, int):
            return float(value)
        if name == "cost":
            return str(value)
        return int.from_bytes(value.encode()) % 10**15 if name == "id" else value

    return _each(body, spoil)


def _each(body: bytes, spoil: Callable[[str, Any], Any]) -> bytes:
    """The body with every field of every object replaced."""

    def walk(value: Any) -> Any:
        if isinstance(value, dict):
            return {name: spoil(name, walk(found)) for name, found in value.items()}
        return [walk(one) for one in value] if isinstance(value, list) else value

    return msgspec.json.encode(walk(msgspec.json.decode(body)))


SPOILERS: dict[str, tuple[Callable[[bytes], bytes], dict[str, str]]] = {
    "broken_json": (lambda body: body[: len(body) // 2], {}),
    "error_in_200": (lambda body: ERROR, {}),
    "bad_utf8": (lambda body: body.replace(b":", b':"\xff\xfe",', 1), {}),
    "deep_json": (_nested, {}),
    "gzip_bomb": (lambda body: _bomb(), GZIP),
    "bad_gzip": (lambda body: body, GZIP),
    "huge_length": (lambda body: body, HUGE),
    "html_page": (lambda body: PAGE, {"Content-Type": "text/html"}),
    "null_name": (_no_name, {}),
    "odd_types": (_odd, {}),
    "padded": (lambda body: BLANKS + body, {}),
}
"""By fault: what becomes of the body, and the headers that go with it."""

UNREADABLE = frozenset(SPOILERS) - {"odd_types", "padded"}
"""Faults whose reply no client can have read."""
