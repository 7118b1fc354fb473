"""Every link leads somewhere inside the folder, and nothing points out of it."""

from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote

import pytest


class Links(HTMLParser):
    """What a page points to, and the names it can be pointed at."""

    def __init__(self) -> None:
        super().__init__()
        self.targets: list[str] = []
        self.loaded: list[str] = []
        self.names: set[str] = set()
        self.repeated: set[str] = set()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        for name, value in attrs:
            if name == "id" and value:
                (self.repeated if value in self.names else self.names).add(value)
            elif name == "href" and value is not None and tag == "a":
                self.targets.append(value)
            elif name in ("src", "href") and value and tag in ("script", "link", "img"):
                self.loaded.append(value)


@pytest.fixture(scope="module")
def read(small_site: Path) -> dict[str, Links]:
    found = {}
    for path in small_site.rglob("*.html"):
        links = Links()
        links.feed(path.read_text())
        found[str(path.relative_to(small_site))] = links
    return found


def inside(page: str, target: str) -> str:
    """The file that a link means, as a path below the folder."""
    here = Path("/site") / Path(page).parent / unquote(target.partition("#")[0])
    return str(Path(*_resolved(here).parts[2:]))


def _resolved(path: Path) -> Path:
    parts: list[str] = []
    for part in path.parts:
        if part == "..":
            parts.pop()
        elif part != ".":
            parts.append(part)
    return Path(*parts)


HELP = "https://findahelpline.com"
"""The only other site that pages link to, beside the words of a person in danger."""


def test_every_link_leads_to_a_file_of_the_folder(read: dict[str, Links], small_site: Path) -> None:
    broken = [
        (page, target)
        for page, links in read.items()
        for target in (*links.targets, *links.loaded)
        if target.partition("#")[0] and target != HELP and not (small_site / inside(page, target)).is_file()
    ]
    assert broken == []


def test_a_link_into_a_page_names_something_on_it(read: dict[str, Links]) -> None:
    broken = []
    for page, links in read.items():
        for target in links.targets:
            path, _, name = target.partition("#")
            other = read.get(inside(page, path) if path else page)
            if other and name and "=" not in name and name not in other.names:
                broken.append((page, target))
    assert broken == []


def test_no_page_names_an_element_twice(read: dict[str, Links]) -> None:
    assert {page: links.repeated for page, links in read.items() if links.repeated} == {}


def test_every_page_says_what_it_may_load(small_site: Path) -> None:
    for path in small_site.rglob("*.html"):
        assert "Content-Security-Policy" in path.read_text(), path


def test_every_page_is_there(read: dict[str, Links]) -> None:
    assert {
        *("index.html", "compare.html", "cases.html", "traps.html", "reader.html", "desk.html"),
        *(
            "method.html",
            "rules.html",
            "own.html",
            "404.html",
            "agents/oracle.html",
            "cases/damaged_no_proof-1.html",
        ),
    } <= set(read)
