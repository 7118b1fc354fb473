"""Pictures: a PNG of others is small, whole and nothing else; one of ours can be compared pixel by pixel."""

import zlib
from pathlib import Path

import numpy as np
import pytest

from supportagentbench.records.problem import Problem
from supportagentbench.site.png import Chunk, _chunks, _written, read_png, same_picture, write_png

SQUARE = write_png(np.full((4, 4, 3), 200, np.uint8))


def test_a_small_png_is_taken_as_it_is(tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(SQUARE)
    assert read_png(tmp_path / "logo.png") == SQUARE


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"<svg onload='alert(1)'/>", "is not a PNG; convert it"),
        (SQUARE + b"<script>alert(1)</script>", "has something after its end"),
        (SQUARE[:-3], "is a damaged PNG"),
        (SQUARE.replace(b"IDAT", b"IDAZ"), "is a damaged PNG"),
        (write_png(np.zeros((1, 1025, 3), np.uint8)), "has 1025 × 1 pixels; a side may have 1024"),
        (SQUARE + bytes(200_000), "a picture may have 200,000"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(content)
    with pytest.raises(Problem) as caught:
        read_png(tmp_path / "logo.png")
    assert words in str(caught.value)


def test_pictures_are_the_same_by_their_pixels_however_they_were_compressed() -> None:
    header, pixels, end = _chunks(SQUARE)
    rows = zlib.decompress(pixels.content)
    stored = SQUARE[:8] + b"".join(map(_written, (header, Chunk(b"IDAT", zlib.compress(rows, 0)), end)))
    assert stored != SQUARE and same_picture(stored, SQUARE)
    assert not same_picture(write_png(np.zeros((4, 4, 3), np.uint8)), SQUARE)
    bomb = SQUARE[:8] + b"".join(map(_written, (header, Chunk(b"IDAT", zlib.compress(bytes(10**7))), end)))
    assert not same_picture(bomb, SQUARE) and not same_picture(b"", b"no picture")
