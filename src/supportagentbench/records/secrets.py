"""Secrets: the keys and passwords that this process uses, known by value, and kept out of what it writes.

A key is known as soon as it is read. Every output passes here when it is written: files, pages, the terminal.
It looks for the value itself, encoded for a URL, in base64 and escaped in JSON. An agent that wants to leak a
key can encode it in other ways: this stops accidents, not agents.
"""

import json
import sys
from base64 import b64encode, urlsafe_b64encode
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from types import UnionType
from typing import Any, Literal, TextIO, TypeVar, Union, cast, get_args, get_origin
from urllib.parse import quote, quote_plus

import msgspec

Kind = TypeVar("Kind")

SHORTEST = 8
"""Characters; anything shorter is in ordinary text by chance."""

MARK = "[key]"
"""The replacement for a secret."""

_forms: list[str] = []
"""Every form of every secret, the longest first."""
_encoded: list[bytes] = []
"""The same as they are in plain text and in JSON."""


def keep_secret(value: str) -> None:
    """From now on no output of this process contains this value."""
    if len(value) < SHORTEST or value in _forms:
        return
    found = {*_forms, *_forms_of(value)}
    _forms[:] = sorted(found, key=lambda form: (-len(form), form))
    _encoded[:] = sorted({written.encode() for form in _forms for written in (form, _in_json(form))})


def forget_secrets() -> None:
    """Forget all of them; for tests, which share a process."""
    _forms.clear()
    _encoded.clear()


def without_secrets(text: str) -> str:
    """The text with a mark in place of every secret."""
    for form in _forms:
        if form in text:
            text = text.replace(form, MARK)
    return text


def holds_secret(data: bytes) -> bool:
    """Whether there is a secret in this text or JSON."""
    for form in _encoded:  # noqa: SIM110 - a generator costs as much as what it looks for.
        if form in data:
            return True
    return False


def scrubbed_record(record: Kind) -> Kind:
    """The record with a mark in place of every secret in its texts."""
    if not _forms or not holds_secret(msgspec.json.encode(record)):
        return record
    found: Kind = _scrubbed(record)
    return found


def sealed_json(record: Any, encode: Callable[[Any], bytes]) -> bytes:
    """The record in JSON, without secrets; `encode` writes it."""
    data = encode(record)
    return encode(_scrubbed(record)) if _forms and holds_secret(data) else data


def sealed_text(data: bytes) -> bytes:
    """A text in UTF-8 without secrets."""
    return without_secrets(data.decode("utf-8", "replace")).encode() if holds_secret(data) else data


class SealedStream:
    """A stream of text, such as standard error, without secrets."""

    def __init__(self, stream: TextIO) -> None:
        self._stream = stream

    def write(self, text: str) -> int:
        return self._stream.write(without_secrets(text))

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def sealed_output() -> Iterator[None]:
    """Keep secrets out of everything printed in the meantime."""
    before = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = (cast(TextIO, SealedStream(stream)) for stream in before)
    try:
        yield
    finally:
        sys.stdout, sys.stderr = before


def _forms_of(value: str) -> Iterator[str]:
    """The forms of the value in a text."""
    for encode in (str, quote, quote_plus, _quoted_wholly):
        form = encode(value)
        yield form
        yield _with_small_digits(form)
    yield json.dumps(value)[1:-1]
    yield _in_json(value)
    yield _in_json(_in_json(value))  # JSON in a text in JSON, as in the arguments of a tool.
    data = value.encode("utf-8", "surrogatepass")
    for shift in range(3):  # Where it begins in a longer text decides on the letters.
        first, last = -(-8 * shift // 6), 8 * (shift + len(data)) // 6
        for code in (b64encode, urlsafe_b64encode):
            yield code(b"\0" * shift + data).decode()[first:last]


def _quoted_wholly(value: str) -> str:
    return quote(value, safe="")


def _with_small_digits(quoted: str) -> str:
    """`%2F` as `%2f`."""
    head, *parts = quoted.split("%")
    return head + "".join(f"%{part[:2].lower()}{part[2:]}" for part in parts)


def _in_json(text: str) -> str:
    """The text as it is between the quotation marks of JSON."""
    return msgspec.json.encode(text.encode("utf-8", "replace").decode()).decode()[1:-1]


def _scrubbed(content: Any) -> Any:
    if isinstance(content, str):
        return without_secrets(content)
    if isinstance(content, msgspec.Struct):
        names = _free_fields(type(content))
        return msgspec.structs.replace(content, **{one: _scrubbed(getattr(content, one)) for one in names})
    if isinstance(content, msgspec.Raw) and bytes(content):
        return msgspec.Raw(msgspec.json.encode(_scrubbed(msgspec.json.decode(content))))
    if isinstance(content, dict):
        return {_scrubbed(key): _scrubbed(value) for key, value in content.items()}
    if isinstance(content, list):
        return [*map(_scrubbed, content)]
    if isinstance(content, tuple):
        return (*map(_scrubbed, content),)
    return content


@cache
def _free_fields(kind: type[msgspec.Struct]) -> tuple[str, ...]:
    """The fields that may hold any text: not those whose words are fixed, which a key may happen to be."""
    return tuple(field.name for field in msgspec.structs.fields(kind) if not _is_fixed(field.type))


def _is_fixed(kind: Any) -> bool:
    if get_origin(kind) in (Union, UnionType):
        return all(_is_fixed(one) for one in get_args(kind))
    return get_origin(kind) is Literal or kind is type(None)
