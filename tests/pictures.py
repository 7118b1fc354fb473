"""Pictures for tests: the smallest whole PNG of a given size."""

import struct
import zlib


def png(width: int, height: int) -> bytes:
    """A black picture as a file."""
    pixels = zlib.compress(bytes(height * (1 + 3 * width)))
    parts = {b"IHDR": struct.pack(">IIBBBBB", width, height, 8, 2, 0, 0, 0), b"IDAT": pixels, b"IEND": b""}
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        for kind, content in parts.items()
    )
