"""Service answer: the body that a service sent, as plain data: bounded in size, depth and time."""

from typing import Any

import aiohttp
import msgspec

from supportagentbench.models.body import LONGEST_BODY, read_body
from supportagentbench.models.dialect import UnreadableAnswer

MOST_EVENTS = 20_000
"""Events of one stream."""

DEEPEST = 64
"""Levels of lists and objects within each other."""


async def read_answer(answer: aiohttp.ClientResponse) -> Any:
    """The JSON of an answer; nothing, if its body is empty."""
    body = await read_body(answer)
    return _decoded(body) if body.strip() else None


async def read_events(answer: aiohttp.ClientResponse) -> list[Any]:
    """The JSON of every server-sent event; other data, such as [DONE], is left out."""
    found: list[Any] = []
    size, data = 0, list[bytes]()
    async for line in _lines(answer):
        size += len(line)
        if size > LONGEST_BODY or len(found) > MOST_EVENTS:
            raise UnreadableAnswer("its stream does not end")
        name, _, value = line.partition(b":")
        if name == b"data":
            data.append(value.removeprefix(b" "))
        elif not line and data:
            found += _event(b"\n".join(data))
            data.clear()
    return found + (_event(b"\n".join(data)) if data else [])


async def _lines(answer: aiohttp.ClientResponse) -> Any:
    """The lines of a stream, however it is cut into pieces."""
    rest = b""
    async for piece in answer.content.iter_any():
        *whole, rest = (rest + piece).replace(b"\r\n", b"\n").split(b"\n")
        for line in whole:
            yield line
        if len(rest) > LONGEST_BODY:
            raise UnreadableAnswer("its stream has a line without an end")
    if rest:
        yield rest


def _event(data: bytes) -> list[Any]:
    try:
        return [_decoded(data)]
    except UnreadableAnswer:
        return []


def _decoded(body: bytes) -> Any:
    try:
        found = msgspec.json.decode(body)
    except (msgspec.MsgspecError, UnicodeError, RecursionError) as error:
        raise UnreadableAnswer(f"it is not JSON: {error}") from None
    if body.count(b"[") + body.count(b"{") > DEEPEST and _is_deep(found, DEEPEST):
        raise UnreadableAnswer("it is nested too deeply")
    return found


def _is_deep(value: Any, levels: int) -> bool:
    if not isinstance(value, dict | list):
        return False
    parts = value.values() if isinstance(value, dict) else value
    return not levels or any(_is_deep(part, levels - 1) for part in parts)
