"""A real browser in tests, where there is one, and what an accessibility checker says of a page."""

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Page, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
FLAGS = (
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
)


@contextmanager
def chromium() -> Iterator[Browser]:
    """Chromium without a window; an event loop runs until it is closed."""
    if not CHROMIUM:
        if os.environ.get("SAB_BROWSER") == "required":
            pytest.fail("a browser is required and none is installed")
        pytest.skip("no browser; `make test` installs one where it may")
    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=CHROMIUM, args=list(FLAGS))
        yield browser
        browser.close()


def violations(page: Page) -> list[str]:
    """What an accessibility checker complains of; the page has to be opened past its content policy."""
    # Passes are not wanted: sending their nodes over takes three times as long as finding them.
    found = Axe().run(page, options={"preload": False, "resultTypes": ["violations"]})
    return [f"{one['id']}: {one['nodes'][0]['html'][:160]}" for one in found.response["violations"]]
