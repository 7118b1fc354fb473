"""Lint: a page may compare only as far as a claim bears it out. Read from the finished page."""

from collections.abc import Iterable
from html.parser import HTMLParser

from msgspec.structs import replace

from supportagentbench.board.claims import COMPARES, unclaimed
from supportagentbench.records.claim import Claim

BLOCKS = frozenset(
    (
        *("p", "li", "td", "th", "h1", "h2", "h3", "h4", "dt", "dd", "caption", "figcaption", "summary"),
        *("div", "section", "article", "tr", "title", "option"),
    )
)
"""Elements that begin a new sentence."""

OTHERS = frozenset(("blockquote", "pre", "code", "script", "style"))
"""Elements that hold words of customers, agents or policies, or no words at all."""

EMPTY = frozenset(
    ("area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "wbr")
)


class _Reader(HTMLParser):
    """Collects what a page says in its own words; `data-quoted` marks what others say."""

    def __init__(self) -> None:
        super().__init__()
        self.said: list[str] = []
        self._quoted = 0

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        if tag in EMPTY:
            return
        if self._quoted or tag in OTHERS or any(name == "data-quoted" for name, _ in attrs):
            self._quoted += 1
        elif tag in BLOCKS:
            self.said.append("\n\n")

    def handle_endtag(self, tag: str) -> None:
        if self._quoted and tag not in EMPTY:
            self._quoted -= 1
        elif tag in BLOCKS:
            self.said.append("\n\n")

    def handle_data(self, data: str) -> None:
        if not self._quoted:
            self.said.append(data)


def words_of(html: str) -> str:
    """What a page says in its own words, a block a paragraph."""
    reader = _Reader()
    reader.feed(html)
    return "".join(reader.said)


def unborne(html: str, claims: Iterable[Claim], names: Iterable[str]) -> list[str]:
    """Every sentence of a page that compares and that no claim bears out; names of agents are only names."""
    if not COMPARES.search(html):
        return []
    words = words_of(html)
    on_one_line = " ".join(words.split())
    held = [claim for claim in claims if claim.holds and claim.sentence.removesuffix(".") in on_one_line]
    for name in names:
        if COMPARES.search(name):
            words = words.replace(name, "X")
            held = [_renamed(claim, name) for claim in held]
    return unclaimed(words, held) if COMPARES.search(words) else []


def _renamed(claim: Claim, name: str) -> Claim:
    return replace(claim, sentence=claim.sentence.replace(name, "X"))
