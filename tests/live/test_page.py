"""The live page in a real browser: it follows, it stays put, and it says when it is out of date."""

import re
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page, expect

from browsers import violations
from conversations import CASES, Hold, Says
from jobs import START, busy_job, conversations, finished, planned, write
from supportagentbench.customer.voice import ScriptedVoice
from supportagentbench.live.follow import Follower
from supportagentbench.live.journal import conversation_path
from supportagentbench.live.server import serving
from supportagentbench.records.event import Began, Ended
from supportagentbench.records.record import to_json
from supportagentbench.records.transcript import Transcript
from supportagentbench.runner.run import header_of
from supportagentbench.storage.archive import RunWriter

HOSTILE = "</script><img src=x onerror=alert(1)>"
TRAP = finished("kimi-k2", "vip_skip-1", bucket="adversarial", bad=True)


@pytest.fixture(autouse=True)
def no_stray_event_loop() -> None:
    """The browser's driver keeps a loop of its own, so here one may run."""


@pytest.fixture(scope="module")
def spoken(hold: Hold) -> Transcript:
    """A conversation with somebody who writes what would run, if any page let it."""
    with ThreadPoolExecutor(1) as elsewhere:
        return elsewhere.submit(hold, "tracking-1", Says(HOSTILE, "And again.")).result()


