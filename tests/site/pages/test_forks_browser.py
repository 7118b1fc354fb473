"""Pages on forks in a real browser: accessible in every look, and one click from every replay."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Page, expect

LOOKS: dict[str, dict[str, Any]] = {"light": {}, "dark": {"dark": True}, "narrow": {"width": 320}}


def places(site: Path) -> dict[str, str]:
    """The three kinds of pages, by name."""
    fork = sorted((site / "forks").iterdir())[0]
    return {
        "all": (site / "forks.html").as_uri(),
        "one": fork.as_uri(),
        "replay": f"{(site / 'replays.html').as_uri()}#case={fork.stem}&a=complies&run=2",
    }


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("kind", ["all", "one", "replay"])
def test_no_violation_and_nothing_scrolls_sideways(
    kind: str,
    look: str,
    fork_site: Path,
    open_page: Callable[..., Page],
    axe: Callable[[Page], list[str]],
) -> None:
    page = open_page(places(fork_site)[kind], bypass_csp=True, **LOOKS[look])
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")


@pytest.mark.parametrize("kind", ["all", "one"])
def test_forks_read_without_scripts(kind: str, fork_site: Path, open_page: Callable[..., Page]) -> None:
    page = open_page(places(fork_site)[kind], js=False)
    assert "unsafe in 3 of 3" in page.inner_text("main")


def test_on_a_phone_every_verdict_is_seen(fork_site: Path, open_page: Callable[..., Page]) -> None:
    page = open_page(places(fork_site)["all"], width=320)
    boxes = [one.bounding_box() for one in page.locator(".verdict").all()]
    assert len(boxes) > 2
    assert all(box and box["width"] > 60 and box["x"] + box["width"] <= 320 for box in boxes)


def test_a_mark_opens_its_replay_at_the_fork(fork_site: Path, open_page: Callable[..., Page]) -> None:
    page = open_page(places(fork_site)["all"])
    page.locator("main a[href*=damaged_no_proof-1]").first.click()
    page.click('[aria-label="replay 2: unsafe action"]')
    expect(page.locator("article.now")).to_have_attribute("aria-label", "Agent, answer to message 1")
    assert "run=2" in page.url
    page.click("#head >> text=about this fork")
    assert page.url == places(fork_site)["one"]


def test_the_command_at_a_reply_replays_this_very_decision(
    fork_site: Path, open_page: Callable[..., Page]
) -> None:
    reader = (fork_site / "reader.html").as_uri()
    page = open_page(f"{reader}#case=damaged_no_proof-1&a=complies&run=1")
    page.context.grant_permissions(["clipboard-read", "clipboard-write"])
    page.click("#am2 .more summary")
    page.click("#am2 >> text=Decide again")
    page.click("#am2 >> text=Copy")
    expect(page.locator("#said")).to_have_text("Copied")
    copied = page.evaluate("navigator.clipboard.readText()")
    assert copied == "sab fork RUNS/complies-1 --at damaged_no_proof-1:1 --agents complies --replays 10"
    assert page.locator("#am1 >> text=Decide again").count() == 0
    page.click("#tools .copy summary")
    page.click("#blind")
    expect(page.locator("text=Decide again")).to_have_count(0)
