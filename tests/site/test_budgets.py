"""What pages may weigh at most: somebody reads them on a telephone."""

import gzip
import re
from html.parser import HTMLParser
from pathlib import Path

import pytest

from supportagentbench.site.pages.page import HERE

PAGES = ("index.html", "reader.html", "compare.html", "cases.html", "traps.html", "method.html", "desk.html")
MOST_SCRIPT, MOST_STYLE = 19_000, 8_500
"""Bytes a page, gzipped."""

MOST_ELEMENTS = 4_000


class Elements(HTMLParser):
    """Counts them."""

    def __init__(self) -> None:
        super().__init__()
        self.count = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.count += 1


def packed(path: Path) -> int:
    return len(gzip.compress(path.read_bytes(), 6))


def assets(site: Path, page: str, kind: str) -> list[Path]:
    names = re.findall(rf'(?:src|href)="(?:\.\./)*(assets/[^"]+\.{kind})"', (site / page).read_text())
    return [site / name for name in names]


@pytest.mark.parametrize("page", PAGES)
def test_scripts_and_styles_are_light(small_site: Path, page: str) -> None:
    scripts = sum(map(packed, assets(small_site, page, "js")))
    styles = sum(map(packed, assets(small_site, page, "css")))
    print(f"{page}: {scripts} bytes of script, {styles} of style")
    assert scripts <= MOST_SCRIPT
    assert styles <= MOST_STYLE


@pytest.mark.parametrize("page", [*PAGES, "agents/complies.html", "cases/damaged_no_proof-1.html"])
def test_pages_have_few_elements(small_site: Path, page: str) -> None:
    elements = Elements()
    elements.feed((small_site / page).read_text())
    print(f"{page}: {elements.count} elements")
    assert 50 < elements.count <= MOST_ELEMENTS


def test_pages_on_forks_are_light(fork_site: Path) -> None:
    for path in (fork_site / "forks.html", fork_site / "replays.html", *(fork_site / "forks").iterdir()):
        page, elements = str(path.relative_to(fork_site)), Elements()
        elements.feed(path.read_text())
        assert 50 < elements.count <= MOST_ELEMENTS
        assert sum(map(packed, assets(fork_site, page, "js"))) <= MOST_SCRIPT
        assert sum(map(packed, assets(fork_site, page, "css"))) <= MOST_STYLE


def test_the_board_is_light(small_site: Path) -> None:
    parts = [
        small_site / "index.html",
        *assets(small_site, "index.html", "js"),
        *assets(small_site, "index.html", "css"),
    ]
    assert sum(map(packed, parts)) <= 60_000


def test_the_source_of_the_front_end_stays_small() -> None:
    sources = [path for path in (HERE / "static").iterdir() if path.suffix in (".js", ".css")]
    lines = sum(len(path.read_text().splitlines()) for path in sources)
    size = sum(path.stat().st_size for path in sources)
    print(f"{lines} lines, {size} bytes")
    assert lines <= 3_070
    assert size <= 248_000


def test_the_longest_script_can_still_be_read() -> None:
    assert max(len(path.read_text().splitlines()) for path in (HERE / "static").glob("*.js")) <= 1_500
