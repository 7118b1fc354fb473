"""Pages of real tickets in a browser: every number opens what it counts, without any script."""

import re
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from msgspec.structs import replace
from playwright.sync_api import Browser, Page

from layouts import LOOKS, Look, complaints
from replays import SMALL_REPLAY
from scores import SCORE, finding
from shadow_weeks import AGREED, SENT, SMALL, ticket, tried, week
from supportagentbench.records.desk_score import DeskScore
from supportagentbench.records.shadow import ShadowWeek
from supportagentbench.records.transcript import Turn
from supportagentbench.site.pages.replay import replay_page
from supportagentbench.site.pages.score import score_page
from supportagentbench.site.pages.week import week_page

LONG = "unbroken" * 12
SHOWN = """() => {
  const shown = (one) => getComputedStyle(one).display !== "none";
  const tickets = [...document.querySelectorAll(".tickets > li")].filter(shown);
  return [tickets.length, tickets.flatMap((one) => [...one.querySelectorAll(".talk")].filter(shown)).length];
}"""
"""How many tickets, and talks on them, a reader finds; folded or not."""
HOSTILE = "<img src=x onerror=document.title='hit'><script>document.title='hit'</script>"


def crowd() -> ShadowWeek:
    """Four agents with long names, two runs each, on tickets with long words."""
    names = [f"{LONG}{number}" for number in range(4)]
    return week(
        ticket(
            number,
            SENT if number % 3 else AGREED,
            *(
                tried(
                    AGREED,
                    "same" if number % 3 == 0 else "stricter",
                    name,
                    run,
                    dollars=-80 * (number % 3 > 0),
                )
                for name in names
                for run in (1, 2)
            ),
            request=f"kind_{number % 12}",
            person=f"Person {number % 3}",
            approved=number % 2 == 0,
            facts={LONG: LONG},
            history=(Turn("customer", f"{LONG} {HOSTILE}"), Turn("agent", LONG), Turn("customer", "Yes.")),
        )
        for number in range(15)
    )


def listed() -> DeskScore:
    """A score of which the page has all findings."""
    people = ("Ana Prado",) * 4 + ("",) * 5
    said = f"{LONG} $5 {HOSTILE}"
    return replace(
        SCORE,
        findings=tuple(finding(number, said=said, person=one) for number, one in enumerate(people)),
    )


PAGES: dict[str, Callable[[], bytes]] = {
    "week": lambda: week_page(SMALL),
    "crowd": lambda: week_page(crowd()),
    "score": lambda: score_page(listed()),
    "replay": lambda: replay_page(SMALL_REPLAY),
}


@pytest.fixture(params=PAGES)
def page_file(request: pytest.FixtureRequest, tmp_path: Path) -> Path:
    path = tmp_path / "page.html"
    path.write_bytes(PAGES[request.param]())
    return path


@pytest.mark.parametrize("look", [{}, {"dark": True}, {"width": 390}, {"width": 320, "dark": True}])
def test_no_violation(
    look: dict[str, int], page_file: Path, open_page: Callable[..., Page], axe: Callable[[Page], list[str]]
) -> None:
    page = open_page(page_file.as_uri(), bypass_csp=True, **look)
    page.evaluate("for (const one of document.querySelectorAll('details')) one.open = true")
    assert axe(page) == []


@pytest.fixture
def looked_at(browser: Browser) -> Iterator[Page]:
    context = browser.new_context(reduced_motion="reduce")
    yield context.new_page()
    context.close()


def test_layout(page_file: Path, looked_at: Page) -> None:
    looked_at.goto(page_file.as_uri())
    looks = {**LOOKS, "768": Look(768), "320": Look(320)}
    found = {name: said for name, look in looks.items() if (said := complaints(looked_at, look))}
    assert not found


def test_every_number_opens_what_it_counts(page_file: Path, open_page: Callable[..., Page]) -> None:
    page = open_page(page_file.as_uri(), js=False)
    links = page.locator('a[href^="#s"]').all()
    found = {(link.get_attribute("href") or "", link.text_content() or "") for link in links}
    assert len(found) > 1
    for place, number in sorted(found):
        page.goto(f"{page_file.as_uri()}{place}")
        opened = page.locator(".opened:visible")
        told = re.match(r"(\d+) (talk|ticket|finding)s?(?: on (\d+))?", opened.inner_text())
        assert told and told[1] == number
        tickets, talks = page.evaluate(SHOWN)
        assert tickets == int(told[3] or told[1])
        assert told[2] == "ticket" or talks == int(number)
    page.locator(".opened:visible a").click()
    assert page.evaluate(SHOWN)[0] == page.locator(".tickets > li").count()


def test_a_number_takes_the_reader_there(page_file: Path, open_page: Callable[..., Page]) -> None:
    page = open_page(page_file.as_uri(), js=False)
    page.locator("main a[href^='#s']").first.click()
    box = page.locator(".opened:visible").bounding_box()
    assert box and 0 <= box["y"] <= 700
    page.go_back()
    assert page.locator(".opened:visible").count() == 0


def test_a_link_to_a_ticket_shows_all_of_it(tmp_path: Path, open_page: Callable[..., Page]) -> None:
    path = tmp_path / "week.html"
    path.write_bytes(week_page(SMALL))
    page = open_page(path.as_uri(), js=False)
    page.locator(".exhibit a").first.click()
    opened = page.locator(".tickets > li:target")
    assert opened.get_attribute("id") == "t-4" and opened.locator(".talk .chat").is_visible()


@pytest.mark.parametrize("name", ["crowd", "score"])
def test_nothing_that_anybody_wrote_runs(name: str, tmp_path: Path, open_page: Callable[..., Page]) -> None:
    path = tmp_path / "page.html"
    path.write_bytes(PAGES[name]())
    for bypass in (False, True):
        page = open_page(path.as_uri(), bypass_csp=bypass)
        assert page.title() != "hit" and page.locator("main img, main script").count() == 0
        assert "<img src=x" in (page.locator(".tickets .chat").first.text_content() or "")
