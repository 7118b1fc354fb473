"""Layouts: what a browser measures of a page's texts: cut off, overlapping, in too many sizes, sideways."""

from pathlib import Path
from typing import NamedTuple

from playwright.sync_api import Page

SIZES = 5
"""The most sizes of type on a page."""

MEASURE = Path(__file__).with_suffix(".js").read_text()

NAMED = 4
"""How many texts a complaint names."""


class Look(NamedTuple):
    """A way of looking at a page."""

    width: int
    is_print: bool = False


LOOKS = {
    "1440": Look(1440),
    "1024": Look(1024),
    "390": Look(390),
    "print": Look(695, is_print=True),  # A4 without its margins.
}


def complaints(page: Page, look: Look) -> list[str]:
    """What is wrong with the layout of an open page, one sentence per kind."""
    page.set_viewport_size({"width": look.width, "height": 900})
    page.emulate_media(media="print" if look.is_print else "screen")
    found = page.evaluate(MEASURE)
    said = [
        f"{len(texts)} {words}: {'; '.join(texts[:NAMED])}"
        for words, texts in found["wrong"].items()
        if texts
    ]
    if found["width"] > look.width:
        said.append(f"scrolls sideways: {found['width']} of {look.width} pixels")
    if len(found["sizes"]) > SIZES:
        said.append(f"{len(found['sizes'])} sizes of type: {found['sizes']}")
    return said
