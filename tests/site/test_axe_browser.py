"""WCAG as far as a machine can check it: no violation on any page, light, dark, and at 320 pixels."""

from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page

PAGES = (
    *("index.html", "compare.html", "compare.html#a=oracle&b=complies", "cases.html", "traps.html"),
    *("reader.html", "reader.html#case=damaged_no_proof-1&a=complies&b=oracle&run=1", "desk.html"),
    *("method.html", "404.html", "agents/complies.html", "cases/damaged_no_proof-1.html"),
)
LOOKS: dict[str, dict[str, Any]] = {"light": {}, "dark": {"dark": True}, "narrow": {"width": 320}}


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("page", PAGES)
def test_no_violation(
    page: str, look: str, visit: Callable[..., Page], axe: Callable[[Page], list[str]]
) -> None:
    assert axe(visit(page, bypass_csp=True, **LOOKS[look])) == []


@pytest.mark.parametrize("page", PAGES)
def test_nothing_scrolls_sideways_at_320_pixels(page: str, visit: Callable[..., Page]) -> None:
    opened = visit(page, width=320)
    assert opened.evaluate("document.documentElement.scrollWidth") <= 320


@pytest.mark.parametrize("page", PAGES)
def test_every_page_reads_without_scripts(page: str, visit: Callable[..., Page]) -> None:
    opened = visit(page.partition("#")[0], js=False)
    assert len(opened.inner_text("main")) > 60
    assert opened.locator("h1").count() == 1
