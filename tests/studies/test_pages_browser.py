"""Pages of a printed board in a real browser: nothing cut, nothing on top of another, readable by all."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser, Page

from browsers import chromium, violations
from studies.published import SHIPPED
from studies.published.deep_report import read_reports
from studies.published.load import read_published
from studies.published.pages import build_pages

PAGES = ("index.html", "audit.html", "models/qwen3.7-plus.html")
LOOKS: dict[str, dict[str, Any]] = {"light": {}, "dark": {"color_scheme": "dark"}, "narrow": {"width": 320}}

CLIPPED = """() => [...document.querySelectorAll('main :is(th, td, p, li, dt, dd, h1, h2, .value, .amount)')]
  .filter(one => one.offsetParent && !one.closest('.unseen') && one.getBoundingClientRect().width > 1)
  .filter(one => one.getBoundingClientRect().left < -1 || one.getBoundingClientRect().right > innerWidth + 1)
  .map(one => one.textContent.slice(0, 60))"""
"""Text beyond the edges of the window."""

OVERLAPPING = """() => {
  const boxes = [...document.querySelectorAll('.models tbody tr')].filter(row => row.offsetHeight)
    .flatMap(row => [[...row.querySelectorAll('th, .price, .plot, .squares, .value, td.take')]
      .filter(one => one.offsetHeight).map(one => [one.textContent, one.getBoundingClientRect()])]);
  const meet = (a, b) =>
    a.right > b.left + 1 && b.right > a.left + 1 && a.bottom > b.top + 1 && b.bottom > a.top + 1;
  return boxes.flatMap(row => row.flatMap(([said, a], i) => row.slice(i + 1)
    .filter(([, b]) => meet(a, b))
    .map(([other]) => `${said} | ${other}`)));
}"""
"""Cells of one row that lie on each other."""


@pytest.fixture(autouse=True)
def no_stray_event_loop() -> None:
    """The browser's driver keeps a loop of its own, so here one may run."""


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    with chromium() as browser:
        yield browser


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("published") / "site"
    published = read_published()
    build_pages(published, folder, read_reports(SHIPPED, published))
    return folder


def opened(browser: Browser, path: Path, width: int = 1280, **options: Any) -> Page:
    context = browser.new_context(
        viewport={"width": width, "height": 900}, bypass_csp=True, reduced_motion="reduce", **options
    )
    page = context.new_page()
    page.goto(path.as_uri())
    return page


@pytest.mark.parametrize("look", LOOKS)
@pytest.mark.parametrize("name", PAGES)
def test_no_violation(name: str, look: str, site: Path, browser: Browser) -> None:
    page = opened(browser, site / name, **LOOKS[look])
    assert violations(page) == []
    page.context.close()


@pytest.mark.parametrize("width", [1440, 1024, 390, 320])
@pytest.mark.parametrize("name", PAGES)
def test_nothing_is_cut_or_covered(name: str, width: int, site: Path, browser: Browser) -> None:
    page = opened(browser, site / name, width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    assert page.evaluate(CLIPPED) == []
    assert page.evaluate(OVERLAPPING) == []
    page.context.close()


def test_it_reads_without_scripts(site: Path, browser: Browser) -> None:
    page = opened(browser, site / "index.html", java_script_enabled=False)
    assert page.locator(".models tbody th[scope=row]").count() == 24
    page.context.close()
