"""Letters: text as pixels, for pictures that are made without a browser or a library for them.

The letters are those of Aileron Regular (CC0), drawn once by `docs/make_letters.py`.
"""

import unicodedata
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

FILE = Path(__file__).with_name("letters.npz")
HEIGHT = 150
"""Of a line as it is kept: 120 above the base line and 30 below it."""

Ink = NDArray[np.uint8]
"""How dark each pixel is, from 0 to 15."""


@cache
def _letters() -> dict[str, Ink]:
    with np.load(FILE, allow_pickle=False) as kept:
        ends = np.cumsum(kept["widths"])[:-1]
        return dict(zip(str(kept["letters"]), np.split(kept["ink"], ends, axis=1), strict=True))


def ink_of(text: str, shrunk: int) -> Ink:
    """A line of text, a whole number of times smaller than the letters are kept: 2 is 60 pixels, 4 is 30."""
    known = _letters()
    line = np.concatenate(
        [known[letter] for letter in _drawable(text)] or [np.zeros((HEIGHT, 0), np.uint8)], axis=1
    )
    height, width = HEIGHT // shrunk, line.shape[1] // shrunk
    blocks = line[: height * shrunk, : width * shrunk].reshape(height, shrunk, width, shrunk)
    shades: Ink = (blocks.sum(axis=(1, 3)) // shrunk**2).astype(np.uint8)
    return shades


def width_of(text: str, shrunk: int) -> int:
    """How many pixels wide a line is."""
    widths: list[int] = [_letters()[letter].shape[1] for letter in _drawable(text)]
    return sum(widths) // shrunk


def fitted(text: str, shrunk: int, width: int) -> str:
    """The text, cut so that it is no wider than this."""
    if width_of(text, shrunk) <= width:
        return text
    while text and width_of(f"{text}…", shrunk) > width:
        text = text[:-1]
    return f"{text.rstrip()}…"


def _drawable(text: str) -> str:
    """The text in letters that there are; others without their accents, or as a question mark."""
    known = _letters()
    found = (letter if letter in known else unicodedata.normalize("NFKD", letter)[0] for letter in text)
    return "".join(letter if letter in known else "?" for letter in found)
