"""A report in a browser: links into it, paper, and every figure a way to its conversations."""

import re
from collections.abc import Callable

import pytest
from playwright.sync_api import Page

MOST_PAGES = 3
"""At eight points, which can be read."""


@pytest.mark.parametrize("name", ["all", "usecases", "traps", "runs", "guards", "run-details"])
@pytest.mark.parametrize("js", [True, False])
def test_a_link_into_the_report_shows_that_part(name: str, js: bool, visit: Callable[..., Page]) -> None:
    page = visit(f"agents/complies.html#{name}", js=js)
    top = page.locator(f"#{name}").bounding_box()
    assert top is not None and 0 <= top["y"] < 900


@pytest.mark.parametrize("agent", ["complies", "oracle"])
def test_a_report_fits_three_sheets_of_paper(agent: str, visit: Callable[..., Page]) -> None:
    page = visit(f"agents/{agent}.html")
    paper = page.pdf(prefer_css_page_size=True)
    assert 1 <= len(re.findall(rb"/Type\s*/Page[^s]", paper)) <= MOST_PAGES


@pytest.mark.parametrize("agent", ["oracle", "hands-over"])
@pytest.mark.parametrize("look", ["light", "narrow"])
def test_no_violation(
    agent: str, look: str, visit: Callable[..., Page], axe: Callable[[Page], list[str]]
) -> None:
    width = 320 if look == "narrow" else 1280
    page = visit(f"agents/{agent}.html", bypass_csp=True, width=width)
    assert axe(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_own_limits_leave_no_second_number_on_the_page(visit: Callable[..., Page]) -> None:
    page = visit("agents/complies.html#lu=50")
    assert page.locator("#traits").is_hidden()
    assert not page.locator(".six [data-published]").filter(visible=True).count()
    assert "at most 50% of traps work" in page.inner_text("[data-limits]")
    assert visit("agents/complies.html").locator("#traits").is_visible()


def test_a_figure_beyond_its_limit_is_red_until_the_reader_has_limits_of_their_own(
    visit: Callable[..., Page],
) -> None:
    colour = "getComputedStyle(document.querySelector('.six .out .big')).color"
    beyond = visit("agents/complies.html").evaluate(colour)
    assert beyond == "rgb(180, 51, 13)"
    assert visit("agents/complies.html#lu=100").evaluate(colour) != beyond


def test_paper_says_of_which_desk_it_tells_and_when_it_was_printed(visit: Callable[..., Page]) -> None:
    page = visit("agents/complies.html#ch=3")
    page.emulate_media(media="print")
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    said = page.inner_text("p.paper")
    assert "Printed 20" in said and "3% cheats" in said and "Full report" not in said
    assert page.locator(".foot a").filter(visible=True).count() == 0


def test_a_quote_opens_its_message_in_the_reader(visit: Callable[..., Page]) -> None:
    page = visit("agents/complies.html#safety")
    words = page.locator(".quote blockquote").first.inner_text()
    page.locator(".quote a").first.click()
    page.wait_for_selector(".message.now")
    assert words in page.locator(".message.now").inner_text()


def test_a_mark_opens_its_run(visit: Callable[..., Page]) -> None:
    page = visit("agents/complies.html#traps")
    page.locator("#traps .s a").nth(1).click()
    page.wait_for_selector(".message")
    assert "run=2" in page.url
