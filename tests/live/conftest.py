"""A real browser, where there is one."""

import os
import shutil
from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, sync_playwright

CHROMIUM = next(filter(None, map(shutil.which, ("chromium", "chromium-browser", "google-chrome"))), None)
SWITCHES = [
    *("--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run", "--disable-sync"),
    *("--disable-background-networking", "--disable-component-update"),
]


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Chromium without a window; closed with the module, because it keeps an event loop running."""
    if not CHROMIUM:
        if os.environ.get("SAB_BROWSER") == "required":
            pytest.fail("a browser is required and none is installed")
        pytest.skip("needs chromium")
    with sync_playwright() as running:
        found = running.chromium.launch(executable_path=CHROMIUM, args=SWITCHES)
        yield found
        found.close()
