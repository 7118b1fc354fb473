"""A picture of others is a PNG that is small, whole and nothing else."""

from pathlib import Path

import pytest

from pictures import png
from supportagentbench.records.problem import Problem
from supportagentbench.site.png import read_png

SQUARE = png(4, 4)


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
        (png(1025, 1), "has 1025 × 1 pixels; a side may have 1024"),
        (SQUARE + bytes(200_000), "has more than 200,000 bytes"),
    ],
)
def test_anything_else_is_refused_in_a_sentence(content: bytes, words: str, tmp_path: Path) -> None:
    (tmp_path / "logo.png").write_bytes(content)
    with pytest.raises(Problem) as caught:
        read_png(tmp_path / "logo.png")
    assert words in str(caught.value)
