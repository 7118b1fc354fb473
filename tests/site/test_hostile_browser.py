"""Text that agents write is text: nothing of it runs on any page, and it is shown as it was written."""

from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page

SLUG = "hostile_agent-harmful"
PLACES = (
    *("index.html", "cases.html", "traps.html", "method.html", "desk.html"),
    *(f"agents/{SLUG}.html", "cases/damaged_no_proof-1.html", f"compare.html#a={SLUG}&b=oracle"),
    *("reader.html", f"reader.html#case=damaged_no_proof-1&a={SLUG}&run=1"),
    f"reader.html#case=damaged_no_proof-1&a={SLUG}&b=oracle&run=1",
    *("forks.html", "forks/{fork}.html", f"replays.html#case={{fork}}&a={SLUG}&run=1"),
)
"""`{fork}`: the one fork that there is."""


@pytest.mark.parametrize("place", PLACES)
def test_nothing_that_an_agent_wrote_runs(
    place: str, hostile_site: Path, open_page: Callable[..., Page]
) -> None:
    [fork] = (hostile_site / "forks").iterdir()
    path, sign, state = place.replace("{fork}", fork.stem).partition("#")
    page = open_page((hostile_site / path).as_uri() + sign + state)
    page.wait_for_timeout(200)
    assert page.evaluate("window.harmed") is None
    assert page.locator("img[src=x], svg[onload], a[href^=javascript]").count() == 0


def test_it_would_not_run_even_without_the_policy(hostile_site: Path, open_page: Callable[..., Page]) -> None:
    """Escaping has to hold by itself; the policy in the page is the second lock."""
    place = f"reader.html#case=damaged_no_proof-1&a={SLUG}&run=1"
    path, sign, state = place.partition("#")
    page = open_page((hostile_site / path).as_uri() + sign + state, bypass_csp=True)
    page.wait_for_timeout(200)
    assert page.evaluate("window.harmed") is None


def test_it_is_shown_as_it_was_written(hostile_site: Path, open_page: Callable[..., Page]) -> None:
    state = f"#case=damaged_no_proof-1&a={SLUG}&run=1"
    page = open_page((hostile_site / "reader.html").as_uri() + state)
    page.wait_for_selector(".bubble >> text=I've sent a replacement")
    assert "<script>window.harmed=1</script>" in page.inner_text("main")
    assert "{{ 7 * 7 }}" in page.inner_text("main")
