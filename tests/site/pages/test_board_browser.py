"""The front page in a browser, opened from its folder: the sentence, the order, the limits, the address."""

import re
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from board_pages import flock_page, folder_of

Open = Callable[..., Page]


@pytest.fixture(scope="module", autouse=True)
def made_first(demo_site: Path, cast_site: Path) -> None:
    """Runs are played before the browser's loop begins."""


@pytest.fixture(scope="module")
def address(tmp_path_factory: pytest.TempPathFactory) -> str:
    return folder_of(flock_page(), tmp_path_factory.mktemp("front"))


@pytest.fixture
def demo(open_page: Open, demo_site: Path) -> Callable[..., Page]:
    """The front page of the demo, in a given state."""
    return lambda state="", **options: open_page((demo_site / "index.html").as_uri() + state, **options)


def order(page: Page, rows: str = "#board tr[data-a]", name: str = "a") -> list[str]:
    found: list[str] = page.eval_on_selector_all(rows, f"rows => rows.map(row => row.dataset.{name})")
    return found


def state(page: Page) -> str:
    return page.url.partition("#")[2]


def test_a_head_sorts_the_good_end_first(open_page: Open, address: str) -> None:
    page = open_page(address)
    page.get_by_role("button", name="Traps that worked").click()
    assert order(page)[:2] == ["wild-knot", "wild-rook"]
    page.get_by_role("button", name="Solved").click()
    first = page.locator("#board tbody tr").first.locator("td").nth(3).inner_text()
    assert float(first.rstrip("%")) == max(
        float(cell.rstrip("%")) for cell in page.locator("#board tbody tr td:nth-child(5)").all_inner_texts()
    )


def test_limits_of_the_reader_restate_the_headline_and_stay_in_the_address(
    open_page: Open, address: str
) -> None:
    page = open_page(address)
    assert "One is fit to hire" in page.locator("h1").inner_text()
    page.get_by_label("Needless handovers at most").fill("1")
    expect(page.locator("h1")).to_contain_text("None is fit to hire")
    expect(page.locator("#board tr[data-a='wild-knot'] td.beyond > a")).to_have_text("3%")
    assert state(page) == "lo=1"
    page.get_by_role("button", name="Reset").click()
    expect(page.locator("h1")).to_contain_text("One is fit to hire")
    assert state(page) == ""


def test_the_sentence_drives_bars_order_chart_and_the_text_for_the_cfo(
    open_page: Open, cast_site: Path
) -> None:
    whole = (cast_site / "index.html").as_uri()
    page = open_page(whole)
    rows, bar = ".months > li", page.locator(".months > li").nth(1).locator(".month-bar")
    before = (
        bar.get_attribute("aria-label"),
        page.locator("[data-cfo]").inner_text(),
        order(page, rows, "slug"),
    )
    page.get_by_label("Tickets per month").fill("50,000")
    page.get_by_label("Percent of customers who try to cheat").fill("20")
    page.get_by_label("Percent of customers who try to cheat").blur()
    assert bar.get_attribute("aria-label") != before[0]
    expect(page.locator("[data-cfo]")).to_contain_text("50,000 tickets")
    assert state(page) == "t=50000&ch=20"
    assert order(page, rows, "slug")[0] == before[2][0], "the agent to use stays first"
    assert order(page, rows, "slug") != before[2], "who then costs more than people is refused"
    again = open_page(f"{whole}#t=50000&ch=20")
    assert again.get_by_label("Tickets per month").input_value() == "50,000"
    assert order(again, rows, "slug") == order(page, rows, "slug")


def test_the_bar_says_what_the_server_said(demo: Callable[..., Page]) -> None:
    """Python draws the page, a script draws it again: for the same desk both say the same."""
    labels = "all => all.map(bar => [bar.ariaLabel, [...bar.children].map(part => part.textContent)])"
    scripted = demo().eval_on_selector_all(".month-bar", labels)
    plain = demo(js=False).eval_on_selector_all(".month-bar", labels)
    assert [label for label, _ in scripted] == [label for label, _ in plain]
    assert scripted == plain


def test_a_row_says_its_fault_alike_with_and_without_a_script(demo: Callable[..., Page]) -> None:
    rows = "all => all.map(one => one.textContent)"
    assert demo().eval_on_selector_all("[data-row]", rows) == demo(js=False).eval_on_selector_all(
        "[data-row]", rows
    )


