"""Body: the bytes of a provider's answer, decompressed, and never more than a machine can bear."""

import re
import zlib
from itertools import islice

import aiohttp

from supportagentbench.models.dialect import UnreadableAnswer

ENCODINGS = "gzip"
"""What a provider may send a body in."""

MOST_PARTS = 16
"""Compressed parts that a body may consist of."""

LONGEST_BODY = 8 * 1024 * 1024
"""Bytes of an answer after decompression; no model writes as much."""

MOST_VALUES = 100_000
"""Values and names in an answer; two bytes of it can be hundreds when they are decoded."""

_VALUE = re.compile(rb'"(?:[^"\\]++|\\.)*+"?|[-.\w]++|[\[{]', re.DOTALL)
"""A string, also one that breaks off; a number or a word such as null; a list or an object."""


async def read_body(answer: aiohttp.ClientResponse) -> bytes:
    """The whole body, or UnreadableAnswer if it is too long, holds too much or cannot be decompressed."""
    declared = answer.content_length
    if declared is None:
        data = await _in_chunks(answer)
    elif declared > LONGEST_BODY:
        raise _too_long()
    else:
        data = await answer.read()
    encoding = answer.headers.get("Content-Encoding", "").strip().lower()
    body = data if encoding in ("", "identity") else _decompressed(data, encoding)
    if len(body) > MOST_VALUES and any(islice(_VALUE.finditer(body), MOST_VALUES, None)):
        raise UnreadableAnswer(f"its body has more than {MOST_VALUES:,} values")
    return body


async def _in_chunks(answer: aiohttp.ClientResponse) -> bytes:
    chunks, size = list[bytes](), 0
    async for chunk in answer.content.iter_any():
        size += len(chunk)
        if size > LONGEST_BODY:
            answer.close()
            raise _too_long()
        chunks.append(chunk)
    return b"".join(chunks)


def _decompressed(data: bytes, encoding: str) -> bytes:
    """What a gzip body holds; never more than the longest body is in memory."""
    if encoding not in ("gzip", "x-gzip"):
        raise UnreadableAnswer(f"its body is encoded as {encoding[:40]!r}, which was not asked for")
    found = b""
    try:
        for _ in range(MOST_PARTS):
            part = zlib.decompressobj(zlib.MAX_WBITS | 16)
            found += part.decompress(data, LONGEST_BODY + 1 - len(found))
            if len(found) > LONGEST_BODY:
                raise _too_long()
            if not part.eof:
                raise UnreadableAnswer("its compressed body breaks off")
            data = part.unused_data
            if not data:
                return found
    except zlib.error as error:
        raise UnreadableAnswer(f"its body cannot be decompressed: {error}") from None
    raise UnreadableAnswer(f"its body has more than {MOST_PARTS} compressed parts")


def _too_long() -> UnreadableAnswer:
    return UnreadableAnswer(f"its body is longer than {LONGEST_BODY // 1024**2} MB")
