"""A real browser, where there is one."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser

from browsers import chromium


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    """Closed with the module, because it keeps an event loop running."""
    with chromium() as browser:
        yield browser