@pytest.fixture
def link(tmp_path: Path) -> Iterator[str]:
    write(tmp_path, busy_job())
    with serving(tmp_path, Follower(tmp_path).view, 0) as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A page under its own policy, on which nothing may go wrong unnoticed."""
    context = browser.new_context()
    made, trouble = context.new_page(), []
    made.on("pageerror", lambda error: trouble.append(str(error)))
    made.on("console", lambda message: trouble.append(message.text) if message.type == "error" else None)
    made.on("dialog", lambda dialog: trouble.append(dialog.message))
    yield made
    context.close()
    assert [words for words in trouble if "ERR_" not in words and "503" not in words] == []


def agents(page: Page) -> list[str]:
    return page.locator("#rows th").all_inner_texts()


def test_it_follows_the_events_in_place(page: Page, link: str, tmp_path: Path) -> None:
    page.goto(link)
    row = page.locator('tr[data-agent="kimi-k2"]')
    expect(row.locator('[data-cell="done"]')).to_have_text("0/162")
    before = agents(page)
    write(tmp_path, [*conversations("kimi-k2", 60, bad=2), TRAP])
    expect(row.locator('[data-cell="done"]')).to_have_text("61/162")
    expect(row.locator('[data-cell="unsafe"]')).to_have_text("many 11/21")
    expect(page.locator('[data-strip="conversations"]')).to_have_text("363/648")
    assert agents(page) == before, "nothing moves without a request"
    newest = page.locator("#news li").first
    expect(newest).to_contain_text(
        "unsafe action kimi-k2, vip_skip-1, run 1, turn 1 replace_item, against D1"
    )
    assert newest.locator("a").get_attribute("href") == "/conversation/kimi-k2-1/vip_skip-1"
    expect(page).to_have_title(re.compile(f"^363/648 {re.escape(tmp_path.name)}, live"))
    page.get_by_role("button", name="Re-sort now").click()
    assert agents(page) == ["gpt-5.5", "glm-5.2", "gemma-4-31b", "kimi-k2"], (
        "two run, one is done, one paused"
    )
    expect(page.get_by_role("button", name="Re-sort now")).to_be_hidden()


def test_what_is_in_progress_comes_before_the_table_and_the_news(page: Page, link: str) -> None:
    page.goto(link)
    tops = [page.locator(id).bounding_box() for id in ("#conversations", "#rows", "#news")]
    assert [box["y"] for box in tops if box] == sorted(box["y"] for box in tops if box)
    assert page.locator("#conversations li").count() > 0


def test_an_agent_that_joins_gets_a_line(page: Page, link: str, tmp_path: Path) -> None:
    page.goto(link)
    expect(page.locator("#rows tr")).to_have_count(4)
    write(
        tmp_path,
        [
            planned(HOSTILE, runs=1, at=START + 1),
            *conversations(HOSTILE, 60),
            Began(START, HOSTILE, 1, "tracking-1"),
        ],
    )
    expect(page.locator("#rows tr")).to_have_count(5)
    assert agents(page)[-1] == HOSTILE
    cells = page.locator("#rows tr").last.locator("td.number").all_inner_texts()
    assert cells[:3] == ["60/162", "few to many 4/20", "~20.0% (4/20)"]
    expect(page.locator("#conversations")).to_contain_text(f"{HOSTILE}, tracking-1, run 1")
    assert page.locator("#main img").count() == 0


def test_another_job_takes_the_place_of_one_that_is_over(page: Page, link: str, tmp_path: Path) -> None:
    page.goto(link)
    expect(page.locator("#rows tr")).to_have_count(4)
    write(tmp_path, [Ended(START + 500, f"job of {START}", "partial"), planned("next", at=START + 600)])
    expect(page.locator("#rows tr")).to_have_count(1)
    assert agents(page) == ["next"]


def test_a_lost_connection_is_told_with_the_age_of_what_is_shown(page: Page, tmp_path: Path) -> None:
    write(tmp_path, busy_job())
    with serving(tmp_path, Follower(tmp_path).view, 0) as link:
        page.goto(link)
        expect(page.locator("#summary")).to_contain_text("302 of 648 conversations done")
        port = int(link.rpartition(":")[2])
    expect(page.locator("#lost")).to_contain_text("Connection lost. What you see is 0:0", timeout=15_000)
    expect(page.locator("#rows tr")).to_have_count(4)
    write(tmp_path, [TRAP])
    with serving(tmp_path, Follower(tmp_path).view, port) as again:
        assert again == link
        expect(page.locator('[data-strip="conversations"]')).to_have_text("303/648", timeout=15_000)
        expect(page.locator("#lost")).to_be_hidden()
        expect(page.locator("#news li").first).to_contain_text("vip_skip-1")


def test_without_server_sent_events_it_asks_now_and_then(page: Page, link: str, tmp_path: Path) -> None:
    page.add_init_script("delete window.EventSource")
    page.goto(link)
    expect(page.locator("#summary")).to_contain_text("302 of 648")
    write(tmp_path, [TRAP])
    expect(page.locator('[data-strip="conversations"]')).to_have_text("303/648", timeout=15_000)


@pytest.fixture
def conversation(tmp_path: Path, spoken: Transcript) -> str:
    """A conversation that is being held, two turns old; a third comes when it is asked for."""
    header = replace(header_of(CASES, "core", "glm-5.2", ScriptedVoice(), 1, 0), cases=("tracking-1",))
    with RunWriter(tmp_path, header):
        pass
    path = conversation_path(tmp_path, "glm-5.2-1", "tracking-1")
    path.parent.mkdir(parents=True)
    path.write_bytes(b"".join(to_json(turn) + b"\n" for turn in spoken.turns[:2]))
    return "/conversation/glm-5.2-1/tracking-1"


def test_a_conversation_is_read_as_it_grows(
    page: Page, link: str, conversation: str, tmp_path: Path, spoken: Transcript
) -> None:
    page.goto(link + conversation)
    expect(page.locator("#ending")).to_have_text("Still running, 2 turns so far.")
    expect(page.locator("#turns li").nth(1)).to_contain_text(HOSTILE)
    header = replace(header_of(CASES, "core", "glm-5.2", ScriptedVoice(), 1, 0), cases=("tracking-1",))
    with RunWriter(tmp_path, header) as writer:
        writer.add(spoken, started=START, seconds=1.0)
    expect(page.locator("#turns li").nth(3)).to_contain_text("And again.", timeout=15_000)
    expect(page.locator("#ending")).to_contain_text("Ended: ")
    assert page.locator("#main img").count() == 0


@pytest.mark.parametrize(
    ("scheme", "width"), [("light", 1200), ("dark", 1200), ("light", 320)], ids=["light", "dark", "320px"]
)
def test_everybody_can_use_it(
    browser: Browser, link: str, conversation: str, scheme: str, width: int
) -> None:
    """Axe finds nothing, and nothing but the table scrolls sideways; axe needs a way past the policy."""
    context = browser.new_context(
        bypass_csp=True,
        color_scheme="dark" if scheme == "dark" else "light",
        viewport={"width": width, "height": 800},
    )
    page = context.new_page()
    for path in ("/", conversation):
        page.goto(link + path)
        page.wait_for_function("document.querySelector('#summary, #ending').textContent")
        assert violations(page) == []
        assert page.evaluate("document.documentElement.scrollWidth") <= width
    context.close()


def test_the_sites_own_reader_shows_what_is_on_file(page: Page, tmp_path: Path, spoken: Transcript) -> None:
    header = replace(header_of(CASES, "core", "oracle", ScriptedVoice(), 1, 0), cases=("tracking-1",))
    with RunWriter(tmp_path, header) as writer:
        writer.add(spoken, started=START, seconds=1.0)
    with serving(tmp_path, Follower(tmp_path).view, 0) as link:
        while page.goto(f"{link}/reader.html", timeout=60_000).status == 503:  # type: ignore[union-attr]
            expect(page.locator("#main")).to_contain_text("the pages are being built")
        page.goto(f"{link}/reader.html#case=tracking-1")
        page.reload()
        expect(page.locator("#main")).to_contain_text("And again.", timeout=20_000)
