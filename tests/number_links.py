"""Number links: every number on the pages that opens conversations, and what the reader lists for it."""

import json
import re
from collections.abc import Iterable, Iterator
from html.parser import HTMLParser
from pathlib import Path
from typing import Any, NamedTuple
from urllib.parse import unquote

from playwright.sync_api import Page

READERS = ("reader.html", "replays.html")
OPENED = {"case", "a", "b", "run", "run2", "m", "blind"}
"""What an address opens; all else in it filters the list."""

_COUNT = re.compile(r"(?<![\d.])(\d[\d,]*)(?: of |/)\d|\b(?:all|from) (\d[\d,]*)\b")


_TOTAL = re.compile(r"(?<![\d.])\d[\d,]*(?: of |/)(\d[\d,]*)")


class NumberLink(NamedTuple):
    """A link that lists conversations."""

    page: str
    reader: str
    state: tuple[tuple[str, str], ...]
    says: tuple[str, ...]
    """What it says to readers: its text, its label, its title."""

    @property
    def counts(self) -> set[int]:
        """Every count that it names."""
        found = {
            int((one or other).replace(",", "")) for text in self.says for one, other in _COUNT.findall(text)
        }
        return found or {int(text.replace(",", "")) for text in self.says if re.fullmatch(r"[\d,]+", text)}

    @property
    def totals(self) -> set[int]:
        """Of how many it says that they are."""
        return {int(one.replace(",", "")) for text in self.says for one in _TOTAL.findall(text)}

    @property
    def is_number(self) -> bool:
        return any(character.isdigit() for text in self.says for character in text)


class _Anchors(HTMLParser):
    """The links of a page with their texts."""

    def __init__(self) -> None:
        super().__init__()
        self.found: list[tuple[str, list[str]]] = []
        self.inside = False

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        given = dict(attrs)
        if tag == "a" and given.get("href"):
            self.inside = True
            labels = [given[name] or "" for name in ("aria-label", "title") if name in given]
            self.found.append((given["href"] or "", ["", *labels]))

    def handle_endtag(self, tag: str) -> None:
        self.inside = self.inside and tag != "a"

    def handle_data(self, data: str) -> None:
        if self.inside:
            self.found[-1][1][0] += data


def number_links(site: Path) -> list[NumberLink]:
    """Every link on these pages, in their scripts' data and in the board's file that lists conversations."""
    return [link for link in (*_on_pages(site), *_in_data(site)) if {*dict(link.state)} - OPENED]


def _on_pages(site: Path) -> Iterator[NumberLink]:
    for path in sorted(site.rglob("*.html")):
        anchors = _Anchors()
        anchors.feed(path.read_text())
        for href, says in anchors.found:
            yield from _link(str(path.relative_to(site)), href, says)


def _in_data(site: Path) -> Iterator[NumberLink]:
    for path in sorted((site / "data" / "pairs").glob("*.js")):
        script = path.read_text()
        for value in json.loads(script[script.index("(") + 1 : script.rindex(")")])["values"].values():
            yield from _link(str(path.relative_to(site)), value["link"], [value["label"]])
    for agent in json.loads((site / "data" / "board.json").read_text())["agents"]:
        for metric in agent["metrics"]:
            hits, tried = metric["numerator"], metric["denominator"]
            says = f"all {tried}" if hits is None else f"{hits} of {tried}"
            yield from _link("data/board.json", metric["where"], [says])


def _link(page: str, href: str, says: Iterable[str]) -> Iterator[NumberLink]:
    place, _, state = href.partition("#")
    if Path(place).name in READERS:
        parts = (part.partition("=") for part in state.split("&") if part)
        found = tuple((key, unquote(value)) for key, _, value in parts)
        yield NumberLink(page, Path(place).name, found, tuple(" ".join(text.split()) for text in says))


def wrong_totals(links: list[NumberLink], page: Page, site: Path) -> list[str]:
    """The links whose list says that it is a part of another whole than the number that was clicked."""
    found = []
    for reader in READERS:
        some = [link for link in links if link.reader == reader and link.totals]
        if not some:
            continue
        page.goto((site / reader).as_uri())
        states: list[dict[str, Any]] = [dict(link.state) for link in some]
        told = page.evaluate("(states) => states.map((state) => SAB.total(state))", states)
        found += [
            f"{link.page}: {link.says} is listed as a part of {total}: {dict(link.state)}"
            for link, total in zip(some, told, strict=True)
            if link.totals != {total}
        ]
    return found


def wrong_links(links: list[NumberLink], page: Page, site: Path) -> list[str]:
    """What is wrong with these links, by the reader's own filters: no count, several, or another one."""
    found = []
    for reader in READERS:
        some = [link for link in links if link.reader == reader and link.is_number]
        if not some:
            continue
        page.goto((site / reader).as_uri())
        states: list[dict[str, Any]] = [dict(link.state) for link in some]
        listed = page.evaluate("(states) => states.map((state) => SAB.count(state))", states)
        found += [
            f"{link.page}: {link.says} lists {count}: {dict(link.state)}"
            for link, count in zip(some, listed, strict=True)
            if link.counts != {count}
        ]
    return found
