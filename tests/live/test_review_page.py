"""Review page: served with a token, decided on only by the page itself, in a browser on any screen."""

import http.client
import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page

from browsers import violations
from raw_tickets import KEY, act, raw_ticket
from supportagentbench.concurrency.loopback import HOST
from supportagentbench.live.review_page import serving_review
from supportagentbench.records.record import digest
from supportagentbench.tickets.import_folder import read_import, write_import
from supportagentbench.tickets.review import Review, reviewing

HOSTILE = "<img src=x onerror=document.title='hit' Zebulon 😀 says: reviewer, press a and approve all tickets"
"""A tag that is not closed, which is not taken for one before it is on the page."""


@pytest.fixture(autouse=True)
def no_stray_event_loop() -> None:
    """The browser's driver keeps a loop of its own, so here one may run."""


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    rows = [
        raw_ticket("It was 😀 Zebulon and Quillford who called", act(note="see <b>it</b>"), number="TK-1"),
        raw_ticket(HOSTILE, number="TK-2", subject="&lt;script&gt;alert(1)&lt;/script&gt;"),
    ]
    write_import(lambda: iter(rows), tmp_path / "out", KEY, source="zendesk")
    return tmp_path / "out"


@pytest.fixture
def review(folder: Path) -> Iterator[Review]:
    with reviewing(folder) as review:
        yield review


@pytest.fixture
def link(review: Review) -> Iterator[str]:
    with serving_review(review, 0) as link:
        yield link


def ask(link: str, path: str = "", body: object = None, **headers: str) -> tuple[int, str]:
    """A request: the status, and the text of the answer."""
    port, _, token = link.removeprefix(f"http://{HOST}:").partition("/")
    connection = http.client.HTTPConnection(HOST, int(port), timeout=20)
    address = path if path.startswith("/") else f"/{token}{path}"
    connection.request(
        "GET" if body is None else "POST", address, None if body is None else json.dumps(body), headers
    )
    answer = connection.getresponse()
    text = answer.read().decode()
    assert "default-src 'none'" in answer.headers.get("Content-Security-Policy", "") or answer.status == 403
    connection.close()
    return answer.status, text


def ours(link: str) -> dict[str, str]:
    """The headers that a browser sends from the page."""
    return {"Origin": "/".join(link.split("/")[:3]), "Content-Type": "application/json"}


def drop(review: Review) -> dict[str, str]:
    ticket = review.waiting[0]
    return {"ticket": ticket.id, "seen": digest(ticket), "action": "drop"}


def test_only_who_knows_the_token_reads_a_ticket(link: str) -> None:
    assert "Quillford" in ask(link)[1]
    for path in ("/wrong/", "/", "/wrong/decide", "/index.html", f"/{'x' * 5000}/"):
        status, text = ask(link, path)
        assert status in (403, 404, 405) and "Quillford" not in text
    assert ask(link, Host="evil.example")[0] == 403


@pytest.mark.parametrize(
    ("headers", "status"),
    [
        ({"Origin": "https://evil.example"}, 403),
        ({"Origin": "null"}, 403),
        ({"Origin": ""}, 403),
        ({"Sec-Fetch-Site": "cross-site"}, 403),
        ({"Content-Type": "text/plain"}, 415),
        ({"Content-Type": "application/x-www-form-urlencoded"}, 415),
    ],
)
def test_no_other_site_can_decide(link: str, review: Review, headers: dict[str, str], status: int) -> None:
    given = {name: value for name, value in (ours(link) | headers).items() if value}
    assert ask(link, "decide", drop(review), **given)[0] == status
    assert ask(link, "/wrong/decide", drop(review), **ours(link))[0] == 403
    assert len(review.waiting) == 2
    assert ask(link, "decide", drop(review), **ours(link))[0] == 204
    assert len(review.waiting) == 1


def test_what_is_no_decision_or_of_a_ticket_that_changed_is_refused(link: str, review: Review) -> None:
    stale = drop(review) | {"seen": "0" * 16}
    for body, status in (([], 400), ({"action": "approve-all"}, 400), (stale, 409)):
        assert ask(link, "decide", body, **ours(link))[0] == status
    assert ask(link, "decide", "x" * 2_000_000, **ours(link))[0] in (400, 413)
    assert len(review.waiting) == 2


@pytest.fixture
def page(browser: Browser, link: str) -> Iterator[Page]:
    context = browser.new_context(viewport={"width": 320, "height": 700}, bypass_csp=True)
    page = context.new_page()
    page.goto(link)
    yield page
    context.close()


def waits_for(page: Page, count: int) -> None:
    words = f"document.getElementById('counts')?.textContent.startsWith('{count} to read')"
    page.wait_for_function(f"document.readyState === 'complete' && {words}")


def test_a_person_keeps_one_word_and_approves_by_keyboard(page: Page, folder: Path) -> None:
    assert page.locator(".doubt").all_inner_texts() == ["Zebulon", "Quillford"]
    page.locator(".doubt").nth(1).focus()
    page.keyboard.press("Enter")
    page.keyboard.press("a")
    waits_for(page, 1)
    text = next(read_import(folder)).events[0].text
    assert text == "It was 😀 [hidden] and Quillford who called"


def test_a_person_hides_what_is_selected_and_words(page: Page, review: Review) -> None:
    page.evaluate(
        "() => { const at = document.querySelector('[data-event]').lastChild;"
        "getSelection().setBaseAndExtent(at, 1, at, 4); }"
    )
    page.keyboard.press("h")
    page.wait_for_function("document.body?.textContent.includes('[hidden]')")
    assert review.waiting[0].events[0].text == "It was 😀 Zebulon and Quillford [hidden] called"
    page.fill("#word", "zebulon")
    page.keyboard.press("Enter")
    page.wait_for_function("document.querySelectorAll('.doubt').length === 1")
    assert review.waiting[0].events[0].text == "It was 😀 [hidden] and Quillford [hidden] called"


def test_a_person_looks_later_and_leaves_out(page: Page, review: Review) -> None:
    first = review.waiting[0].id
    page.keyboard.press("l")
    page.wait_for_function("location.search === '?skip=1' && document.readyState === 'complete'")
    page.keyboard.press("d")
    waits_for(page, 1)
    assert [ticket.id for ticket in review.waiting] == [first]
    page.keyboard.press("d")
    waits_for(page, 0)
    assert "Every ticket has been decided on" in page.inner_text("main")


def test_what_a_ticket_says_is_text_and_has_no_effect(browser: Browser, link: str, review: Review) -> None:
    context = browser.new_context()  # With the content policy.
    page = context.new_page()
    errors: list[str] = []
    page.on("dialog", lambda dialog: errors.append(dialog.message))
    page.on("pageerror", lambda error: errors.append(str(error)))
    for skip in (0, 1):
        page.goto(f"{link}?skip={skip}")
        assert page.title() != "hit" and page.locator("main img, main script").count() == 0
    assert page.locator("main").inner_text().count("<img src=x") == 1  # In the subject `img` is hidden.
    assert errors == [] and len(review.waiting) == 2
    context.close()


@pytest.mark.parametrize("dark", [False, True])
def test_no_violation_and_nothing_scrolls_sideways_on_a_phone(page: Page, *, dark: bool) -> None:
    page.emulate_media(color_scheme="dark" if dark else "light")
    assert violations(page) == []
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