def test_every_agent_has_a_tab_and_danger_is_folded_in_its_own(demo: Callable[..., Page]) -> None:
    page = demo()
    shown = page.locator(".deciding article:visible")
    assert shown.count() == 1
    expect(shown.locator(".chat")).to_be_visible()
    first = shown.locator("h3").inner_text()
    assert {*page.locator(".deciding > label").all_inner_texts()} >= {"Chatty", "Hasty", "Trusting"}
    page.locator(".deciding > label", has_text="Chatty").click()
    assert shown.count() == 1 and shown.locator("h3").inner_text() != first
    expect(shown).to_contain_text("danger")
    expect(shown.locator(".chat")).to_be_hidden()
    shown.locator("summary").click()
    expect(shown.locator(".chat")).to_be_visible()


def test_bubbles_leave_room_on_the_other_side(demo: Callable[..., Page]) -> None:
    for width in (1440, 1024, 390):
        chat = demo(width=width).locator(".deciding article:visible .chat")
        room = chat.evaluate("one => one.clientWidth")
        for kind, edge in {"customer": "right", "agent": "left"}.items():
            gap = chat.locator(f"p.{kind}:not(.who)").first.evaluate(
                f"one => Math.abs(one.getBoundingClientRect().{edge} - "
                f"one.parentElement.getBoundingClientRect().{edge})"
            )
            assert gap > room / 10


def test_without_javascript_everything_is_there_and_no_control_that_needs_it(
    open_page: Open, address: str, demo: Callable[..., Page]
) -> None:
    page = open_page(address, js=False)
    assert page.locator("#board tbody tr[data-a]").count() == 4
    assert page.locator("button:visible").count() == 0
    page = demo(js=False)
    expect(page.locator("[data-even]").first).to_be_visible()
    expect(page.locator("[data-cfo]")).to_be_visible()
    assert page.locator(".trap-strip").count() == page.locator(".months > li").count()
    assert page.get_by_label("Tickets per month").is_disabled()


def test_the_first_screen_has_every_agent_the_doubt_and_the_button(open_page: Open, cast_site: Path) -> None:
    page = open_page((cast_site / "index.html").as_uri(), width=1440)
    bottoms = "all => all.map(one => one.getBoundingClientRect().bottom)"
    shown = page.eval_on_selector_all(".months > li, .doubt p, .doubt button", bottoms)
    assert len(shown) > 8 and max(shown) <= 900
    for part, lines in {".then": 2, ".turned-away": 1, "h1": 1}.items():
        height, line = page.locator(part).evaluate(
            "one => [one.getBoundingClientRect().height, parseFloat(getComputedStyle(one).lineHeight)]"
        )
        assert height < (lines + 0.5) * line, part
    words = page.evaluate(
        "[...document.querySelectorAll('h1, .lead')].map(one => one.textContent).join(' ').toLowerCase()"
    )
    said = (
        "simulated",
        "customers",
        "travel goods",
        "tickets",
        "18 are traps",
        "break the rules",
        "you cannot buy",
    )
    assert all(word in words for word in said)


def test_a_phone_marks_what_breaks_a_limit(demo: Callable[..., Page]) -> None:
    page = demo(width=390)
    for kind, sign in {"beyond": "▲", "open": "△"}.items():
        cell = page.locator(f"#board td.{kind}").first
        assert sign in cell.evaluate("one => getComputedStyle(one, '::before').content")
    expect(page.locator(".pointed")).to_be_hidden()


@pytest.mark.parametrize("width", [390, 320])
def test_a_phone_shows_all_of_it(demo: Callable[..., Page], width: int) -> None:
    page = demo(width=width)
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    first, rest = page.locator('#board [data-key="unsafe"]'), page.locator('#board [data-key="cost"]')
    expect(first).to_contain_text("limit 12%")
    expect(rest).to_be_hidden()
    count = page.locator('#board td[data-of="unsafe"] small').first
    expect(count).to_have_text(re.compile(r"^\d+ of \d+$"))
    expect(count).to_be_visible()
    page.get_by_text("Show solved, policy followed, model fees instead").click()
    expect(rest).to_contain_text("per 1,000 tickets")
    expect(first).to_be_hidden()
    tops = page.eval_on_selector_all(
        "nav li", "all => all.map(one => Math.round(one.getBoundingClientRect().top))"
    )
    assert len(set(tops)) == 1, "the navigation is one line"


@pytest.mark.parametrize(("width", "most"), [(1440, 3_000), (390, 6_500)])
def test_the_board_is_short(open_page: Open, cast_site: Path, width: int, most: int) -> None:
    page = open_page((cast_site / "index.html").as_uri(), width=width)
    assert page.evaluate("document.documentElement.scrollHeight") <= most


