"""PNG: the only kind of picture that pages accept from others, read chunk by chunk.

SVG is refused: it may contain scripts, which run when the file is opened directly.
"""

import struct
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

from supportagentbench.records.problem import Problem
from supportagentbench.storage.file import read_bounded

LARGEST, LONGEST_SIDE = 200_000, 1024
"""The most bytes and pixels of a picture from others."""

HEADER_SIZE = 13
"""Bytes of the chunk IHDR: width, height and five more."""

_SIGNATURE = b"\x89PNG\r\n\x1a\n"


class Chunk(NamedTuple):
    """One chunk of the file."""

    kind: bytes
    content: bytes


def read_png(path: Path) -> bytes:
    """The bytes of a picture, if it is a small, complete PNG with nothing else in it; otherwise a Problem."""
    data = read_bounded(path, LARGEST)
    width, height = size_of(data, path)
    if not (0 < width <= LONGEST_SIDE and 0 < height <= LONGEST_SIDE):
        raise Problem(f"has {width} × {height} pixels; a side may have {LONGEST_SIDE}.", place=path)
    return data


def size_of(data: bytes, path: Path) -> tuple[int, int]:
    """The width and the height of a complete PNG with nothing else in it; otherwise a Problem."""
    if not data.startswith(_SIGNATURE):
        raise Problem("is not a PNG; convert it (SVG is refused because it may contain scripts).", place=path)
    chunks = list(_chunks(data))
    is_whole = chunks and chunks[0].kind == b"IHDR" and chunks[-1] == Chunk(b"IEND", b"")
    if not is_whole or len(chunks[0].content) != HEADER_SIZE:
        raise Problem("is a damaged PNG, or has something after its end; export it again.", place=path)
    width, height = struct.unpack(">II", chunks[0].content[:8])
    return width, height


def _chunks(data: bytes) -> Iterator[Chunk]:
    """The complete chunks of the file; the last is `IEND` only if nothing follows it."""
    at = len(_SIGNATURE)
    while at + 12 <= len(data):
        size, kind = struct.unpack_from(">I4s", data, at)
        content = data[at + 8 : at + 8 + size]
        sums = data[at + 8 + size : at + 12 + size]
        if sums != struct.pack(">I", zlib.crc32(kind + content)):
            return
        at += 12 + size
        if kind == b"IEND" and at != len(data):
            return
        yield Chunk(kind, content)
