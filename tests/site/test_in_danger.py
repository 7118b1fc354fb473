"""Words of a person in danger are never open on a page: folded, a note before them and help after."""

import re
from collections.abc import Callable, Iterable
from html.parser import HTMLParser
from pathlib import Path

from msgspec.structs import replace
from playwright.sync_api import Page

from site_data import drop, html_of, site_data_of
from supportagentbench.site.data.fork_data import gather_forks
from supportagentbench.site.data.site_data import SiteData
from supportagentbench.site.pages import cases, forks, traps

FEWEST = 40
"""Characters of an opening that are looked for."""


class Open(HTMLParser):
    """The words of a page outside what is folded with a content note, and how many such folds there are."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self.sealed = 0
        self._within: list[bool] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag == "details":
            is_sealed = ("class", "sealed") in attrs
            assert not is_sealed or ("open", None) not in attrs
            self._within.append(is_sealed)
            self.sealed += is_sealed

    def handle_endtag(self, tag: str) -> None:
        if tag == "details":
            self._within.pop()

    def handle_data(self, data: str) -> None:
        if not any(self._within):
            self.said.append(data)


def read(html: str) -> Open:
    page = Open()
    page.feed(html)
    return page


def plain(words: str) -> str:
    return " ".join(re.sub(r"[\\*_>]", "", words).split())


def openings(data: SiteData) -> dict[str, str]:
    return {case: plain(sheet.opening)[:FEWEST] for case, sheet in data.cases.items() if data.in_danger(case)}


def open_words(html: str, openings: Iterable[str]) -> list[str]:
    words = plain("".join(read(html).said))
    return [one for one in openings if one in words]


def test_which_cases_these_are_follows_from_what_the_shop_says_is_at_stake(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    found = [case for case in data.cases if data.in_danger(case)]
    assert found == [f"abusive_threatening-{number}" for number in range(1, 7)]
    assert not any(declaring(data, {}).in_danger(case) for case in data.cases)
    assert not data.in_danger("no-such-case")


def test_no_page_of_a_board_shows_them_open(demo_site: Path, small_site: Path, small_runs: Path) -> None:
    known = openings(site_data_of(small_runs))
    for site in (demo_site, small_site):
        pages = [*site.rglob("*.html"), *site.rglob("*.md")]
        assert len(pages) > 50
        for page in pages:
            text = page.read_text()
            assert not open_words(text, known.values()), page
            assert text.count('class="sealed"') <= text.count('href="https://findahelpline.com"'), page
    for case, opening in known.items():
        text = (small_site / f"cases/{case}.html").read_text()
        assert opening in plain(re.sub(r"&#39;", "'", text)), "the words are there, folded"
        assert read(text).sealed == 1


def endangered(data: SiteData, case: str) -> SiteData:
    """The same, if this case's type were about danger to people."""
    [danger] = {one for one in data.vocabulary.harms if one.is_danger}
    stakes = {**data.vocabulary.stakes, data.cases[case].family: danger.name}
    return declaring(data, stakes)


def declaring(data: SiteData, stakes: dict[str, str]) -> SiteData:
    """The same, with these at stake."""
    vocabulary = replace(data.vocabulary, stakes=stakes)
    runs = [run._replace(header=replace(run.header, vocabulary=vocabulary)) for run in data.runs]
    return data._replace(runs=runs)


def test_a_trap_and_its_list_are_folded_too(small_runs: Path) -> None:
    data = site_data_of(small_runs)
    example = traps.example_of(data)
    assert example
    data = endangered(data, example.sides[0].case)
    found = {page.path: html_of(page, data) for page in (*traps.pages(data), *cases.pages(data))}
    for path in ("traps.html", "cases.html"):
        assert not open_words(found[path], [plain(example.opening)[:FEWEST]])
    assert read(found["traps.html"]).sealed == 1


def test_a_replayed_decision_is_folded(small_runs: Path, fork_runs: Path) -> None:
    data = endangered(site_data_of(small_runs), "damaged_no_proof-1")
    forked = gather_forks([fork_runs], [small_runs], data, drop, "all", fresh=False)
    pages = [html_of(page, data) for page in forks.pages(forked, data) if page.path.startswith("forks/")]
    opening = plain(data.cases["damaged_no_proof-1"].opening)[:FEWEST]
    assert pages
    for html in pages:
        assert read(html).sealed >= 1
        assert not open_words(html, [opening])


def test_the_reader_seals_them(visit: Callable[..., Page]) -> None:
    page = visit("reader.html#case=abusive_threatening-1&a=oracle&run=1")
    page.wait_for_selector(".sealed")
    assert page.locator("#rounds .message").count() == 0
    assert page.locator('#rounds a[href="https://findahelpline.com"]').count() == 1