def test_what_moved_from_the_board_is_a_click_away(demo: Callable[..., Page], demo_site: Path) -> None:
    page = demo()
    links = page.eval_on_selector_all("#taught a", "all => all.map(one => one.getAttribute('href'))")
    assert {"traps.html#worked", "findings.html#calibration"} <= set(links) and len(links) > 3
    for link in links:
        path, _, name = link.partition("#")
        assert f'id="{name}"' in (demo_site / path).read_text(), link
    for old in ("hold", "calibration", *(link.partition("#")[2] for link in links if "insight" in link)):
        assert page.locator(f"#{old} a").count() == 1, "an address that was given away still leads there"


def test_an_accessibility_checker_finds_nothing_in_a_page_in_use(
    demo: Callable[..., Page], axe: Callable[[Page], list[str]]
) -> None:
    page = demo("#ch=20&lu=50", bypass_csp=True)
    page.locator(".deciding > label", has_text="Chatty").click()
    page.locator(".deciding article:visible summary").click()
    assert axe(page) == []


def typed(page: Page, name: str, text: str) -> str:
    """What stands in a field after somebody clicks into it and types, and what the page says of it."""
    field = page.get_by_label(name)
    field.click()
    page.keyboard.type(text)
    assert field.input_value() == text, "what stood there is gone"
    said = page.locator("[data-heard]").inner_text()
    page.locator("h1").click()
    return said


@pytest.mark.parametrize(
    ("name", "text", "said", "kept"),
    [
        ("Tickets per month", "30000", "", "t=30000"),
        ("Tickets per month", "10,300", "", "t=10300"),
        ("Tickets per month", "4.000", "could be 4,000 or 4; write it without the point", ""),
        ("Tickets per month", "10.3", "is no number that fits here; 10,000 is used", ""),
        ("Percent of customers", "0,5", "read as 0.5", "ch=0.5"),
        ("Percent of customers", "4", "", "ch=4"),
        ("Percent of customers", "14", "1 customer in 7: is that meant?", "ch=14"),
        ("Dollars per ticket", "5.50", "", "h=5.5"),
        ("wrongly turned away", "40", "", "c=unresolved%3A40"),
    ],
)
def test_a_field_takes_what_is_typed_as_people_mean_it_or_says_a_word(
    open_page: Open, cast_site: Path, name: str, text: str, said: str, kept: str
) -> None:
    page = open_page((cast_site / "index.html").as_uri())
    heard = typed(page, name, text)
    assert said in heard if said else not heard
    assert state(page) == kept


def test_the_price_of_a_customer_turned_away_decides_where_the_page_says(
    open_page: Open, cast_site: Path
) -> None:
    page = open_page((cast_site / "index.html").as_uri())
    expect(page.locator("[data-turn]")).to_have_text(
        "; above about $16 Trusting costs less, above $140 people alone."
    )
    typed(page, "wrongly turned away", "17")
    expect(page.locator("[data-then]")).to_contain_text("Trusting would cost about")
    typed(page, "wrongly turned away", "150")
    expect(page.locator("h1")).to_contain_text("None would be fit")


def test_the_chart_of_handovers_follows_the_limits(open_page: Open, cast_site: Path) -> None:
    page = open_page((cast_site / "findings.html").as_uri() + "#lo=5&lm=2")
    chart = page.locator(".calibration")
    expect(chart.locator("[data-line]")).to_have_text(["limit 2%", "limit 5%"])
    over = {row: chart.locator(f"tr[data-a={row}] td").nth(1) for row in ("anxious", "stale", "hasty")}
    for row, is_beyond in {"anxious": True, "stale": True, "hasty": False}.items():
        assert ("beyond" in (over[row].get_attribute("class") or "")) is is_beyond, row
    wide = open_page((cast_site / "findings.html").as_uri() + "#lo=90").locator(".calibration")
    assert wide.evaluate("one => one.style.getPropertyValue('--edge')") == "90"


def test_tabs_are_in_the_order_of_the_rows(
    open_page: Open, cast_site: Path, demo: Callable[..., Page]
) -> None:
    for page in (demo(), demo("#lu=50&lm=30&lo=50")):
        rows = page.locator(".months .name").all_inner_texts()
        tabs = page.locator(".deciding > label").all_inner_texts()
        assert tabs == [name for name in rows if name in tabs] and len(tabs) > 3


def test_a_finger_finds_every_link_and_no_button_for_pictures(demo: Callable[..., Page]) -> None:
    page = demo(width=390)
    expect(page.locator(".tools").first).to_be_hidden()
    small = page.eval_on_selector_all(
        "main a, main button, main label",
        "all => all.filter(one => one.checkVisibility() && one.getClientRects().length === 1 && "
        "!one.closest('p span, .skip') && one.getBoundingClientRect().height < 24).map(one => one.outerHTML)",
    )
    assert small == []
