"""A picture has one size whatever it says; without Pillow there is a plain one."""

import sys
from io import BytesIO
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis.strategies import text
from PIL import Image

from supportagentbench.site.png import size_of
from supportagentbench.site.share.share_drawing import (
    COST_COLOURS,
    HEIGHT,
    LARGEST,
    WIDTH,
    colours,
    drawn,
    fitted,
    plain,
    width_of,
)
from supportagentbench.site.share.share_picture import CostPart, PicturedAgent, SharePicture

COSTS = tuple(CostPart(part, 0.2) for part in COST_COLOURS)
LONG = "agent-" * 10


def pictured(**how: Any) -> PicturedAgent:
    fields: dict[str, Any] = {"decision": "no", "decided": "No", "line": "It fell for traps.", "month": "$9"}
    return PicturedAgent(**fields | {"costs": COSTS, "traps": (True, False) * 27} | how)


def pixels(data: bytes) -> Image.Image:
    return Image.open(BytesIO(data)).convert("RGB")


def count(image: Image.Image, name: str) -> int:
    """How many points have the colour of a token, nearly."""
    wanted = tuple(bytes.fromhex(colours()[name][1:]))
    found = image.getcolors(WIDTH * HEIGHT) or []
    return sum(
        many
        for many, colour in found
        if isinstance(colour, tuple) and all(abs(a - b) < 6 for a, b in zip(colour, wanted, strict=True))
    )


@pytest.mark.parametrize(
    "picture",
    [
        SharePicture("Short", "", "", "Bench"),
        SharePicture("word " * 200, "more " * 200, "tag " * 30, "brand " * 16),
        SharePicture(LONG, "", "Demo", "Bench", pictured(line=f"{LONG} fell for {LONG}.")),
        SharePicture("代理人 مرحبا 🎉 \x00\n", "", "", "Bench", pictured(costs=(), traps=(), month="")),
        SharePicture("All of it", "", "", "Bench", pictured(traps=(True,) * 5000)),
        SharePicture("Nothing", "", "", "Bench", pictured(costs=(CostPart("model fees", 1e-9),))),
    ],
)
def test_whatever_it_says_a_picture_has_one_size(picture: SharePicture) -> None:
    data = drawn(picture)
    assert size_of(data, Path("x.png")) == (WIDTH, HEIGHT)
    assert len(data) <= LARGEST
    image = pixels(data)
    margin = {image.getpixel((x, y)) for x in (4, 30, WIDTH - 30, WIDTH - 4) for y in range(540)}
    assert len(margin) == 1, "nothing is drawn into the margins"


def test_bars_and_squares_are_as_long_and_as_many_as_counted() -> None:
    half = pictured(costs=(CostPart("needless handovers", 0.5),), traps=())
    whole = pictured(costs=(CostPart("needless handovers", 1.0),), traps=())
    one, two = (
        count(pixels(drawn(SharePicture("A", "", "", "B", who))), "accent-tint") for who in (half, whole)
    )
    assert two / one == pytest.approx(2, abs=0.1)
    none, all_of_them = (
        count(pixels(drawn(SharePicture("A", "", "", "B", pictured(costs=(), traps=(hit,) * 54)))), "square")
        for hit in (False, True)
    )
    assert none > 54 * 150
    assert all_of_them == 0


@settings(max_examples=60, deadline=None)
@given(text(max_size=400))
def test_every_line_fits_and_only_the_end_is_cut(words: str) -> None:
    found = fitted(words, 300, (40, 30, 20), 3)
    assert len(found.lines) <= 3
    assert all(len(line) <= 2 or width_of(line, found.size, False) <= 300 for line in found.lines)
    kept = "".join(found.lines).removesuffix("…").replace(" ", "")
    assert "".join(" ".join(words.encode("utf-8", "replace").decode().split()).split()).startswith(kept)


def test_without_pillow_every_picture_is_the_plain_one(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "PIL", None)
    assert drawn(SharePicture("A", "", "", "B")) == plain()
    assert size_of(plain(), Path("plain.png")) == (WIDTH, HEIGHT)
    assert len(plain()) < 20_000
